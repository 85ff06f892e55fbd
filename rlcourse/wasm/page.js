// A page with one board. The bots think in a worker, so the page never freezes; the rules run here, too.

const THINK = `
let players;
onmessage = async ({ data: { known, number, bot, position } }) => {
  if (known) return (players = Players.load(known));
  try {
    postMessage({ number, decision: (await players).decide(bot, position) });
  } catch (error) {
    postMessage({ number, failure: String(error) });
  }
};`;

// ask(bot, position) -> a promise of what the bot decides.
function thinkers(known) {
  const text = document.getElementById("engine").textContent + THINK;
  const worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
  const waiting = new Map();
  worker.postMessage({ known });
  worker.onmessage = ({ data: { number, decision, failure } }) => {
    const { resolve, reject } = waiting.get(number);
    waiting.delete(number);
    if (failure) reject(new Error(failure));
    else resolve(decision);
  };
  let asked = 0;
  return (bot, position) =>
    new Promise((resolve, reject) => {
      waiting.set(++asked, { resolve, reject });
      worker.postMessage({ number: asked, bot, position });
    });
}

async function open() {
  const known = JSON.parse(document.getElementById("known").textContent);
  const kernels = await Kernels.load(bytesOf(known.module));
  const referee = new Referee(known, gameOf(kernels, known), thinkers(known));
  await referee.queue;
  // ?opponent=Q-table begins with that bot.
  const asked = new URLSearchParams(location.search).get("opponent");
  referee.opponent = referee.bots.includes(asked) ? asked : known.opponent;
  await referee.refresh(true);
  render({ model: referee, el: document.getElementById("place") });
  document.getElementById("hint").addEventListener("click", () => referee.send({ type: "hint" }));
}

open();
