// The page: reads the state, asks the server, and shows the answers.

import { build, show } from "./controls.js";
import { copy, snippets } from "./copy.js";
import { drawCrop, drawPlan } from "./drawing.js";
import { SHAPES } from "./parameters.js";
import { Refusal, address, ask, authorize } from "./service.js";
import { pairs, read, write } from "./state.js";

const at = (id) => document.getElementById(id);
const SECTIONS = ["result", "shapes", "files", "copy"].map(at);
const MEGAPIXEL = 1e6;
const FORMATS = ["jpeg", "png", "webp", "avif", "gif"];
/** The whole picture as every browser shows it, without detection. */
const WHOLE = [["gravity", "center"], ["width", "1600"], ["format", "jpeg"]];

let state = read();
/** `{url}` or `{blob, name}`; nil without a picture. */
let source = null;
/** The address at which the browser shows the whole picture. */
let picture = "";
let plan = null;
let running = new AbortController();
let timer = 0;

// MARK: The picture

async function load(next) {
  source = null;
  say("Loading the picture …");
  try {
    if (next.url) {
      // Fetched through the server: this page loads nothing from elsewhere.
      const { body } = await ask("frame", next, WHOLE);
      showPicture(body);
    } else {
      showPicture(next.blob);
    }
    source = next;
    await update();
  } catch (refusal) {
    fail(refusal);
  }
}

function showPicture(blob) {
  if (picture) URL.revokeObjectURL(picture);
  picture = URL.createObjectURL(blob);
  at("picture").src = picture;
}

/** A format that the browser does not show: the server's JPEG stands in for it. */
at("picture").addEventListener("error", async () => {
  if (!source?.blob || source.isShownByServer) return;
  source.isShownByServer = true;
  try {
    showPicture((await ask("frame", source, WHOLE)).body);
    if (plan) render();
  } catch {
    // The plan's own error is shown.
  }
});

async function take(file) {
  if (!file) return;
  let blob = file;
  if (at("reduce").checked) blob = await reduced(file);
  setState({ ...state, url: "", sample: "" });
  await load({ blob, name: file.name || "picture" });
}

/** A file of at most four megapixels; the file itself if it is smaller or the browser cannot read it. */
async function reduced(file) {
  try {
    const bitmap = await createImageBitmap(file);
    const scale = Math.sqrt(4 * MEGAPIXEL / (bitmap.width * bitmap.height));
    if (scale >= 1) return file;
    const canvas = Object.assign(document.createElement("canvas"), {
      width: Math.round(bitmap.width * scale), height: Math.round(bitmap.height * scale),
    });
    canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? file), "image/jpeg", 0.92));
  } catch {
    return file;
  }
}

async function loadSample() {
  const response = await fetch("playground/scene.jpg");
  await load({ blob: await response.blob(), name: "scene.jpg" });
}

/** Loads the picture that the fragment names. */
async function restore() {
  state = read();
  show(state);
  at("url").value = state.url ?? "";
  if (state.url && source?.url !== state.url) return load({ url: state.url });
  if (state.sample && source?.name !== "scene.jpg") return loadSample();
  if (source) await update();
}

// MARK: State

function setState(next, replaces = false) {
  state = next;
  write(state, replaces);
  show(state);
}

function change(name, value, replaces = true) {
  const next = { ...state, [name]: value };
  if (!value) delete next[name];
  setState(next, replaces);
  schedule();
}

function schedule() {
  clearTimeout(timer);
  timer = setTimeout(update, 150);
}

// MARK: Asking

async function update() {
  clearTimeout(timer);
  if (!source) return;
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const json = async (query) => {
    const answer = await ask("frame", source, [...query, ["format", "json"]], { signal });
    return { ...answer, plan: JSON.parse(await answer.body.text()) };
  };
  say("Working …");
  try {
    const shapes = [...new Set([...SHAPES, state.aspect].filter(Boolean))].filter((shape) => !shape.includes(","));
    const main = await json(pairs(state, "format"));
    plan = main.plan;
    const others = state.fit === "inside" ? main
      : await json([...pairs(state, "format", "aspect", "width", "height"), ["aspect", shapes.join(",")]]);
    at("problem").hidden = true;
    render(main, others.plan.crops.map((crop, index) => [others === main ? crop.aspect : shapes[index], crop]));
    await renderSnippets(signal);
  } catch (refusal) {
    if (refusal.name !== "AbortError") fail(refusal);
  }
}

function fail(refusal) {
  say("");
  at("problem").textContent = refusal instanceof Refusal ? refusal.message : `This page failed: ${refusal.message}`;
  at("problem").hidden = false;
  if (refusal.status === 401 && !at("secret-form")) askForSecret();
}

function askForSecret() {
  at("secret-template").after(at("secret-template").content.cloneNode(true));
  at("secret-form").addEventListener("submit", (event) => {
    event.preventDefault();
    authorize(at("secret").value);
    restore();
  });
}

function say(text) { at("status").textContent = text; }

// MARK: Showing

function render(main, shapes) {
  for (const section of SECTIONS) section.hidden = false;
  const shown = at("picture").clientWidth || 800;
  drawPlan(at("overlay"), plan, plan.source.width / shown);
  showFocal();
  if (!main) return;
  const { width, height, format } = plan.source;
  const detector = plan.detector ? `${plan.detector.name} detector, ${plan.detector.milliseconds} ms` : "no detection";
  say(`${width} × ${height} ${format}; ${detector}; answered in ${Math.round(main.milliseconds)} ms.`);
  const crop = plan.crops[0];
  at("decision").textContent = `Decision: ${plan.decision}. Crop ${crop.crop.width} × ${crop.crop.height} at `
    + `${crop.crop.x}, ${crop.crop.y}; result ${crop.output.width} × ${crop.output.height}.`;
  at("faces").replaceChildren(...faceLines(crop).map((text) => item(text)));
  renderCards(shapes);
  at("formats").replaceChildren();
}

function faceLines(crop) {
  if (!plan.faces.length) {
    return [plan.detector ? "No face was found: the fallback decides." : "No faces were searched for: this gravity needs none."];
  }
  return plan.faces.map((face, index) => {
    const { outcome, reason, visible } = crop.faces[index];
    const pose = face.pose ? `, ${face.pose}` : "";
    const why = {
      kept: "kept",
      cut: `cut (${reason === "tooLarge" ? "the head is larger than any crop of this shape" : "it lies outside of the best crop"}; `
        + `${Math.round(visible * 100)} % of the head is visible)`,
      ignored: "ignored, because of gravity",
    }[outcome];
    return `Face ${index + 1}: ${why}. Confidence ${face.confidence.toFixed(2)}${pose}.`;
  });
}

function item(text) {
  const made = document.createElement("li");
  made.textContent = text;
  return made;
}

function renderCards(shapes) {
  const focused = document.activeElement?.closest?.(".card")?.dataset.shape;
  at("cards").replaceChildren(...shapes.map(([shape, crop]) => {
    const kept = crop.faces.filter((face) => face.outcome === "kept").length;
    const card = document.createElement("button");
    Object.assign(card, { type: "button", className: "card" });
    card.dataset.shape = shape;
    card.setAttribute("aria-pressed", String(shape === state.aspect));
    const heads = crop.faces.length ? `${kept} of ${crop.faces.length} heads` : crop.decision;
    const caption = document.createElement("span");
    caption.innerText = shape;
    const detail = document.createElement("small");
    detail.textContent = `${crop.output.width} × ${crop.output.height}, ${heads}`;
    card.append(drawCrop(picture, plan.source, crop, state), caption, detail);
    card.addEventListener("click", () => change("aspect", shape, false));
    return card;
  }));
  if (focused) at("cards").querySelector(`[data-shape="${CSS.escape(focused)}"]`)?.focus();
}

async function renderSnippets(signal) {
  const all = await snippets(state, source, plan, signal);
  at("snippets").replaceChildren(...all.map(([title, text, hint]) => {
    const made = document.createElement("div");
    made.className = "snippet";
    const heading = document.createElement("h3");
    heading.textContent = title;
    const block = document.createElement("pre");
    block.tabIndex = 0;
    block.textContent = text;
    block.setAttribute("aria-label", title);
    block.setAttribute("role", "region");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.setAttribute("aria-label", `Copy ${title}`);
    button.addEventListener("click", async () => say(await copy(text, block)));
    made.append(heading);
    if (text) made.append(button, block);
    if (hint) made.append(Object.assign(document.createElement("p"), { className: "hint", textContent: hint }));
    return made;
  }));
}

// MARK: Files

at("measure").addEventListener("click", async () => {
  if (!source) return;
  const rows = at("formats");
  rows.replaceChildren();
  for (const format of FORMATS) {
    const row = rows.insertRow();
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = format;
    row.append(head);
    try {
      const query = [...pairs(state, "format"), ["format", format]];
      const { response, body, milliseconds } = await ask("frame", source, query);
      const bitmap = await createImageBitmap(body);
      const times = (response.headers.get("Server-Timing") ?? "").replaceAll(";dur=", " ");
      const link = Object.assign(document.createElement("a"), {
        href: URL.createObjectURL(body), download: `crop.${format === "jpeg" ? "jpg" : format}`,
        textContent: `${body.size.toLocaleString("en")} bytes`,
      });
      row.insertCell().textContent = `${bitmap.width} × ${bitmap.height}`;
      row.insertCell().append(link);
      row.insertCell().textContent = `${Math.round(milliseconds)} ms`;
      row.insertCell().textContent = times && `${times} (ms)`;
    } catch (refusal) {
      const cell = row.insertCell();
      cell.colSpan = 4;
      cell.textContent = refusal.message;
    }
  }
});

// MARK: The focal point

function focalPoint() {
  const match = /^point:([\d.]+),([\d.]+)$/.exec(state.gravity ?? "");
  return match ? { x: Number(match[1]), y: Number(match[2]) } : null;
}

function showFocal() {
  const point = focalPoint();
  at("focal").hidden = at("focal-hint").hidden = !point;
  if (!point) return;
  at("focal").style.left = `${point.x * 100}%`;
  at("focal").style.top = `${point.y * 100}%`;
  at("focal").setAttribute("aria-label",
    `Focal point, ${Math.round(point.x * 100)} % from the left, ${Math.round(point.y * 100)} % from the top`);
}

function moveFocal(x, y) {
  const bounded = (number) => Math.min(1, Math.max(0, Math.round(number * 1000) / 1000));
  change("gravity", `point:${bounded(x)},${bounded(y)}`);
  showFocal();
}

at("focal").addEventListener("pointerdown", (event) => at("focal").setPointerCapture(event.pointerId));
at("focal").addEventListener("pointermove", (event) => {
  if (!at("focal").hasPointerCapture(event.pointerId)) return;
  const stage = at("stage").getBoundingClientRect();
  moveFocal((event.clientX - stage.left) / stage.width, (event.clientY - stage.top) / stage.height);
});
at("focal").addEventListener("keydown", (event) => {
  const step = event.shiftKey ? 0.1 : 0.01;
  const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
  const point = focalPoint();
  if (!by || !point) return;
  event.preventDefault();
  moveFocal(point.x + by[0], point.y + by[1]);
});

// MARK: Events

at("file").addEventListener("change", () => take(at("file").files[0]));
at("sample").addEventListener("click", async () => {
  setState({ ...state, url: "", sample: "scene" });
  await loadSample();
});
at("url-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const url = at("url").value.trim();
  if (!url) return fail(new Refusal("Enter the address of a picture first.", 0));
  setState({ ...state, url, sample: "" });
  await load({ url });
});
at("reset").addEventListener("click", () => {
  setState({ url: state.url, sample: state.sample, aspect: "16:9" });
  update();
});
at("picture").addEventListener("load", () => { if (plan && source) render(); });
addEventListener("popstate", restore);
addEventListener("hashchange", restore);
addEventListener("resize", () => { if (plan && source) render(); });
addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  take(event.dataTransfer.files[0]);
});
addEventListener("paste", (event) => {
  const file = [...(event.clipboardData?.files ?? [])].find((found) => found.type.startsWith("image/"));
  if (file) return take(file);
  const text = event.clipboardData?.getData("text") ?? "";
  if (!/^https?:\/\//.test(text) || event.target.matches("input")) return;
  at("url").value = text.trim();
  at("url-form").requestSubmit();
});

build(at("controls"), change);
show(state);
restore();
