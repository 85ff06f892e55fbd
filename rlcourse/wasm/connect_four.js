// The exact solver of Connect Four, rlcourse.solvers.connect_four: the search is a kernel.

const TABLE_BITS = 20; // of the bounds that speed up later calls
const FULL_COLUMN = -100n;

class ConnectFourSolver {
  constructor(kernels) {
    const of = (shape) => kernels.array("int64", shape);
    Object.assign(this, { kernels, own: of([1]), mask: of([1]), table: of([2 ** TABLE_BITS]), nodes: of([1]), out: of([1, 7]) });
  }

  // Each legal column with the result after it for the player to move: 1 a win, 0 a draw, -1 a loss.
  results(cells) {
    const boards = [0n, 0n, 0n]; // of nobody, the first player and the second
    cells.forEach((cell, k) => (boards[cell] |= 1n << BigInt(7 * (k % 7) + 5 - Math.floor(k / 7))));
    const [, first, second] = boards;
    const stones = cells.filter(Boolean).length;
    this.own.view[0] = stones % 2 ? second : first;
    this.mask.view[0] = first | second;
    this.kernels.call("scores", this.own, this.mask, 1n, this.table, this.nodes, this.out);
    return [...this.out.view.entries()].filter(([, score]) => score !== FULL_COLUMN).map(([column, score]) => [column, Number(score)]);
  }
}
