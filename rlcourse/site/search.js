// Every section of the course in which each of the words stands, or a word that begins like it. Words
// that stand nearly everywhere are looked for in headings alone.
const { pages, sections, words, common } = JSON.parse(document.getElementById('index').textContent);
const field = document.getElementById('words');
const found = document.getElementById('found');
const MOST = 40;

const places = new Map();
const pairs = words.split(' ');
for (let k = 0; k < pairs.length; k += 2) {
  let place = 0;
  places.set(pairs[k], pairs[k + 1].split(',').map((step) => (place += Number(step))));
}

// The sections that fit, the best first: a word counts 1 in a text and 4 in a heading.
function fitting(asked) {
  const rare = asked.filter((part) => !common.includes(part));
  const holding = rare.map((part) => {
    const here = new Set();
    for (const [word, at] of places) if (word.startsWith(part)) at.forEach((one) => here.add(one));
    return here;
  });
  return sections
    .map((section, number) => {
      const heading = section[2].toLowerCase();
      const named = asked.filter((part) => heading.includes(part)).length;
      const fits = rare.length ? holding.every((here) => here.has(number)) : named === asked.length;
      return { section, score: fits ? 1 + 3 * named : 0 };
    })
    .filter(({ score }) => score)
    .sort((a, b) => b.score - a.score)
    .map(({ section }) => section);
}

function entry([page, anchor, heading, beginning]) {
  const [address, title] = pages[page];
  const item = document.createElement('li');
  const href = `${address}#${anchor}`;
  const link = Object.assign(document.createElement('a'), { href, textContent: heading });
  const text = Object.assign(document.createElement('p'), { textContent: beginning });
  item.append(link, title === heading ? '' : ` in ${title}`, text);
  return item;
}

function search() {
  const asked = field.value.toLowerCase().match(/[\p{L}][\p{L}\p{N}_-]*/gu) ?? [];
  const hits = asked.length ? fitting(asked) : [];
  found.replaceChildren(...hits.slice(0, MOST).map(entry));
  const more = hits.length > MOST ? `, the best ${MOST} of them here` : '';
  document.getElementById('count').textContent =
    asked.length ? `${hits.length} section${hits.length === 1 ? '' : 's'}${more}` : '';
}

field.value = new URLSearchParams(location.search).get('q') ?? '';
field.addEventListener('input', search);
search();
