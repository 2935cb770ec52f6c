// What can be copied: the request in the forms in which people need it.

import { address, ask } from "./service.js";
import { pairs } from "./state.js";

const EXAMPLE = "https://example.com/picture.jpg";
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** Titles, texts and explanations for a state and its plan; `source` is `{url}` or `{blob, name}`. */
export async function snippets(state, source, plan, signal) {
  const query = pairs(state);
  const url = source.url ?? EXAMPLE;
  const byURL = address("frame", [["url", url], ...query]);
  const crop = plan.crops[0];
  const fit = state.fit === "fill" ? "fill" : state.fit === "pad" || crop.picture ? "contain" : "cover";
  const hint = source.url ? "" : `The picture's address stands for yours: ${EXAMPLE}.`;
  const found = [
    ["URL", byURL, hint],
    ["curl", source.url
      ? `curl ${quoted(byURL)} --output crop`
      : `curl --data-binary @${quoted(source.name)} ${quoted(address("frame", query))} --output crop`],
    ["CSS", `aspect-ratio: ${crop.output.width} / ${crop.output.height};\n`
      + `object-fit: ${fit};\nobject-position: ${crop.position};`,
      "For the whole picture in an img element; without zoom, place, region, trim, rotate and flip."],
    ["Focal point", `${plan.focus.x}, ${plan.focus.y}`,
      "From 0 to 1, from the top left; format=focus has it in the words of other services."],
    ["Signed URL", ["headroom sign /frame", ...[["url", url], ...query].map(([name, value]) => quoted(`${name}=${value}`))].join(" "),
      "For a server with keys; see docs/signing.md."],
    ["JSON", JSON.stringify(plan, null, 2)],
  ];
  const isBeyondBrowsers = Number(state.zoom) || state.place || state.fit === "auto" || state.background === "blur"
    || state.region || state.trim || state.rotate || state.flip;
  if (!source.url && isBeyondBrowsers) {
    found.splice(2, 0, ["<img>", "", "HTML for a file has no zoom, place, fit=auto, background=blur, region, trim, rotate or flip; "
      + "load the picture by its address."]);
    return found;
  }
  try {
    const html = await ask("frame", source, [...pairs(state, "format"), ["format", "html"]]
      .filter(([, value]) => value), { signal });
    found.splice(2, 0, [source.url ? "<picture>" : "<img>", (await html.body.text()).trim()]);
  } catch (refusal) {
    if (refusal.name === "AbortError") throw refusal;
    found.splice(2, 0, ["<picture>", "", refusal.message]);
  }
  return found;
}

/** Copies a text; where the browser offers no clipboard (plain HTTP), it is selected instead. */
export async function copy(text, block) {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied.";
  } catch {
    getSelection().selectAllChildren(block);
    return document.execCommand?.("copy") ? "Copied." : "Selected: copy it with the keyboard.";
  }
}
