// The page of a clip: frames with their crops, manual changes, and the plan to download.

import { draw, frameImage, open, seek, times } from "./clip-frames.js";
import { cropSize, Edits, link, path, planDocument } from "./clip-plan.js";
import { ask, authorize } from "./service.js";

const at = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const svg = (name, attributes) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

let clip = null;
let video = null;
let frames = [];
let edits = new Edits();
let current = 0;
let shown = [];
/** Counts the clips, so that responses about an earlier clip are not shown. */
let turn = 0;

const size = () => ({ width: video.videoWidth, height: video.videoHeight });
const aspect = () => at("aspect").value;

function fail(error) {
  at("problem").hidden = !error;
  at("problem").textContent = error?.message ?? "";
  at("secret-form").hidden = error?.status !== 401;
}

async function load(file) {
  const own = ++turn;
  fail(null);
  if (video) URL.revokeObjectURL(video.src);
  at("status").textContent = "Opening the clip…";
  try {
    const opened = await open(file);
    if (own !== turn) return;
    [clip, video, frames, current] = [file, opened, [], 0];
    document.body.classList.add("loaded");
    at("work").hidden = false;
    at("stage").style.setProperty("--ratio", `${video.videoWidth / video.videoHeight}`);
    await read(own);
  } catch (error) {
    if (own === turn) { fail(error); at("status").textContent = ""; }
  }
}

/** Reads frames, and sends a request for each frame to the service. */
async function read(own) {
  const moments = times(video);
  const query = [["aspect", aspect()], ["format", "json"]];
  for (const [index, time] of moments.entries()) {
    await seek(video, time);
    const { blob, scale, thumb } = await frameImage(video);
    const { body } = await ask("frame", { blob }, query);
    const plan = JSON.parse(await body.text());
    if (own !== turn) return;
    const large = ({ x, y, width, height }) => ({ x: x / scale, y: y / scale, width: width / scale, height: height / scale });
    frames.push({ time, thumb, heads: plan.faces.map(({ head }) => large(head)), crop: large(plan.crops[0].crop) });
    at("status").textContent = `Frame ${index + 1} of ${moments.length}`;
    if (index === 0) await show(0);
  }
  link(frames);
  at("status").textContent = `${frames.length} frames, every ${(moments[1] ?? 0).toFixed(2)} s`;
  render();
  await show(0);
}

// Display

function render() {
  if (!frames.length) return;
  shown = path(frames, size(), aspect(), edits);
  at("time").max = `${frames.length - 1}`;
  const strip = frames.map((frame, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(frame.thumb);
    button.setAttribute("aria-label", `Frame at ${frame.time.toFixed(1)} s`);
    button.classList.toggle("key", edits.crops.has(frame.time));
    button.onclick = () => show(index);
    return button;
  });
  at("strip").replaceChildren(...strip);
  drawPath();
  const [crops, people] = [edits.crops.size, edits.shots.length];
  at("edits").textContent = edits.count ? `Changed: ${crops} keyframe${crops === 1 ? "" : "s"}, ${people} shot${people === 1 ? "" : "s"} with a picked person.` : "";
  at("undo").disabled = edits.past.length === 0;
  at("command").textContent = `headroom reframe '${(clip?.name ?? "clip.mp4").replaceAll("'", "'\\''")}' --plan-from plan.json --output out.mp4`;
  mark();
}

function drawPath() {
  const [across, down] = [Math.max(1, frames.length - 1), 100];
  const crop = cropSize(size(), aspect());
  const along = crop.width < size().width - 1 ? ["x", size().width - crop.width] : ["y", Math.max(1, size().height - crop.height)];
  const point = (index) => [index, 5 + 90 * shown[index][along[0]] / Math.max(1, along[1])];
  at("path").setAttribute("viewBox", `-0.5 0 ${across + 1} ${down}`);
  at("path").setAttribute("preserveAspectRatio", "none");
  const line = svg("polyline", { points: frames.map((_, index) => point(index).join(",")).join(" ") });
  const keys = frames.flatMap((frame, index) => edits.crops.has(frame.time)
    ? [svg("ellipse", { cx: index, cy: point(index)[1], rx: across / 150, ry: 5, class: "key" })] : []);
  at("path").replaceChildren(line, ...keys, svg("line", { x1: current, x2: current, y1: 0, y2: down, class: "now", "vector-effect": "non-scaling-stroke" }));
}

async function show(index) {
  current = Math.min(Math.max(index, 0), Math.max(0, frames.length - 1));
  const frame = frames[current];
  if (!frame) return;
  at("time").value = `${current}`;
  at("clock").textContent = `${frame.time.toFixed(2)} s`;
  await seek(video, frame.time);
  draw(video, at("frame"), 1280);
  mark();
}

/** Marks the current frame: heads, the crop and the people. */
function mark() {
  const frame = frames[current];
  if (!frame) return;
  const { width, height } = size();
  at("overlay").setAttribute("viewBox", `0 0 ${width} ${height}`);
  const names = frame.heads.map((head) => svg("rect", { x: head.x, y: head.y, width: head.width, height: head.height,
    class: `person${isPicked(head) ? " picked" : ""}`, "vector-effect": "non-scaling-stroke" }));
  at("overlay").replaceChildren(...names);
  place(shown[current] ?? frame.crop);
  const buttons = frame.heads.map((head, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `Show person ${index + 1}`;
    button.dataset.person = `${head.person ?? index + 1}`;
    button.setAttribute("aria-pressed", String(isPicked(head)));
    button.onclick = () => change(() => edits.pick(frame.time, head));
    return button;
  });
  at("people").replaceChildren(...buttons);
  at("remove").disabled = !edits.crops.has(frame.time);
  at("crop").classList.toggle("key", edits.crops.has(frame.time));
  for (const [index, button] of [...at("strip").children].entries()) button.setAttribute("aria-current", String(index === current));
  at("path").querySelector(".now")?.setAttribute("x1", current);
  at("path").querySelector(".now")?.setAttribute("x2", current);
}

const isPicked = (head) => edits.shots.some((shot) => (shot.people ?? []).some(({ x, y }) =>
  x >= head.x && x <= head.x + head.width && y >= head.y && y <= head.y + head.height));

function place(crop) {
  const { width, height } = size();
  const style = at("crop").style;
  style.left = `${100 * crop.x / width}%`;
  style.top = `${100 * crop.y / height}%`;
  style.width = `${100 * crop.width / width}%`;
  style.height = `${100 * crop.height / height}%`;
}

// Changes

function change(action) {
  edits.keep();
  action();
  render();
}

function move(across, down) {
  const crop = shown[current];
  if (!crop) return;
  const { width, height } = size();
  const x = Math.min(Math.max(crop.x + across, 0), width - crop.width);
  const y = Math.min(Math.max(crop.y + down, 0), height - crop.height);
  edits.move(frames[current].time, { x, y });
  shown = path(frames, size(), aspect(), edits);
  place(shown[current]);
}

at("crop").addEventListener("pointerdown", (event) => {
  if (!shown.length) return;
  edits.keep();
  const scale = size().width / at("stage").getBoundingClientRect().width;
  let [x, y] = [event.clientX, event.clientY];
  at("crop").setPointerCapture(event.pointerId);
  at("crop").onpointermove = (moved) => {
    move((moved.clientX - x) * scale, (moved.clientY - y) * scale);
    [x, y] = [moved.clientX, moved.clientY];
  };
  at("crop").onpointerup = () => { at("crop").onpointermove = at("crop").onpointerup = null; render(); };
});

at("crop").addEventListener("keydown", (event) => {
  const step = size().width / (event.shiftKey ? 20 : 100);
  const way = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
  if (!way || !shown.length) return;
  event.preventDefault();
  change(() => move(...way));
});

at("time").oninput = () => show(Number(at("time").value));
at("undo").onclick = () => { edits.undo(); render(); };
at("remove").onclick = () => change(() => edits.remove(frames[current].time));
at("file").onchange = () => { if (at("file").files[0]) { edits = new Edits(edits.plan); load(at("file").files[0]); } };
at("layout").onchange = render;
at("aspect").onchange = () => { if (clip) load(clip); };

at("plan").onchange = async () => {
  fail(null);
  try {
    const plan = JSON.parse(await at("plan").files[0].text());
    if (plan?.version !== 1) throw new Error("Not a headroom reframe plan (expected version 1).");
    edits = new Edits(plan);
    if (plan.aspect && ![...at("aspect").options].some(({ value }) => value === plan.aspect)) at("aspect").add(new Option(plan.aspect));
    if (plan.aspect) at("aspect").value = plan.aspect;
    if (plan.layout) at("layout").value = plan.layout;
    render();
  } catch (error) {
    fail(error);
  }
};

at("secret-form").onsubmit = (event) => {
  event.preventDefault();
  authorize(at("secret").value);
  if (clip) load(clip);
};

at("download").onclick = () => {
  const text = JSON.stringify(planDocument(edits, aspect(), at("layout").value), null, 1);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: "application/json" }));
  link.download = "plan.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
