// What is drawn with SVG: rectangles over the picture, and crops. Numbers only: no text of others becomes markup.

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element. */
function element(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const rectangle = (rect, kind) =>
  element("rect", { x: rect.x, y: rect.y, width: rect.width, height: rect.height, class: kind });

/** Eyes, nose and corners of the mouth; a face of a detector of one's own has none. */
function points({ landmarks }, scale) {
  const { confidence, ...found } = landmarks ?? {};
  return Object.values(found).map(({ x, y }) => element("circle", { cx: x, cy: y, r: 2.5 * scale, class: "point" }));
}

/** Draws heads, boxes, landmarks, ignored detections and the crop of a plan over the picture. */
export function drawPlan(overlay, plan, scale) {
  const { width, height } = plan.source;
  overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const crop = plan.crops[0];
  const { x, y, width: w, height: h } = crop.crop;
  const outside = element("path", { class: "outside", d: `M0 0H${width}V${height}H0ZM${x} ${y}h${w}v${h}h${-w}Z` });
  const ignored = plan.ignored.filter((found) => found.reason !== "duplicate").map((found) => rectangle(found.box, "ignored"));
  const faces = plan.faces.flatMap((face, index) => {
    const outcome = crop.faces[index]?.outcome ?? "ignored";
    const label = element("text", { x: face.head.x + 4 * scale, y: face.head.y + 16 * scale });
    label.textContent = `${index + 1}`;
    label.style.fontSize = `${14 * scale}px`;
    label.style.strokeWidth = `${3 * scale}px`;
    return [rectangle(face.head, outcome), rectangle(face.box, `${outcome} box`), ...points(face, scale), label];
  });
  const region = plan.region ? [rectangle(plan.region, "ignored")] : [];
  overlay.replaceChildren(outside, ...region, ...ignored, ...faces, rectangle(crop.crop, "crop"));
}

/** A crop as it will look, bars and turn included, made of the whole picture by the browser. */
export function drawCrop(picture, source, crop, { background = "ffffff", rotate = "0", flip = "none" }) {
  const { width, height } = crop.output;
  const rect = crop.picture ?? { x: 0, y: 0, width, height };
  const swaps = rotate === "90" || rotate === "270";
  // The rectangle before the turn, around the origin.
  const [across, down] = swaps ? [rect.height, rect.width] : [rect.width, rect.height];
  const place = { x: -across / 2, y: -down / 2, width: across, height: down };
  const mirror = [flip === "horizontal" || flip === "both" ? -1 : 1, flip === "vertical" || flip === "both" ? -1 : 1];
  const turn = `translate(${rect.x + rect.width / 2} ${rect.y + rect.height / 2}) scale(${mirror}) rotate(${Number(rotate)})`;
  const { x, y, width: w, height: h } = crop.crop;
  const shown = element("image", { href: picture, width: source.width, height: source.height, preserveAspectRatio: "none" });
  const inner = element("svg", { ...place, viewBox: `${x} ${y} ${w} ${h}`, preserveAspectRatio: "none" }, shown);
  const whole = element("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  if (crop.picture && /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.test(background)) {
    whole.append(element("rect", { width, height, fill: `#${background.replace("#", "")}` }));
  }
  whole.append(element("g", { transform: turn }, inner));
  return whole;
}
