// Sabaki's own controller (@sabaki/gtp, 3.0.0) plays and watches a game with our engine:
//
//     npm install --prefix build/sabaki @sabaki/gtp@3.0.0
//     NODE_PATH=build/sabaki/node_modules node tests/benchmarks/sabaki.js \
//         .venv/bin/python -m rlcourse.cli gtp go/alphazero-5x5
//
// It throws at the first answer that the controller takes for an error, and prints how soon an
// analysis ends: the milliseconds from the next command to the answer to that command.
const { Controller } = require('@sabaki/gtp');

const INTERRUPTIONS = 50;
const GAME = ['boardsize 5', 'clear_board', 'komi 7.5', 'genmove B', 'genmove W', 'undo', 'play W A1', 'showboard'];

async function main([program, ...parts]) {
  const engine = new Controller(program, parts);
  engine.start();
  const say = async (line, subscriber) => {
    const [name, ...args] = line.split(' ');
    const { error, content } = await engine.sendCommand({ name, args }, subscriber);
    if (error) throw new Error(`${line}: ${content}`);
    return content;
  };
  const commands = (await say('list_commands')).split('\n');
  console.log(await say('name'), await say('version'), `${commands.length} commands`);
  for (const line of GAME) await say(line);
  for (const line of ['lz-analyze B 1', 'kata-analyze W 1 ownership true']) {
    const milliseconds = [];
    for (let k = 0; k < INTERRUPTIONS; k++) {
      let analysis;
      await new Promise((shown) => {
        analysis = say(line, ({ line: text }) => text.startsWith('info move') && shown());
      });
      const began = performance.now();
      await say('name');
      milliseconds.push(performance.now() - began);
      await analysis;
    }
    milliseconds.sort((a, b) => a - b);
    const [median, worst] = [INTERRUPTIONS >> 1, INTERRUPTIONS - 1].map((k) => milliseconds[k].toFixed(1));
    console.log(`${line}: ended ${INTERRUPTIONS} times, median ${median} ms, worst ${worst} ms`);
  }
  await engine.stop();
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error);
  process.exit(1);
});
