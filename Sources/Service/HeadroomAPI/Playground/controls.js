// The controls of all parameters, created from the table in parameters.js.

import { GROUPS } from "./parameters.js";

/** An element with properties and children. */
export function make(name, properties = {}, ...children) {
  const made = document.createElement(name);
  Object.assign(made, properties);
  made.append(...children);
  return made;
}

const setters = new Map();
const controls = new Map();
const groups = [];

/** Adds all controls to a form; `changed(name, value, isTyped)` is called for each change, with "" for the default. */
export function build(form, changed) {
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const { title, isOpen, parameters } of GROUPS) {
    const grid = make("div", { className: "grid" });
    for (const parameter of parameters) grid.append(control(parameter, changed));
    const count = make("span", { className: "count" });
    const box = make("details", { className: "group", open: isOpen }, make("summary", {}, title, count), grid);
    groups.push({ box, count, names: parameters.map(({ name }) => name) });
    form.append(box);
  }
}

/** Shows the values of a state, and the number of set parameters of each group. */
export function show(state) {
  for (const [name, set] of setters) set(state[name] ?? "");
  for (const { count, names } of groups) {
    const set = names.filter((name) => state[name]).length;
    count.textContent = set ? `${set} set` : "";
  }
}

/** Shows an error next to the control of a parameter and opens its group; returns false without a control. */
export function complain(name, message) {
  const found = controls.get(name);
  if (!found) return false;
  found.error.textContent = message;
  found.error.hidden = false;
  found.input.setAttribute("aria-invalid", "true");
  found.box.closest("details").open = true;
  return true;
}

/** Removes all errors. */
export function forgive() {
  for (const { error, input } of controls.values()) {
    if (error.hidden) continue;
    error.hidden = true;
    error.textContent = "";
    input.removeAttribute("aria-invalid");
  }
}

/** Moves the focus to the control of a parameter. */
export const focusControl = (name) => controls.get(name)?.input.focus();

function control(parameter, changed) {
  const id = `parameter-${parameter.name}`;
  const about = make("p", { id: `${id}-about`, className: "about", textContent: parameter.doc, hidden: true });
  const error = make("p", { id: `${id}-error`, className: "error", hidden: true });
  error.setAttribute("role", "alert");
  const field = FIELDS[parameter.kind](parameter, id, (value, isTyped) => changed(parameter.name, value, isTyped));
  const input = field.matches("input, select") ? field : field.querySelector("input, select");
  input.setAttribute("aria-describedby", `${error.id} ${about.id}`);
  const explain = make("button", { type: "button", className: "explain", textContent: "?" });
  explain.setAttribute("aria-label", `About ${parameter.label}`);
  explain.setAttribute("aria-expanded", "false");
  explain.setAttribute("aria-controls", about.id);
  explain.addEventListener("click", () => {
    about.hidden = !about.hidden;
    explain.setAttribute("aria-expanded", String(!about.hidden));
  });
  const label = make("label", { htmlFor: id, textContent: parameter.label, title: parameter.name });
  const head = make("div", { className: "head" }, label, explain);
  const box = make("div", { className: `control ${parameter.kind}${parameter.isWide ? " wide" : ""}` });
  box.append(...(parameter.kind === "check" ? [make("div", { className: "head" }, field, label, explain)] : [head, field]), error, about);
  controls.set(parameter.name, { box, input, error });
  return box;
}

const FIELDS = {
  text({ name, placeholder, inputMode = "text" }, id, changed) {
    const input = make("input", { id, name, type: "text", placeholder, inputMode, spellcheck: false, autocomplete: "off" });
    input.addEventListener("input", () => changed(input.value.trim(), true));
    input.addEventListener("change", () => changed(input.value.trim(), false));
    setters.set(name, (value) => { if (document.activeElement !== input) input.value = value; });
    return input;
  },
  // A text field: a browser's number field hides invalid numbers, and the service explains them better.
  number(parameter, id, changed) {
    return FIELDS.text({ placeholder: "", inputMode: "decimal", ...parameter }, id, changed);
  },
  check({ name }, id, changed) {
    const input = make("input", { id, name, type: "checkbox" });
    input.addEventListener("change", () => changed(input.checked ? "true" : ""));
    setters.set(name, (value) => { input.checked = value === "true"; });
    return input;
  },
  choice({ name, options }, id, changed) {
    const input = make("select", { id, name }, ...options.map((word) => new Option(word)));
    input.addEventListener("change", () => changed(input.value === options[0] ? "" : input.value));
    setters.set(name, (value) => { input.value = value || options[0]; });
    return input;
  },
  range({ name, min, max, step, standard }, id, changed) {
    const input = make("input", { id, name, type: "range", min, max, step, value: standard });
    const shown = make("output", { htmlFor: id, textContent: standard });
    input.addEventListener("input", () => {
      shown.textContent = input.value;
      changed(input.value === standard ? "" : input.value);
    });
    setters.set(name, (value) => {
      input.value = value || standard;
      shown.textContent = input.value;
    });
    return make("span", { className: "row" }, input, shown);
  },
  gravity({ name, options }, id, changed) {
    const select = make("select", { id, name }, ...options.map((word) => new Option(word)));
    const face = make("input", { type: "text", inputMode: "numeric", value: "1", className: "short" });
    face.setAttribute("aria-label", "Number of the face");
    const object = make("input", { type: "text", value: "person" });
    object.setAttribute("aria-label", "Classes of the objects");
    let point = "0.5,0.5";
    const value = () => ({
      face: `face:${face.value.trim() || 1}`, point: `point:${point}`, object: `object:${object.value.trim() || "person"}`, faces: "",
    })[select.value] ?? select.value;
    const show = () => {
      face.hidden = select.value !== "face";
      object.hidden = select.value !== "object";
    };
    select.addEventListener("change", () => {
      show();
      changed(value());
    });
    for (const input of [face, object]) input.addEventListener("input", () => changed(value(), true));
    setters.set(name, (given) => {
      const [word, detail] = given.split(/:(.*)/s);
      select.value = options.includes(word) ? word : options[0];
      if (word === "face" && document.activeElement !== face) face.value = detail;
      if (word === "object" && document.activeElement !== object) object.value = detail;
      if (word === "point") point = detail;
      show();
    });
    return make("span", { className: "row" }, select, face, object);
  },
};
