// SVG drawings: rectangles over the image, and crops. Attributes have only numbers and words of this file, and other text is
// set as text content, so untrusted text never becomes markup.

import { placedSubjects } from "./plan.js";

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element. */
function element(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** The meaning of each kind of rectangle, in the order of the legend. */
const KINDS = {
  kept: "Head, kept", cut: "Head, cut", ignored: "Ignored", box: "Face", point: "Eyes, nose, mouth",
  subject: "Person, animal or thing", guess: "Estimated head", crop: "Crop",
};

/** Draws heads, boxes, landmarks, subjects, ignored detections and the crop over an image, which is shown with a width. */
export function drawPlan(overlay, plan, width) {
  const scale = width / plan.source.width;
  const height = plan.source.height * scale;
  overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const rectangle = (rect, kind) => element("rect", {
    x: rect.x * scale, y: rect.y * scale, width: rect.width * scale, height: rect.height * scale, class: kind,
  });
  const crop = plan.crops[0];
  const { x, y, width: w, height: h } = crop.crop;
  const inner = `M${x * scale} ${y * scale}h${w * scale}v${h * scale}h${-w * scale}Z`;
  const outside = element("path", { class: "outside", d: `M0 0H${width}V${height}H0Z${inner}` });
  const faces = plan.faces.flatMap((face, index) => {
    const outcome = crop.faces[index]?.outcome ?? "ignored";
    const drawn = [rectangle(face.head, outcome), rectangle(face.box, `${outcome} box`), ...points(face, scale)];
    return face.head.width * scale < 24 ? drawn : [...drawn, label(`${index + 1}`, face.head.x * scale, face.head.y * scale)];
  });
  const ignored = plan.ignored.filter((found) => found.reason !== "duplicate").map((found) => rectangle(found.box, "ignored"));
  const subjects = placedSubjects(plan).flatMap(({ name, score, box, head }) => [
    rectangle(box, "subject"), ...head ? [rectangle(head, "guess")] : [],
    // Above the box, so that the label does not cover the head.
    ...box.width * scale < 48 ? [] : [label(`${name} ${Math.round(score * 100)} %`, box.x * scale, box.y * scale - 18)],
  ]);
  const region = plan.region ? [rectangle(plan.region, "ignored")] : [];
  // Inside the crop, so that its edges are visible at the edges of the image.
  const edge = element("rect", { x: x * scale + 1, y: y * scale + 1, width: Math.max(0, w * scale - 2),
    height: Math.max(0, h * scale - 2), class: "crop" });
  overlay.replaceChildren(outside, ...region, ...ignored, ...subjects, ...faces, edge);
}

/** The entries of the legend for the drawn rectangles: kind and meaning. */
export const legend = (overlay) => Object.entries(KINDS).filter(([kind]) => overlay.querySelector(`.${kind}`));

/** Eyes, nose and corners of the mouth; a face of a custom detector does not have them. */
function points({ landmarks, head }, scale) {
  const { confidence, ...found } = landmarks ?? {};
  const radius = Math.min(2.5, Math.max(1, head.width * scale / 30));
  return Object.values(found).map(({ x, y }) => element("circle", { cx: x * scale, cy: y * scale, r: radius, class: "point" }));
}

/** A short text in a small box, at the corner of a head or a subject. */
function label(text, x, y) {
  const [left, top, width] = [Math.max(1, x), Math.max(1, y), 8 + 7 * text.length];
  const written = element("text", { x: left + width / 2, y: top + 12, "text-anchor": "middle" });
  written.textContent = text;
  return element("g", { class: "label" }, element("rect", { x: left, y: top, width, height: 16, rx: 3 }), written);
}

/** A preview of a crop, including bars and rotation, which the browser creates from the whole image. */
export function drawCrop(imageURL, source, crop, { background = "ffffff", rotate = "0", flip = "none" }) {
  const { width, height } = crop.output;
  const rect = crop.contentRect ?? { x: 0, y: 0, width, height };
  const swaps = rotate === "90" || rotate === "270";
  // The rectangle before the rotation, around the origin.
  const [across, down] = swaps ? [rect.height, rect.width] : [rect.width, rect.height];
  const place = { x: -across / 2, y: -down / 2, width: across, height: down };
  const mirror = [flip === "horizontal" || flip === "both" ? -1 : 1, flip === "vertical" || flip === "both" ? -1 : 1];
  const turn = `translate(${rect.x + rect.width / 2} ${rect.y + rect.height / 2}) scale(${mirror}) rotate(${Number(rotate)})`;
  const { x, y, width: w, height: h } = crop.crop;
  const shown = element("image", { href: imageURL, width: source.width, height: source.height, preserveAspectRatio: "none" });
  const inner = element("svg", { ...place, viewBox: `${x} ${y} ${w} ${h}`, preserveAspectRatio: "none" }, shown);
  const drawn = element("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  if (crop.contentRect && /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.test(background)) {
    drawn.append(element("rect", { width, height, fill: `#${background.replace("#", "")}` }));
  }
  drawn.append(element("g", { transform: turn }, inner));
  return drawn;
}

/** The crop with the same aspect ratio in the centre of the image. */
export function centreCrop(source, { output }) {
  const scale = Math.min(source.width / output.width, source.height / output.height);
  const [width, height] = [output.width * scale, output.height * scale];
  return { output, crop: { x: (source.width - width) / 2, y: (source.height - height) / 2, width, height } };
}
