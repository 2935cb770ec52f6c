// The plan of a clip: people over time, the path of the crop, and manual changes. Lengths are pixels of the clip.

/** The maximum distance that a head moves between two frames, in head widths, and its maximum growth. */
const [REACH, GROWTH] = [1.6, 1.7];
/** The fraction of the heads' movement that the shown path follows from one frame to the next. */
const FOLLOW = 0.35;

/** The size of the widest crop with an aspect ratio. */
export function cropSize(size, aspect) {
  const [across, down] = aspect.split(":").map(Number);
  const shape = across / down;
  return size.width / size.height > shape ? { width: size.height * shape, height: size.height }
    : { width: size.width, height: size.width / shape };
}

const middle = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });

/** Assigns each head of each frame the number of its person: the number of the nearest head in the previous frame. */
export function link(frames) {
  let [next, before] = [1, []];
  for (const frame of frames) {
    const pairs = frame.heads.flatMap((head, index) => before.map((other) => {
      const [one, two] = [middle(head), middle(other)];
      const way = Math.hypot(one.x - two.x, one.y - two.y) / Math.max(head.width, other.width);
      const growth = Math.max(head.width, other.width) / Math.max(1, Math.min(head.width, other.width));
      return { index, person: other.person, way, fits: way <= REACH && growth <= GROWTH };
    })).filter(({ fits }) => fits).sort((one, other) => one.way - other.way);
    const [taken, used] = [new Map(), new Set()];
    for (const { index, person } of pairs) {
      if (taken.has(index) || used.has(person)) continue;
      taken.set(index, person);
      used.add(person);
    }
    frame.heads.forEach((head, index) => { head.person = taken.get(index) ?? next++; });
    // A person who is missing in up to two frames keeps the number.
    before = [...frame.heads, ...before.filter(({ person, age = 0 }) => age < 2 && !used.has(person))
      .map((head) => ({ ...head, age: (head.age ?? 0) + 1 }))];
  }
}

/** Manual changes, and their plan. */
export class Edits {
  constructor(plan = null) {
    this.plan = plan;
    this.crops = new Map((plan?.edits?.crops ?? []).map((edit) => [this.timeOf(edit), edit]));
    this.shots = plan?.edits?.shots ?? [];
    this.past = [];
  }

  timeOf(edit) { return edit.time ?? edit.frame / (this.plan?.source?.fps ?? 25); }

  /** Stores the state for `undo`. */
  keep() { this.past.push([new Map(this.crops), [...this.shots]]); }

  undo() { if (this.past.length) [this.crops, this.shots] = this.past.pop(); }

  /** Sets the crop at a time. */
  move(time, { x, y }) { this.crops.set(time, { time: round(time), x: round(x), y: round(y) }); }

  remove(time) { this.crops.delete(time); }

  /** Shows only one person in the shot at a time. */
  pick(time, head) {
    const { x, y } = middle(head);
    const person = { time: round(time), x: round(x), y: round(y) };
    this.shots = [...this.shots.filter((shot) => this.timeOf(shot) !== round(time)), { time: round(time), people: [person] }];
  }

  get count() { return this.crops.size + this.shots.length; }
}

const round = (value) => Math.round(value * 1000) / 1000;

/** The document that `headroom reframe --plan-from` reads. A plan without frames is planned with the changes. */
export function planDocument(edits, aspect, layout) {
  const changes = { crops: [...edits.crops.values()].sort((one, other) => edits.timeOf(one) - edits.timeOf(other)), shots: edits.shots };
  return edits.plan ? { ...edits.plan, edits: changes } : { version: 1, aspect, layout, edits: changes };
}

/** The shown crops, with the changes: the crops of the plan or, without a plan, an estimate of the program's plan. */
export function path(frames, size, aspect, edits) {
  const crop = cropSize(size, aspect);
  const inside = (x, y) => ({ ...crop, x: Math.min(Math.max(x, 0), size.width - crop.width),
    y: Math.min(Math.max(y, 0), size.height - crop.height) });
  const planned = edits.plan?.frames ? frames.map(({ time }) => plannedCrop(edits.plan, time, inside)) : estimate(frames, inside, crop, edits);
  const keys = [...edits.crops].sort(([one], [other]) => one - other).map(([time, { x, y }]) => {
    const nearest = frames.reduce((best, frame, index) => Math.abs(frame.time - time) < Math.abs(frames[best].time - time) ? index : best, 0);
    return { time, x: (x ?? planned[nearest].x) - planned[nearest].x, y: (y ?? planned[nearest].y) - planned[nearest].y };
  });
  return planned.map((shown, index) => {
    const way = offset(keys, frames[index].time);
    const moved = inside(shown.x + way.x, shown.y + way.y);
    return { ...shown, x: moved.x, y: moved.y };
  });
}

function offset(keys, time) {
  if (!keys.length) return { x: 0, y: 0 };
  const next = keys.findIndex((key) => key.time >= time);
  if (next < 0) return keys.at(-1);
  if (next === 0 || keys[next].time === time) return keys[next];
  const [from, to] = [keys[next - 1], keys[next]];
  const share = (time - from.time) / (to.time - from.time);
  return { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) };
}

function plannedCrop(plan, time, inside) {
  const number = Math.min(plan.frames.length - 1, Math.round(time * (plan.source?.fps ?? 25)));
  const { x, y, width, height } = plan.frames[Math.max(0, number)];
  return { ...inside(x, y), x, y, width, height };
}

/** A slowly following crop around the selected person, or the frame's own crop. */
function estimate(frames, inside, crop, edits) {
  let last = null;
  return frames.map((frame) => {
    const picked = edits.shots.flatMap((shot) => shot.people ?? []).map((place) => personAt(frames, edits.timeOf(place), place));
    const head = frame.heads.find(({ person }) => picked.includes(person));
    const at = head ? middle(head) : frame.crop ? middle(frame.crop) : last;
    const wanted = at ?? middle({ x: 0, y: 0, width: crop.width, height: crop.height });
    last = last && !frame.isCut ? { x: last.x + FOLLOW * (wanted.x - last.x), y: last.y + FOLLOW * (wanted.y - last.y) } : wanted;
    return inside(last.x - crop.width / 2, last.y - crop.height / 2);
  });
}

function personAt(frames, time, { x, y }) {
  const frame = frames.reduce((best, each) => Math.abs(each.time - time) < Math.abs(best.time - time) ? each : best, frames[0]);
  const near = (head) => Math.hypot(middle(head).x - x, middle(head).y - y);
  return [...frame.heads].sort((one, other) => near(one) - near(other))[0]?.person;
}
