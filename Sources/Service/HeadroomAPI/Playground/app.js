// The page: reads the state, sends requests to the service, and shows the responses.

import { showCards } from "./cards.js";
import { build, complain, focusControl, forgive, make, show } from "./controls.js";
import { showForms } from "./copy.js";
import { drawPlan, legend } from "./drawing.js";
import { choosePoint, pointOf, showPoint } from "./focal.js";
import { measure } from "./formats.js";
import { receive } from "./incoming.js";
import { busy, causes, progress, say } from "./messages.js";
import { LABELS, NAMES } from "./parameters.js";
import { inCopy, kilobytes, reduced, whole } from "./image.js";
import { faceLines, facesSummary, makePlan, planKey, subjectLines } from "./plan.js";
import * as result from "./result.js";
import { Refusal, ask, authorize, secondsToSend } from "./service.js";
import { FIRST_SHAPE, pairs, read, write } from "./state.js";

const at = (id) => document.getElementById(id);
/** Maximum upload time in seconds. A file that takes longer is replaced by its copy, and sent only on request. */
const SLOW = 3;

let state = read();
/** `{url}` or `{blob, name, copy}`; nil without an image. */
let source = null;
/** The URL of the whole image for the browser, and the URL of a smaller image for drawings. */
let imageURL = "";
let thumbnail = "";
/** The result of `makePlan`, and the key of its state. */
let plan = null;
let planned = "";
let lastChanged = "";
let running = new AbortController();
let timer = 0;

// MARK: The image

async function load(next) {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  clear();
  const options = { signal, progress: progress(next.blob) };
  try {
    if (next.blob && await showImage(next.blob)) {
      await copied(next, signal);
    } else {
      say(next.url ? "Fetching the image …" : "The service converts the image …");
      if (!await showImage(await whole(next, options))) throw new Refusal("This browser cannot show this image.");
    }
    if (signal.aborted) return;
    source = next;
    await update();
  } catch (refusal) {
    if (refusal.name !== "AbortError") failSource(refusal);
  }
}

/** Removes everything that belongs to the previous image. */
function clear() {
  source = plan = null;
  planned = "";
  busy(true);
  result.clear();
  forgive();
  for (const id of ["overlay", "legend", "cards", "faces", "formats"]) at(id).replaceChildren();
  for (const id of ["faces-box", "copy", "files", "focal", "source-problem", "problem", "exact", "work"]) at(id).hidden = true;
  document.body.classList.remove("loaded");
}

/** Shows a file as the image; returns false if the browser cannot show it. */
async function showImage(blob) {
  if (imageURL) URL.revokeObjectURL(imageURL);
  imageURL = URL.createObjectURL(blob);
  useThumbnail(null);
  at("image").src = imageURL;
  try {
    await at("image").decode();
  } catch {
    return false;
  }
  at("work").hidden = false;
  document.body.classList.add("loaded");
  layOut();
  return true;
}

/** Creates the copy of a file, if copies are enabled and the copy is smaller. */
async function copied(next, signal) {
  next.copy = null;
  if (at("reduce").checked) next.copy = await reduced(next.blob);
  if (!signal.aborted) useThumbnail(next.copy);
}

function useThumbnail(copy) {
  if (thumbnail && thumbnail !== imageURL) URL.revokeObjectURL(thumbnail);
  thumbnail = copy ? URL.createObjectURL(copy.blob) : imageURL;
}

async function take(file) {
  if (!file) return;
  if (!file.size) return failSource(new Refusal(`The file ${file.name} is empty: choose another file.`));
  setState({ ...state, url: "", sample: "" });
  at("url").value = "";
  await load({ blob: file, name: file.name || "image.jpg" });
}

async function loadAddress(url) {
  at("url").value = url;
  setState({ ...state, url, sample: "" });
  await load({ url });
}

async function loadSample() {
  busy(true);
  const response = await fetch("playground/scene.jpg");
  await load({ blob: await response.blob(), name: "scene.jpg" });
}

/** Loads the image that the fragment names. */
async function restore() {
  const next = read();
  if (source && JSON.stringify(next) === JSON.stringify(state)) return;
  state = next;
  show(state);
  at("url").value = state.url ?? "";
  busy(false);
  if (state.url && source?.url !== state.url) return load({ url: state.url });
  if (state.sample && source?.name !== "scene.jpg") return loadSample();
  if (source) await update();
}

// MARK: State

/** Adds an entry to the history. */
function setState(next) {
  state = Object.fromEntries(Object.entries(next).filter(([, value]) => value));
  write(state, false);
  show(state);
}

function change(name, value, isTyped = false) {
  if ((state[name] ?? "") === value) {
    if (!isTyped && timer) update();
    return;
  }
  lastChanged = name;
  if (source) busy(true);
  state = { ...state, [name]: value };
  if (!value) delete state[name];
  show(state);
  clearTimeout(timer);
  timer = setTimeout(update, isTyped ? 500 : 150);
}

function choose(shape) {
  const next = { ...state, aspect: shape };
  // Width and height together have their own aspect ratio.
  if (next.width && next.height) delete next.height;
  lastChanged = "aspect";
  setState(next);
  update();
}

// MARK: Asking

async function update() {
  clearTimeout(timer);
  timer = 0;
  write(state, true);
  if (!source) return;
  running.abort();
  running = new AbortController();
  const { signal } = running;
  forgive();
  at("problem").hidden = true;
  busy(true);
  try {
    const refused = await updatePlan(signal);
    await makeResult(signal, false);
    if (refused) throw refused;
    busy(false);
  } catch (refusal) {
    if (refusal.name !== "AbortError") fail(refusal);
  }
}

/** Updates the plan if it changes. Returns a refusal of parameters: the request for the result explains it better. */
async function updatePlan(signal) {
  const key = planKey(state);
  if (key !== planned) {
    say("Finding faces …");
    const size = { width: at("image").naturalWidth, height: at("image").naturalHeight };
    try {
      plan = await makePlan(state, source, size, { signal, progress: progress(source.copy?.blob ?? source.blob) });
    } catch (refusal) {
      if (refusal.status === 400) return refusal;
      throw refusal;
    }
    planned = key;
  }
  renderPlan();
  return null;
}

/** Creates the result from the file, or from its copy while sending the file is slow. */
async function makeResult(signal, isExact) {
  const { blob, copy } = source;
  const isPreview = !isExact && Boolean(copy) && secondsToSend(blob) > SLOW;
  const query = isPreview ? inCopy(pairs(state), copy.width / at("image").naturalWidth) : pairs(state);
  const sent = isPreview ? { blob: copy.blob } : source;
  say(isPreview ? "Making a preview …" : "Making the output …");
  const response = await ask("frame", sent, query, { signal, progress: progress(sent.blob) });
  await result.finished(response, isPreview, signal);
  if (signal.aborted) return;
  at("exact").hidden = !isPreview;
  if (isPreview) at("exact").textContent = `Use the file: ${kilobytes(blob.size)}, about ${Math.ceil(secondsToSend(blob))} s`;
  const worked = isPreview ? "" : ` · ${Math.round(response.milliseconds)} ms`;
  say(`${result.facts()}${worked}`);
  at("copy").hidden = at("files").hidden = false;
  at("formats").replaceChildren();
  renderForms();
}

async function makeExact() {
  if (result.current() && !result.current().isPreview) return;
  running.abort();
  running = new AbortController();
  busy(true);
  try {
    await makeResult(running.signal, true);
    busy(false);
  } catch (refusal) {
    if (refusal.name !== "AbortError") fail(refusal);
    throw refusal;
  }
}

// MARK: Saying

/** Shows an error next to the controls of its parameters, and a pointer to it below the image. */
function fail(refusal) {
  const message = refusal instanceof Refusal ? refusal.message : `This page failed: ${refusal.message}`;
  say("");
  busy(false);
  at("outcome").classList.add("stale");
  if (refusal.status === 401) askForSecret();
  const found = causes(refusal, state);
  if (found.some(({ parameter }) => parameter === "url")) return failSource(refusal);
  const placed = found.filter(({ parameter, detail }) => complain(parameter, detail));
  at("problem").replaceChildren(...placed.length ? ["Not valid:", ...placed.map(({ parameter }) => {
    const link = make("button", { type: "button", className: "link", textContent: LABELS.get(parameter) });
    link.addEventListener("click", () => focusControl(parameter));
    return link;
  })] : [message]);
  at("problem").hidden = false;
  if (placed.some(({ parameter }) => parameter === lastChanged)) {
    at(`parameter-${lastChanged}-error`).scrollIntoView({ block: "nearest" });
  }
}

/** Shows an error of the image and removes everything that belongs to the previous image. */
function failSource(refusal) {
  clear();
  busy(false);
  say("");
  at("source-problem").textContent = refusal instanceof Refusal ? refusal.message : `This page failed: ${refusal.message}`;
  at("source-problem").hidden = false;
  at("source").scrollIntoView({ block: "nearest" });
  if (refusal.status === 401) askForSecret();
}

function askForSecret() {
  if (at("secret-form")) return;
  at("source").append(at("secret-template").content.cloneNode(true));
  at("secret-form").addEventListener("submit", (event) => {
    event.preventDefault();
    authorize(at("secret").value);
    at("secret-form").remove();
    if (source) update();
    else restore();
  });
}

// MARK: Showing

/** Images side by side have the same height; wide images are stacked. */
function layOut() {
  const { naturalWidth, naturalHeight } = at("image");
  const own = naturalWidth / naturalHeight || 1;
  const [across, down = 1] = (state.aspect ?? "").split(":").map(Number);
  const other = result.ratio() || Math.min(10, Math.max(0.1, across / down)) || own;
  at("stage").style.setProperty("--ratio", own);
  at("outcome").style.setProperty("--ratio", other);
  at("pair").style.setProperty("--sum", own + other);
  at("pair").classList.toggle("stacked", own + other > 4);
  drawOverlay();
}

function drawOverlay() {
  if (plan && source) drawPlan(at("overlay"), plan.plan, at("image").clientWidth);
}

function renderPlan() {
  result.planned(thumbnail, plan.plan, state);
  layOut();
  const isPoint = Boolean(pointOf(state.gravity));
  showPoint(at("focal"), state.gravity);
  at("focal-hint").replaceChildren(...isPoint
    ? ["Drag the focal point, or move it with the arrow keys (Shift: larger steps). ", facesAgain()]
    : ["Click the image to set a focal point, or ", centred(), "."]);
  at("legend").replaceChildren(...legend(at("overlay")).map(([kind, meaning]) =>
    make("li", { className: kind, textContent: meaning })));
  at("faces-title").textContent = `${facesSummary(plan.plan)}.`;
  const copy = source.copy ? [`Faces were detected in a copy of ${source.copy.width} × ${source.copy.height} pixels (${kilobytes(source.copy.blob.size)}).`] : [];
  const { name, milliseconds } = plan.plan.detector ?? {};
  const searched = name ? [`Detector ${name}, ${Math.round(milliseconds)} ms.`] : [];
  const { decision, crop } = plan.plan.crops[0];
  at("faces").replaceChildren(...[...faceLines(plan.plan), ...subjectLines(plan.plan),
    `Decision: ${decision}. Crop ${crop.width} × ${crop.height} at ${crop.x}, ${crop.y}.`, ...searched, ...copy,
  ].map((textContent) => make("li", { textContent })));
  at("faces-box").hidden = false;
  showCards(at("cards"), thumbnail, plan.plan, plan.shapes, state, choose);
}

function facesAgain() {
  const button = make("button", { type: "button", className: "link", textContent: "Frame faces instead" });
  button.addEventListener("click", () => change("gravity", ""));
  return button;
}

/** The button that sets the focal point without a pointer; the arrow keys then move it. */
function centred() {
  const button = make("button", { type: "button", className: "link", textContent: "set it with the keyboard" });
  button.addEventListener("click", () => {
    change("gravity", "point:0.5,0.5");
    showPoint(at("focal"), state.gravity);
    at("focal").focus({ preventScroll: true });
  });
  return button;
}

const renderForms = showForms(at("tabs"), at("snippet"), at("base"),
  () => ({ state, source, plan: plan?.plan, result: result.current() }));

// MARK: Events

at("file").addEventListener("change", () => {
  take(at("file").files[0]);
  // The same file may be chosen again.
  at("file").value = "";
});
at("sample").addEventListener("click", () => {
  setState({ ...state, url: "", sample: "scene" });
  at("url").value = "";
  loadSample();
});
at("url-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const url = at("url").value.trim();
  if (url) loadAddress(url);
  else failSource(new Refusal("Enter the URL of an image first."));
});
at("reduce").addEventListener("change", async () => {
  if (!source?.blob) return;
  await copied(source, running.signal);
  planned = "";
  update();
});
at("reset").addEventListener("click", () => {
  setState({ ...Object.fromEntries(Object.entries(state).filter(([name]) => !NAMES.includes(name))), aspect: FIRST_SHAPE });
  update();
});
at("exact").addEventListener("click", () => makeExact().catch(() => {}));
at("download").addEventListener("click", async () => {
  try {
    await makeExact();
    result.download(source.url ?? source.name);
  } catch {
    // The error is shown.
  }
});
at("measure").addEventListener("click", () => {
  if (source) measure(at("formats"), state, source, { progress: progress(source.blob) }).finally(() => { at("progress").hidden = true; });
});
choosePoint(at("stage"), at("focal"), () => state.gravity, (gravity) => change("gravity", gravity));
new ResizeObserver(drawOverlay).observe(at("image"));
addEventListener("resultchange", layOut);
addEventListener("popstate", restore);
addEventListener("hashchange", restore);
receive({
  file: take,
  link: loadAddress,
  nothing: () => failSource(new Refusal("Only an image or a link can be dropped here.")),
});

build(at("controls"), change);
at("faces-box").open = matchMedia("(width >= 60rem)").matches;
show(state);
restore();
