// The result: the image from /frame, its properties, and the image for comparison.

import { make } from "./controls.js";
import { centreCrop, drawCrop } from "./drawing.js";
import { extension } from "./formats.js";
import { kilobytes } from "./image.js";

const at = (id) => document.getElementById(id);
/** The shown result: `{body, address, image, width, height, isPreview}`; nil without a result. */
let result = null;
let shown = "result";
/** The inputs of the drawn crop: `{imageURL, plan, state}`. */
let drawn = null;

/** The shown result; nil without a result. */
export const current = () => result;

/** Removes everything, for another image. */
export function clear() {
  if (result) URL.revokeObjectURL(result.address);
  result = drawn = null;
  at("outcome").replaceChildren();
  at("bar").hidden = at("outcome").hidden = true;
  at("outcome").classList.remove("stale");
}

/** Greys the result, because a request for another result runs. */
export function stale() {
  at("outcome").classList.add("stale");
  at("download").disabled = true;
}

/** Shows a new plan: until its result arrives, the browser draws the crop. */
export function planned(imageURL, plan, state) {
  drawn = { imageURL, plan, state };
  render();
}

/** Shows a new result, unless another request has started. */
export async function finished({ body }, isPreview, signal) {
  const address = URL.createObjectURL(body);
  const image = make("img", { src: address, alt: "The output" });
  await image.decode().catch(() => null);
  if (signal.aborted) return URL.revokeObjectURL(address);
  if (result) URL.revokeObjectURL(result.address);
  result = { body, address, image, isPreview, width: image.naturalWidth, height: image.naturalHeight };
  at("outcome").classList.remove("stale");
  at("download").disabled = false;
  render();
}

/** Width, height, format and bytes in words. */
export function facts() {
  const { width, height, body, isPreview } = result;
  const size = width ? `${width} × ${height}` : "This browser cannot show this format";
  const type = body.type.split("/")[1]?.toUpperCase();
  return isPreview ? "Preview, made from the reduced copy" : `${size} · ${type} · ${kilobytes(body.size)}`;
}

/** Saves the result as a file. */
export function download(name) {
  const stem = name.replace(/^.*\//, "").replace(/[?#].*$/, "").replace(/\.\w+$/, "") || "image";
  const { address, body, width, height } = result;
  make("a", { href: address, download: `${stem}-${width}x${height}.${extension(body.type)}` }).click();
}

/** Width divided by height of the shown image. */
export function ratio() {
  if (result?.width && !at("outcome").classList.contains("stale")) return result.width / result.height;
  const output = drawn?.plan.crops[0].output;
  return output ? output.width / output.height : 0;
}

function render() {
  if (!drawn) return;
  at("bar").hidden = at("outcome").hidden = false;
  at("outcome").replaceChildren(content());
  dispatchEvent(new Event("resultchange"));
}

function content() {
  const { imageURL, plan, state } = drawn;
  const crop = plan.crops[0];
  if (shown === "centre") return named(drawCrop(imageURL, plan.source, centreCrop(plan.source, crop), {}), "The centre crop");
  if (shown === "source") return make("img", { src: imageURL, alt: "The source" });
  return result ? result.image : named(drawCrop(imageURL, plan.source, crop, state), "The crop, drawn by the browser");
}

function named(drawing, title) {
  drawing.removeAttribute("aria-hidden");
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", title);
  return drawing;
}

at("compare").addEventListener("change", (event) => {
  shown = event.target.value;
  render();
});
