// The overview of aspect ratios: a small drawing of each crop, which selects its aspect ratio.

import { make } from "./controls.js";
import { drawCrop } from "./drawing.js";

/** Shows a card for each pair of aspect ratio and crop; a click calls `chosen(shape)`. */
export function showCards(list, imageURL, plan, shapes, state, chosen) {
  const focused = document.activeElement?.closest?.(".card")?.dataset.shape;
  list.replaceChildren(...shapes.map(([shape, crop]) => {
    const whole = crop.faces.filter((face) => face.visible === 1).length;
    const heads = crop.faces.length ? `${whole} of ${crop.faces.length} heads` : crop.decision.replace("fallback:", "");
    const drawing = drawCrop(imageURL, plan.source, crop, state);
    const card = make("button", { type: "button", className: "card" },
      make("span", { className: "frame" }, drawing), make("b", { textContent: shape || "Original" }),
      make("small", { textContent: heads }));
    card.dataset.shape = shape;
    card.setAttribute("aria-pressed", String(shape === (state.aspect ?? "")));
    card.addEventListener("click", () => chosen(shape));
    return card;
  }));
  if (focused !== undefined) list.querySelector(`[data-shape="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}
