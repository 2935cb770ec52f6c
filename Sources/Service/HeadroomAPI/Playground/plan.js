// The plan: faces, subjects, and the crops of all aspect ratios, including the selected aspect ratio.

import { SHAPES } from "./parameters.js";
import { inCopy } from "./image.js";
import { ask } from "./service.js";
import { isWhole, pairs } from "./state.js";

/** Parameters that change pixels or the file, but not the crop. */
const LATER = ["overlay", "redact", "redactFaces", "filter", "key", "tolerance", "spill", "backdrop", "backdropUrl", "format",
  "quality", "chroma", "progressive", "maxBytes", "profile", "metadata", "lossless", "v"];
const SIZES = ["width", "height", "dpr", "enlarge", "box"];

/** The inputs of a plan, as text: with the same text, the plan is the same. */
export const planKey = (state) => JSON.stringify(pairs(state, ...LATER));

/**
 * Requests the plan of all aspect ratios, in one request if the state contains an aspect ratio.
 * Returns the plan in pixels of the image, and the pairs of aspect ratio and crop.
 */
export async function makePlan(state, source, size, options) {
  const copy = source.copy;
  const scale = copy ? size.width / copy.width : 1;
  const sent = copy ? { blob: copy.blob } : source;
  const json = async (query) => {
    const { body, milliseconds } = await ask("frame", sent, [...inCopy(query, 1 / scale), ["format", "json"]], options);
    return { plan: enlarged(JSON.parse(await body.text()), scale), milliseconds };
  };
  const shapes = (list) => json([...pairs(state, ...LATER, ...SIZES, "aspect"), ["aspect", list.join(",")]]);
  if (state.aspect && !isWhole(state)) {
    const list = [state.aspect, ...SHAPES.filter((shape) => shape !== state.aspect)];
    const made = await shapes(list);
    const found = made.plan.crops.map((crop, index) => [list[index], crop]);
    // The overview keeps its order; an additional aspect ratio comes first.
    const place = ([shape]) => SHAPES.indexOf(shape);
    return { ...made, shapes: found.sort((one, other) => place(one) - place(other)) };
  }
  const main = await json(pairs(state, ...LATER));
  const own = ["", main.plan.crops[0]];
  if (isWhole(state)) return { ...main, shapes: [own] };
  const others = await shapes(SHAPES);
  return { ...main, shapes: [own, ...others.plan.crops.map((crop, index) => [SHAPES[index], crop])] };
}

/** Converts the plan of a copy to pixels of the image, by a factor. Fractions and times do not change. */
function enlarged(plan, scale) {
  if (scale === 1) return plan;
  const isPlace = (key, value) => ["x", "y", "width", "height"].includes(key) && typeof value === "number";
  const visit = (value, key) => {
    if (key === "focus" || key === "detector" || value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map((each) => visit(each));
    return Object.fromEntries(Object.entries(value).map(([name, inner]) =>
      [name, isPlace(name, inner) ? Math.round(inner * scale) : visit(inner, name)]));
  };
  return visit(plan);
}

const POSES = {
  frontal: "from the front", left: "turned to the left", right: "turned to the right",
  rotatedLeft: "tilted to the left", rotatedRight: "tilted to the right",
};

/** Minimum score of a subject that counts for a crop. */
const PROBABLE = 0.3;

/**
 * The people, animals and things that determined the first crop: name, score, box, the visible fraction of the box, and the
 * estimated head. Empty if faces or other rules determined it.
 */
export function placedSubjects(plan) {
  const { decision, crop } = plan.crops[0];
  if (decision !== "subject" && decision !== "object") return [];
  const shared = (start, length, other, extent) => Math.max(0, Math.min(start + length, other + extent) - Math.max(start, other));
  const visible = ({ x, y, width, height }) =>
    shared(x, width, crop.x, crop.width) * shared(y, height, crop.y, crop.height) / (width * height || 1);
  return (plan.subjects ?? []).filter(({ score }) => score >= PROBABLE).map(({ class: word, score, box, head }) =>
    ({ name: word.replaceAll("-", " "), score, box, head, visible: visible(box), headVisible: head ? visible(head) : null }));
}

/** One sentence about all faces, or about the subjects instead of faces. */
export function facesSummary(plan) {
  const subjects = placedSubjects(plan);
  if (subjects.length && !plan.faces.length) {
    return `No face found. ${subjects.length} ${subjects.length === 1 ? "subject" : "subjects"}: ${subjects.map(({ name }) => name).join(", ")}`;
  }
  if (!plan.faces.length) {
    return plan.detector ? "No face found: the fallback is used" : "No detection: this gravity needs no faces";
  }
  const number = (outcome) => plan.crops[0].faces.filter((face) => face.outcome === outcome).length;
  const parts = ["kept", "cut", "ignored"].filter(number).map((outcome) => `${number(outcome)} ${outcome}`);
  return `${plan.faces.length} ${plan.faces.length === 1 ? "face" : "faces"}: ${parts.join(", ")}`;
}

/** A line for each face: its outcome and the reason. */
export function faceLines(plan) {
  return plan.faces.map((face, index) => {
    const { outcome, reason, visible } = plan.crops[0].faces[index];
    const cut = reason === "tooLarge" ? "its head is larger than any crop with this aspect ratio" : "its head is partly outside the best crop";
    const why = {
      kept: "kept", ignored: "ignored, because of gravity", cut: `cut: ${cut}; ${Math.round(visible * 100)} % of it is visible`,
    }[outcome];
    const pose = POSES[face.pose] ? ` ${POSES[face.pose]},` : "";
    return `Face ${index + 1},${pose} confidence ${face.confidence.toFixed(2)}: ${why}.`;
  });
}

/** A line for each subject that determined the crop: the visible part of it, and of its estimated head. */
export function subjectLines(plan) {
  // Rounded down, so that 100 % means all of it.
  const percent = (fraction) => `${Math.floor(fraction * 100)} %`;
  return placedSubjects(plan).map(({ name, score, visible, headVisible }) => {
    const parts = headVisible === null ? "of it is" : `of it and ${percent(headVisible)} of the estimated head are`;
    return `${name[0].toUpperCase()}${name.slice(1)}, score ${score.toFixed(2)}: ${percent(visible)} ${parts} visible.`;
  });
}
