// Boards and sliders in JupyterLab and Notebook 7 when no kernel moves them: their last picture, and what to do to play on.
//
// An output of a board holds a live view and a still picture. JupyterLab shows the view, also when what it should show has
// ended with its kernel. This extension shows the picture until the view is there, and again when its kernel has gone; a
// notebook is saved with the pictures of the positions that its boards have reached; and a notebook that was only opened
// stays saved. The form that hands a sheet in has its notebook saved here. It is a module container written by hand
// (webpack.js.org/concepts/module-federation), so nothing is built.

const LIVE = "application/vnd.jupyter.widget-view+json";
const ENDED = ["autorestarting", "dead"]; // "restarting", asked for in the menu, the widget manager sees by itself
const AT_WORK = ["starting", "busy", "idle"]; // what a kernel says of itself; the rest is said by the server
const PATIENCE_MS = 15000; // a notebook without a kernel gets no widget manager, and is not told so

// The picture in an output's data, as an address for <img>, which runs no script; null where there is none.
function address(data) {
  if (data["image/svg+xml"]) return `data:image/svg+xml,${encodeURIComponent([].concat(data["image/svg+xml"]).join(""))}`;
  if (data["image/png"]) return `data:image/png;base64,${[].concat(data["image/png"]).join("").replace(/\s/g, "")}`;
  return null;
}

function words(data) {
  return [].concat(data["text/plain"] ?? "").join("");
}

function figure(data, sentence) {
  const image = new Image();
  image.src = address(data);
  image.alt = words(data);
  image.style.cssText = "display: block; max-width: 100%";
  const box = document.createElement("div");
  box.className = "rl-still";
  box.append(image);
  if (sentence) {
    const line = document.createElement("p");
    line.textContent = sentence;
    line.style.cssText = "margin: 6px 0; font-size: 16px; font-weight: 600; color: var(--jp-content-font-color1)";
    image.style.opacity = 0.6;
    box.prepend(line);
  }
  return box;
}

function ended(data) {
  if (data["text/html"]) return "Run this cell to hand in. In a new kernel, run all cells."; // no board has that
  const isFigure = [].concat(data["text/plain"] ?? "").join("").startsWith("Figure: ");
  const aim = isFigure ? "to move the sliders" : "to play on";
  return `Run this cell ${aim}. In a new kernel, run the cells above it first.`;
}

// Of several tabs with one notebook, the one that was used last saves it: two would ask which of them is right.
function used() {
  const others = new BroadcastChannel("rlcourse-tabs");
  let last = false;
  others.onmessage = () => (last = false);
  for (const kind of ["pointerdown", "keydown"]) {
    document.addEventListener(kind, () => {
      if (!last) others.postMessage("used");
      last = true;
    }, { capture: true, passive: true }); // prettier-ignore
  }
  return () => last;
}

// Pictures instead of dead views. `Renderer` is the class by which the widget manager shows its views.
function keepPictures(Renderer, inUse) {
  const boards = new Map(); // renderer -> {output, manager, widget}: those that are live
  const watched = new WeakSet();
  const { renderModel } = Renderer.prototype;

  const lay = (renderer, output, sentence) => {
    for (const view of [...renderer.widgets]) view.parent = null;
    renderer.node.replaceChildren(figure(output.data, sentence));
  };

  const store = ({ output, widget }) => {
    const still = widget.get("still");
    if (!still || Object.entries(still.data).every(([type, value]) => output.data[type] === value)) return;
    output.setData({ data: { ...output.data, ...still.data }, metadata: { ...output.metadata, ...still.metadata } });
  };

  const watch = (manager) => {
    const { context } = manager;
    if (!context || watched.has(manager)) return;
    watched.add(manager);
    context.saveState.connect((_, state) => {
      if (state !== "started") return;
      for (const board of boards.values()) if (board.manager === manager) store(board);
    });
    context.sessionContext.statusChanged.connect((_, status) => ENDED.includes(status) && manager.disconnect());
    context.sessionContext.kernelChanged.connect((_, change) => change.oldValue && manager.disconnect());
    let process = null; // the one that speaks as this kernel; restarted from another tab, it is a new one under the old name
    context.sessionContext.iopubMessage.connect((_, { header, content }) => {
      if (header.msg_type !== "status" || !AT_WORK.includes(content.execution_state)) return;
      if (process && process !== header.session) manager.disconnect();
      process = header.session;
    });
  };

  const follow = (renderer, output, manager, widget) => {
    const board = { output, manager, widget };
    const moved = () => inUse() && manager.context && (manager.context.model.dirty = true);
    const done = () => {
      boards.delete(renderer);
      widget.off("change:still", moved);
      widget.off("comm_live_update", lost);
    };
    const lost = () => {
      if (widget.comm_live) return;
      store(board); // while it counts as live: the change of its output draws it anew otherwise
      done();
      lay(renderer, output, ended(output.data));
    };
    boards.set(renderer, board);
    widget.on("change:still", moved);
    widget.on("comm_live_update", lost);
    renderer.disposed.connect(done);
  };

  Renderer.prototype.renderModel = async function (output) {
    const { model_id } = output.data[this.mimeType];
    if (!address(output.data) || !model_id || !this._manager?.promise) return renderModel.call(this, output);
    if (boards.get(this)?.widget.model_id === model_id) return; // only the picture behind the live view is another one
    const live = renderModel.call(this, output);
    lay(this, output, "");
    const patience = setTimeout(() => lay(this, output, ended(output.data)), PATIENCE_MS);
    const manager = await this._manager.promise;
    clearTimeout(patience);
    watch(manager);
    await live;
    if (this.isDisposed) return;
    const widget = manager.has_model(model_id) ? await manager.get_model(model_id) : null;
    if (widget?.comm_live) follow(this, output, manager, widget);
    else if (manager.restoredStatus || !manager.kernel) lay(this, output, ended(output.data));
    else lay(this, output, "Waiting for the kernel.");
  };
}

// In a dark theme a figure is dark, too: light and dark change places, hues stay.
const DARK = `[data-jp-theme-light="false"] :is(.rl-figure, .rl-sliders img) { filter: invert(0.9) hue-rotate(180deg); }`;

// The words inside a drawing, its title and its description; "" where it has none.
function spoken(data) {
  const drawn = new DOMParser().parseFromString([].concat(data["image/svg+xml"] ?? "").join(""), "image/svg+xml");
  return ["title", "desc"].map((part) => drawn.querySelector(`svg > ${part}`)?.textContent).filter(Boolean).join(". ");
}

// A figure of the course has words in its metadata, where JupyterLab reads only its size. A position has them in its drawing,
// where its text would be code; other drawings have them beside them.
function describe(node, { data, metadata }) {
  const alt = metadata["image/png"]?.alt;
  for (const image of node.querySelectorAll("img")) {
    if (alt) image.classList.add("rl-figure");
    if (alt || data["image/svg+xml"]) image.alt = alt ?? (spoken(data) || words(data));
  }
}

// The pictures also in notebooks that are not trusted, where views are not shown: an <img> runs no script.
function drawUntrusted(registry) {
  for (const type of ["image/svg+xml", "image/png"]) {
    const ordinary = registry.getFactory(type);
    const createRenderer = (options) => {
      const renderer = ordinary.createRenderer(options);
      const { renderModel } = renderer;
      renderer.renderModel = async (output) => {
        if (output.trusted || (ordinary.safe && !output.data[LIVE])) await renderModel.call(renderer, output);
        else renderer.node.replaceChildren(figure(output.data, output.data[LIVE] ? ended(output.data) : ""));
        describe(renderer.node, output);
      };
      return renderer;
    };
    registry.addFactory({ ...ordinary, safe: true, mimeTypes: [type], createRenderer }, ordinary.defaultRank);
  }
}

// What distinguishes a notebook from what it was when opened, besides what every kernel writes into it.
function essence(model) {
  const { cells, metadata } = model.toJSON();
  const { language_info, kernelspec, ...own } = metadata;
  return JSON.stringify([cells, own, kernelspec?.name]);
}

// A notebook that was only opened has nothing to save: the kernel's own description in it is no change.
async function openSaved({ context }) {
  await context.ready;
  const { model } = context;
  if (model.dirty) return;
  const opened = essence(model);
  const look = (_, change) => {
    if (change.name !== "dirty" || !change.newValue) return;
    if (essence(model) === opened) Promise.resolve().then(() => (model.dirty = false));
    else model.stateChanged.disconnect(look);
  };
  model.stateChanged.connect(look);
}

// The module `name` as the application shares it; null where it has none.
async function shared(scope, name) {
  const versions = Object.values(scope[name] ?? {});
  return versions.length ? (await versions[0].get())() : null;
}

let scope = null;

async function plugins() {
  const [base, rendermime, notebook] = await Promise.all(
    ["@jupyter-widgets/base", "@jupyterlab/rendermime", "@jupyterlab/notebook"].map((name) => shared(scope, name)),
  );
  if (!base || !rendermime || !notebook) return [];
  const activate = (app, registry, widgets, tracker) => {
    if (!registry || !widgets || !tracker) return; // Voila has no notebooks
    const { constructor } = registry.createRenderer(LIVE);
    keepPictures(constructor, used());
    drawUntrusted(registry);
    document.head.appendChild(document.createElement("style")).textContent = DARK;
    document.addEventListener("rlcourse-save", ({ target, detail }) => {
      const panel = tracker.find(({ node }) => node.contains(target));
      if (panel) detail.saved = panel.context.save();
    });
    tracker.forEach(openSaved);
    tracker.widgetAdded.connect((_, panel) => openSaved(panel));
  };
  const optional = [rendermime.IRenderMimeRegistry, base.IJupyterWidgetRegistry, notebook.INotebookTracker];
  return [{ id: "rlcourse:boards", autoStart: true, optional, activate }];
}

window._JUPYTERLAB = window._JUPYTERLAB ?? {};
window._JUPYTERLAB.rlcourse = {
  init: (given) => void (scope = given),
  get: async () => {
    const all = await plugins();
    return () => ({ __esModule: true, default: all });
  },
};
