// What the page says about its requests: what happens, how far it is, and what is wrong.

import { kilobytes } from "./picture.js";
import { stale } from "./result.js";

const at = (id) => document.getElementById(id);

/** Says what happens, beside what is in view: the image, or the choice of one. */
export function say(text) {
  at("loading").textContent = at("work").hidden ? text : "";
  at("status").textContent = at("work").hidden ? "" : text;
  at("progress").hidden = true;
}

/** While a request runs, or will after a pause in typing, the result is that of another one. */
export function busy(isBusy) {
  at("view").setAttribute("aria-busy", String(isBusy));
  if (isBusy) stale();
}

/** Shows how much of a file was sent, and of the answer was received. */
export const progress = (blob) => (direction, share) => {
  at("progress").hidden = false;
  if (direction === "send" && share === 1) at("progress").removeAttribute("value");
  else at("progress").value = share;
  const sentence = at("work").hidden ? at("loading") : at("status");
  if (direction === "send" && share < 1) sentence.textContent = `Sending ${kilobytes(blob.size)}: ${Math.round(share * 100)} %`;
};

/** The parameters that a refusal is about; the service names them only if it is their values that are not valid. */
export function causes({ message, errors = [] }, state) {
  if (errors.length) return errors;
  const rules = [[/at the lowest quality/, "maxBytes"], [/there is no face/, state.redactFaces ? "redactFaces" : "gravity"],
    [/fallback is error/, "fallback"], [/^The backdrop/, "backdropUrl"]];
  const found = rules.find(([pattern, name]) => pattern.test(message) && state[name]);
  return found ? [{ parameter: found[1], detail: message }] : [];
}
