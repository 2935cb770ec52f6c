// The image: the part of a file to send, and the image for the browser.

import { ask } from "./service.js";

/** Files up to this size are sent unchanged, also for plans. */
const SMALL = 300_000;
/** The maximum side of a reduced copy, in pixels. */
const SIDE = 1024;
/** The whole image in a format that every browser shows, without detection. */
const WHOLE = [["gravity", "center"], ["width", "1280"], ["format", "jpeg"]];

/** The whole image of a source from the service: of a URL, or of a file that the browser cannot read. */
export const whole = async (source, options) => (await ask("frame", source, WHOLE, options)).body;

/** A copy of a large file for plans and previews: `{blob, width, height}`; nil if the file itself is suitable. */
export async function reduced(file) {
  if (file.size <= SMALL || isAnimated(new Uint8Array(await file.slice(0, 4096).arrayBuffer()))) return null;
  const image = await createImageBitmap(file).catch(() => null);
  if (!image) return null;
  const scale = Math.min(1, SIDE / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  // Only a JPEG is always opaque.
  const type = file.type === "image/jpeg" ? "image/jpeg" : "image/webp";
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, type, 0.75));
  return blob && blob.size < file.size * 0.7 ? { blob, width: canvas.width, height: canvas.height } : null;
}

/** Whether a file is an animation according to its first bytes; a copy would lose the animation. */
function isAnimated(bytes) {
  const text = String.fromCharCode(...bytes);
  return text.startsWith("GIF8") || /^RIFF[^]{4}WEBP[^]*ANIM/.test(text) || /^\x89PNG[^]*acTL/.test(text)
    || /^[^]{4}ftyp[^]{0,40}avis/.test(text);
}

/** Pixels in the values of parameters, in the pixels of a copy. */
export const inCopy = (query, scale) =>
  query.map(([name, value]) => [name, value.replace(/([\d.]+)px/g, (_, number) => `${Math.max(1, Math.round(number * scale))}px`)]);

/** Bytes in words. */
export const kilobytes = (bytes) =>
  bytes < 1000 ? `${bytes} bytes` : bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
