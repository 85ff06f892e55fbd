// A prediction is a quotation with a list of answers and a folded box with the right one. Here the
// answers can be chosen, the page remembers the choice, and only then the box opens.
for (const question of document.querySelectorAll('blockquote')) {
  const answers = [...question.querySelectorAll(':scope > ul > li')];
  const box = question.querySelector(':scope > details');
  const verdict = box?.querySelector('strong')?.textContent ?? '';  // such as "(b) is right."
  if (!/^\([a-z]\) /.test(verdict) || !answers.length) continue;

  const key = `rlcourse: ${question.querySelector('p').textContent}`;
  const summary = box.querySelector('summary');
  const result = document.createElement('p');
  result.setAttribute('role', 'status');
  box.before(result);
  summary.textContent = 'The answer opens when you have chosen';

  const show = (choice, open) => {
    question.dataset.chosen = choice;
    summary.textContent = 'The answer';
    box.open ||= open;
    result.textContent = `You said ${choice}, ${verdict.startsWith(choice) ? 'and' : 'but'} ${verdict}`;
  };

  for (const answer of answers) {
    const choice = answer.textContent.trim().slice(0, 3);
    const label = document.createElement('label');
    const button = Object.assign(document.createElement('input'), {
      type: 'radio', name: key, value: choice, checked: recall(key) === choice,
    });
    label.append(button, ...answer.childNodes);
    answer.append(label);
    button.addEventListener('change', () => {
      remember(key, choice);
      show(choice, true);
    });
    if (button.checked) show(choice, false);
  }
  summary.addEventListener('click', (event) => {
    if (!question.dataset.chosen) event.preventDefault();
  });
}

// A browser may refuse to remember anything; then the page forgets when it is closed.
function remember(key, choice) {
  try { localStorage.setItem(key, choice); } catch { /* forgotten */ }
}

function recall(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}
