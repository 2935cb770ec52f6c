// The focal point: set by a click on the image, moved by dragging and by the arrow keys.

const bounded = (number) => Math.min(1, Math.max(0, Math.round(number * 1000) / 1000));

/** The point of a gravity such as `point:0.3,0.4`; nil for another gravity. */
export function pointOf(gravity) {
  const match = /^point:([\d.]+),([\d.]+)$/.exec(gravity ?? "");
  return match ? { x: Number(match[1]), y: Number(match[2]) } : null;
}

/** Shows the marker at the point of a gravity, or hides it. */
export function showPoint(marker, gravity) {
  const point = pointOf(gravity);
  marker.hidden = !point;
  if (!point) return;
  marker.style.left = `${point.x * 100}%`;
  marker.style.top = `${point.y * 100}%`;
  marker.setAttribute("aria-label",
    `Focal point, ${Math.round(point.x * 100)} % from the left, ${Math.round(point.y * 100)} % from the top`);
}

/** Lets people choose a point; `current()` is the gravity, `moved(gravity)` is called with each new gravity. */
export function choosePoint(stage, marker, current, moved) {
  const move = (x, y) => {
    const gravity = `point:${bounded(x)},${bounded(y)}`;
    showPoint(marker, gravity);
    moved(gravity);
  };
  const follow = (event) => {
    const box = stage.getBoundingClientRect();
    move((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  };
  stage.addEventListener("dragstart", (event) => event.preventDefault());
  stage.addEventListener("pointerdown", (event) => {
    // A finger next to the marker scrolls the page; its tap is a click.
    if (event.button || (event.target !== marker && event.pointerType !== "mouse")) return;
    event.preventDefault();
    // The stage moves the point, so that the marker cannot be left behind.
    stage.setPointerCapture(event.pointerId);
    if (event.target !== marker) follow(event);
    marker.focus({ preventScroll: true });
  });
  stage.addEventListener("pointermove", (event) => { if (stage.hasPointerCapture(event.pointerId)) follow(event); });
  stage.addEventListener("click", (event) => {
    if (event.target !== marker && event.pointerType === "touch") follow(event);
  });
  marker.addEventListener("keydown", (event) => {
    const step = event.shiftKey ? 0.1 : 0.01;
    const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    const point = pointOf(current());
    if (!by || !point) return;
    event.preventDefault();
    move(point.x + by[0], point.y + by[1]);
  });
}
