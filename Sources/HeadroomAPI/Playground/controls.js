// The controls of all parameters, made from the table in parameters.js.

import { GROUPS } from "./parameters.js";

function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  Object.assign(made, attributes);
  made.append(...children);
  return made;
}

const setters = new Map();

/** Adds all controls to a form; `changed(name, value)` hears of each change, with "" for the default. */
export function build(form, changed) {
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const [title, controls] of GROUPS) {
    const grid = make("div", { className: "grid" });
    for (const control of controls) grid.append(build1(control, (value) => changed(control.name, value)));
    form.append(make("fieldset", {}, make("legend", { textContent: title }), grid));
  }
}

/** Shows the values of a state. */
export function show(state) {
  for (const [name, set] of setters) set(state[name] ?? "");
}

function build1(control, changed) {
  const id = `parameter-${control.name}`;
  const label = make("label", { htmlFor: id }, `${control.label} `, make("code", { textContent: control.name }));
  const doc = make("small", { id: `${id}-doc`, textContent: control.doc });
  const input = FIELDS[control.kind](control, id, changed);
  const focusable = input.matches("input, select") ? input : input.querySelector("input, select");
  focusable.setAttribute("aria-describedby", doc.id);
  return make("div", { className: "control" }, label, input, doc);
}

const FIELDS = {
  text(control, id, changed) {
    const input = make("input", { id, name: control.name, type: "text", placeholder: control.placeholder });
    input.addEventListener("input", () => changed(input.value.trim()));
    setters.set(control.name, (value) => { if (document.activeElement !== input) input.value = value; });
    return input;
  },
  number(control, id, changed) {
    const input = FIELDS.text(control, id, changed);
    Object.assign(input, { type: "number", min: control.min, max: control.max, step: control.step ?? 1 });
    input.placeholder = control.placeholder ?? "";
    return input;
  },
  check(control, id, changed) {
    const input = make("input", { id, name: control.name, type: "checkbox" });
    input.addEventListener("change", () => changed(input.checked ? "true" : ""));
    setters.set(control.name, (value) => { input.checked = value === "true"; });
    return make("span", {}, input);
  },
  choice(control, id, changed) {
    const input = make("select", { id, name: control.name }, ...control.options.map((word) => new Option(word)));
    input.addEventListener("change", () => changed(input.value === control.options[0] ? "" : input.value));
    setters.set(control.name, (value) => { input.value = value || control.options[0]; });
    return input;
  },
  range(control, id, changed) {
    const { min, max, step, standard } = control;
    const input = make("input", { id, name: control.name, type: "range", min, max, step, value: standard });
    const shown = make("output", { htmlFor: id, textContent: standard });
    input.addEventListener("input", () => {
      shown.textContent = input.value;
      changed(input.value === standard ? "" : input.value);
    });
    setters.set(control.name, (value) => {
      input.value = value || standard;
      shown.textContent = input.value;
    });
    return make("span", { className: "row" }, input, shown);
  },
  gravity(control, id, changed) {
    const select = make("select", { id, name: control.name }, ...control.options.map((word) => new Option(word)));
    const face = make("input", { type: "number", min: 1, value: 1 });
    face.setAttribute("aria-label", "Number of the face");
    let point = "0.5,0.5";
    const value = () => ({ face: `face:${face.value || 1}`, point: `point:${point}`, faces: "" })[select.value] ?? select.value;
    const tell = () => {
      face.hidden = select.value !== "face";
      changed(value());
    };
    select.addEventListener("change", tell);
    face.addEventListener("input", tell);
    setters.set(control.name, (given) => {
      const [word, detail] = given.split(/:(.*)/s);
      select.value = control.options.includes(word) ? word : control.options[0];
      if (word === "face" && document.activeElement !== face) face.value = detail;
      if (word === "point") point = detail;
      face.hidden = word !== "face";
    });
    return make("span", { className: "row" }, select, face);
  },
};
