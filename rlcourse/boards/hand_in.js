// The form at a sheet's end: it has the notebook saved, and then the kernel makes the file for the instructor.

function field(form, words, required) {
  const label = document.createElement("label");
  const input = document.createElement("input");
  label.textContent = `${words} `;
  label.style.cssText = "display: inline-block; margin: 0 16px 8px 0";
  input.required = required;
  input.autocomplete = "off";
  input.style.cssText = "font: inherit; padding: 3px 6px; color: inherit; background: transparent; border: 1px solid #888";
  label.append(input);
  form.append(label);
  return input;
}

function render({ model, el }) {
  const form = document.createElement("form");
  form.className = "rl-hand-in";
  form.style.cssText = "margin: 8px 0; color: var(--jp-content-font-color1, inherit)";
  const name = field(form, "Your name or student number", true);
  const code = field(form, "Your code, if you were given one", false);
  const button = document.createElement("button");
  button.textContent = `Save and hand in sheet ${model.get("sheet")}`;
  button.style.cssText = "font: inherit; padding: 4px 12px; color: #fff; background: #0b5394; border: 0; border-radius: 4px; cursor: pointer";
  const answer = document.createElement("pre");
  answer.setAttribute("role", "status");
  answer.style.cssText = "margin: 8px 0; white-space: pre-wrap; overflow-wrap: anywhere; color: inherit";
  form.append(button, answer);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    answer.textContent = "The sheet is being handed in ...";
    const request = { saved: null }; // filled by the course's extension of JupyterLab, where that is
    el.dispatchEvent(new CustomEvent("rlcourse-save", { bubbles: true, detail: request }));
    await Promise.resolve(request.saved).catch(() => {}); // the answer says when the file was saved last
    model.send({ name: name.value, code: code.value });
  });
  model.on("msg:custom", ({ text }) => {
    answer.textContent = text;
    button.disabled = false;
  });
  el.append(form);
}

export default { render };
