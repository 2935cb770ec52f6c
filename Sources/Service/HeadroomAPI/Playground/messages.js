// The page's messages about its requests: activity, progress and errors.

import { kilobytes } from "./image.js";
import { stale } from "./result.js";

const at = (id) => document.getElementById(id);

/** Shows the current activity next to the visible part: the image, or the choice of an image. */
export function say(text) {
  at("loading").textContent = at("work").hidden ? text : "";
  at("status").textContent = at("work").hidden ? "" : text;
  at("progress").hidden = true;
}

/** Marks the result as outdated while a request runs, or will run after a pause in typing. */
export function busy(isBusy) {
  at("view").setAttribute("aria-busy", String(isBusy));
  if (isBusy) stale();
}

/** Shows the sent part of a file, and the received part of the response. */
export const progress = (blob) => (direction, share) => {
  at("progress").hidden = false;
  if (direction === "send" && share === 1) at("progress").removeAttribute("value");
  else at("progress").value = share;
  const sentence = at("work").hidden ? at("loading") : at("status");
  if (direction === "send" && share < 1) sentence.textContent = `Sending ${kilobytes(blob.size)}: ${Math.round(share * 100)} %`;
};

/** The parameters that caused a refusal; the service names them only if their values are not valid. */
export function causes({ message, errors = [] }, state) {
  if (errors.length) return errors;
  const rules = [[/at the lowest quality/, "maxBytes"], [/^Face \d+ does not exist/, state.redactFaces ? "redactFaces" : "gravity"],
    [/\(fallback=error\)/, "fallback"], [/^The backdrop/, "backdropUrl"]];
  const found = rules.find(([pattern, name]) => pattern.test(message) && state[name]);
  return found ? [{ parameter: found[1], detail: message }] : [];
}
