// The texts to copy: the request in several forms, one form at a time.

import { make } from "./controls.js";
import { extension } from "./formats.js";
import { address, ask, home } from "./service.js";
import { pairs } from "./state.js";

const EXAMPLE = "https://example.com/image.jpg";
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** The option that signs for a service below a path; empty for a service at `/`. */
function below(host) {
  const path = host.replace(/^[\w+.-]+:\/\//, "").replace(/^[^/]*/, "").replace(/\/+$/, "");
  return path && ` --path-prefix ${quoted(path)}`;
}

/** The forms: a title, the condition for offering the form, its text and its explanation. */
const FORMS = [
  ["URL", ({ byURL, isFile }) => ({
    text: byURL, hint: isFile ? `${EXAMPLE} represents the URL of your image.` : "",
  })],
  ["curl", ({ byURL, isFile, source, query, host, type }) => ({
    text: (isFile
      ? `curl --fail-with-body --data-binary @${quoted(source.name)} \\\n    ${quoted(address("frame", query, host))}`
      : `curl --fail-with-body ${quoted(byURL)}`) + ` \\\n    --output crop.${extension(type)}`,
  })],
  ["HTML", html],
  ["CSS", ({ css }) => ({ text: css.join("\n"), hint: "For the whole image in an img element." })],
  ["Focal point", ({ plan }) => ({
    text: `${plan.focus.x}, ${plan.focus.y}`,
    hint: "From 0 to 1, from the top left. format=focus returns it in the syntax of other services.",
  })],
  ["Signed URL", ({ url, query, host }) => ({
    text: [`headroom sign /frame${below(host)}`, ...[["url", url], ...query].map(([name, value]) => quoted(`${name}=${value}`))]
      .join(" "),
    hint: "Prints the path of a signed request, for a service with keys.",
  })],
  ["JSON", ({ plan, source }) => ({
    text: JSON.stringify(plan, null, 2),
    hint: source.copy ? "Computed from the reduced copy. The plan of the file differs by a few pixels." : "",
  })],
];

/**
 * The CSS that makes a browser crop the whole image in the same way; nil if that is not possible. The crop must be the
 * largest crop with its aspect ratio, and nothing else may be changed.
 */
export function styles(state, plan) {
  const { crop, output, position, contentRect } = plan.crops[0];
  const { width, height } = plan.source;
  const changes = ["rotate", "flip", "filter", "overlay", "redact", "chromaKey", "region", "trim"];
  if (changes.some((name) => state[name]) || plan.region || state.motion === "follow") return null;
  const isLargest = Math.abs(crop.width - width) < 2 || Math.abs(crop.height - height) < 2;
  const colour = state.background ?? "ffffff";
  if (!isLargest || (contentRect && !/^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.test(colour))) return null;
  const fit = contentRect ? "contain" : state.fit === "fill" ? "fill" : "cover";
  // CSS cannot describe bars around a crop that is not the whole image.
  if (contentRect && Math.abs(crop.width - width) + Math.abs(crop.height - height) > 3) return null;
  const bars = contentRect ? [`background: #${colour.replace("#", "")};`] : [];
  return [`aspect-ratio: ${output.width} / ${output.height};`, `object-fit: ${fit};`, `object-position: ${position};`, ...bars];
}

async function html({ state, source, isFile, css, host, url }, signal) {
  if (isFile) {
    if (!css) return { hint: "A browser cannot crop the file like this. Load the image by its URL." };
    const escaped = source.name.replace(/[&"<]/g, (sign) => `&#${sign.charCodeAt(0)};`);
    return { text: `<img src="${escaped}" alt=""\n     style="width: 100%; height: auto; ${css.join(" ")}">` };
  }
  const { body } = await ask("frame", { url }, [...pairs(state, "format"), ["format", "html"]], { signal });
  // The service's own URLs are paths below its prefix, or begin with its public URL.
  const text = (await body.text()).trim().replace(/(["\s])(?:https?:\/\/[^\s"/]+)?\/(?:[\w.~%-]+\/)*(?=frame\?)/g, `$1${host.replace(/\/*$/, "/")}`);
  return { text, hint: "The browser chooses a file by the width of its window. Set sizes to the width of the image in your page." };
}

/** Shows tabs of all forms; `given()` is `{state, source, plan, result}`. Returns the function that refreshes them. */
export function showForms(tabs, panel, base, given) {
  let selected = "URL";
  let running = new AbortController();
  base.value = home;
  const render = async () => {
    const { state, source, plan, result } = given();
    if (!plan) return;
    const [query, url, host] = [pairs(state), source.url ?? EXAMPLE, base.value.trim() || home];
    const context = {
      state, source, plan, query, url, host, isFile: !source.url, css: styles(state, plan),
      byURL: address("frame", [["url", url], ...query], host), type: result?.body.type ?? "image/jpeg",
    };
    const offered = FORMS.filter(([title]) => title !== "CSS" || context.css);
    if (!offered.some(([title]) => title === selected)) selected = "URL";
    for (const [title, tab] of all) {
      tab.hidden = !offered.some(([each]) => each === title);
      tab.setAttribute("aria-selected", String(title === selected));
      tab.tabIndex = title === selected ? 0 : -1;
    }
    panel.setAttribute("aria-labelledby", all.get(selected).id);
    running.abort();
    running = new AbortController();
    const { signal } = running;
    try {
      const made = await offered.find(([title]) => title === selected)[1](context, signal);
      if (!signal.aborted) fill(panel, selected, made);
    } catch (refusal) {
      if (refusal.name !== "AbortError") fill(panel, selected, { hint: refusal.message });
    }
  };
  const all = new Map(FORMS.map(([title]) => {
    const tab = make("button", { type: "button", role: "tab", id: `tab-${title.replace(/\W/g, "")}`, textContent: title });
    tab.setAttribute("aria-controls", panel.id);
    tab.addEventListener("click", () => {
      selected = title;
      render();
    });
    return [title, tab];
  }));
  tabs.append(...all.values());
  tabs.addEventListener("keydown", ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    const there = [...all.values()].filter((tab) => !tab.hidden);
    if (!step) return;
    const next = there.at((there.indexOf(document.activeElement) + step) % there.length);
    next.focus();
    next.click();
  });
  base.addEventListener("input", render);
  return render;
}

function fill(panel, title, { text, hint }) {
  const parts = [];
  if (text) {
    const block = make("pre", { tabIndex: 0, textContent: text });
    block.setAttribute("role", "region");
    block.setAttribute("aria-label", title);
    const button = make("button", { type: "button", textContent: "Copy", className: "copy" });
    button.addEventListener("click", async () => {
      button.textContent = await copy(text, block);
      setTimeout(() => { button.textContent = "Copy"; }, 3000);
    });
    button.setAttribute("aria-live", "polite");
    parts.push(block, button);
  }
  if (hint) parts.push(make("p", { className: "hint", textContent: hint }));
  panel.replaceChildren(...parts);
}

/** Copies a text; if the browser does not offer a clipboard (plain HTTP), selects the text instead. */
async function copy(text, block) {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied";
  } catch {
    getSelection().selectAllChildren(block);
    return document.execCommand?.("copy") ? "Copied" : "Selected: press Ctrl+C";
  }
}
