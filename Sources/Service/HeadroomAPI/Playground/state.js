// The parameters and the URL of the image, kept in the fragment of the page's URL, so that links and the back
// button work. A file stays in memory and does not have a URL.

import { NAMES, newName } from "./parameters.js";

const KEYS = ["url", "sample", ...NAMES];
/** The aspect ratio without a choice; it differs from the aspect ratio of photographs, so that the crop is visible. */
export const FIRST_SHAPE = "1:1";

/** Reads the fragment, also with deprecated names; unknown names are dropped. */
export function read() {
  const pairs = [...new URLSearchParams(location.hash.slice(1))].map(([name, value]) => [newName(name), value]);
  const given = new URLSearchParams(pairs);
  const state = {};
  for (const key of KEYS) if (given.get(key)) state[key] = given.get(key);
  if (location.hash.length < 2) state.aspect = FIRST_SHAPE;
  return state;
}

/** Writes the fragment; `replaces` does not add to the history, for changes such as dragging. */
export function write(state, replaces) {
  const given = new URLSearchParams();
  for (const key of KEYS) if (state[key]) given.set(key, state[key]);
  // Readable: these characters do not need an escape in a fragment.
  const hash = `#${given}`.replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%2F", "/");
  if (hash === location.hash) return;
  history[replaces ? "replaceState" : "pushState"](null, "", hash);
}

/** Whether the result keeps the whole image with its own aspect ratio. */
export const isWhole = (state) => ["inside", "outside"].includes(state.fit);

/** The pairs that a request needs, except the named pairs; an image that stays whole does not have an aspect ratio. */
export function pairs(state, ...without) {
  if (isWhole(state)) without.push("aspect");
  return NAMES.filter((name) => state[name] && !without.includes(name)).map((name) => [name, state[name]]);
}
