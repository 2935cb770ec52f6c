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

/** Draws heads, boxes, ignored detections and the crop of a plan over the picture. */
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
    return [rectangle(face.head, outcome), rectangle(face.box, `${outcome} box`), label];
  });
  overlay.replaceChildren(outside, ...ignored, ...faces, rectangle(crop.crop, "crop"));
}

/** A crop as it will look, bars included, made of the whole picture by the browser. */
export function drawCrop(picture, source, crop, background) {
  const { width, height } = crop.output;
  const place = crop.picture ?? { x: 0, y: 0, width, height };
  const { x, y, width: w, height: h } = crop.crop;
  const shown = element("image", { href: picture, width: source.width, height: source.height, preserveAspectRatio: "none" });
  const inner = element("svg", { ...place, viewBox: `${x} ${y} ${w} ${h}`, preserveAspectRatio: "none" }, shown);
  const whole = element("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  if (crop.picture && /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.test(background)) {
    whole.append(element("rect", { width, height, fill: `#${background.replace("#", "")}` }));
  }
  whole.append(inner);
  return whole;
}
