// Requests to the service that this page comes from.

const base = new URL("../", import.meta.url);
let secret = "";
/** Bytes per millisecond of the last upload. */
let rate = Infinity;

/** The URL of the service for clients: the setting `public-url`, or the URL of this page. */
export const home = document.querySelector("meta[name=public-url]")?.content || base.href;

/** Sets the bearer secret of all requests. */
export function authorize(text) { secret = text; }

/** The time to send a file, in seconds, at the speed of the last upload. */
export const secondsToSend = (blob) => blob.size / rate / 1000;

/** A request that the service rejected, or that did not reach it; `errors` contains its invalid parameters. */
export class Refusal extends Error {
  constructor(message, { status = 0, errors = [] } = {}) {
    super(message);
    Object.assign(this, { status, errors });
  }
}

/** The URL of a route with a query. */
export function address(route, query, host = base.href) {
  const text = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")
    .replaceAll("%3A", ":").replaceAll("%2C", ",");
  return `${host.replace(/\/*$/, "/")}${route}${text && "?"}${text}`;
}

/** The processing time of the service in milliseconds, from `Server-Timing`. */
const worked = (header) => [...header.matchAll(/dur=([\d.]+)/g)].reduce((sum, [, each]) => sum + Number(each), 0);

/**
 * Sends a source (`{url}` or `{blob}`) to a route. `progress` gets the direction, `send` or `receive`, and the
 * fraction, 0 to 1. Returns the body, its headers and the duration in milliseconds; throws a Refusal or an AbortError.
 */
export function ask(route, source, query, { signal, progress } = {}) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    // fetch() does not report the progress of uploads.
    const request = new XMLHttpRequest();
    request.open(source.blob ? "POST" : "GET", address(route, source.url ? [["url", source.url], ...query] : query));
    request.responseType = "blob";
    request.setRequestHeader("Cache-Control", "no-cache");
    if (secret) request.setRequestHeader("Authorization", `Bearer ${secret}`);
    const header = (name) => request.getResponseHeader(name) ?? "";
    const share = (direction) => (event) => { if (event.total) progress?.(direction, event.loaded / event.total); };
    request.upload.onprogress = source.blob ? share("send") : null;
    request.onprogress = share("receive");
    request.onreadystatechange = () => {
      if (request.readyState !== XMLHttpRequest.HEADERS_RECEIVED || !source.blob || request.status !== 200) return;
      rate = source.blob.size / Math.max(1, performance.now() - start - worked(header("Server-Timing")));
    };
    request.onload = async () => {
      if (request.status !== 200) return reject(await refusal(request));
      resolve({ body: request.response, header, milliseconds: performance.now() - start });
    };
    request.onerror = () => reject(new Refusal("The service cannot be reached."));
    request.onabort = () => reject(new DOMException("", "AbortError"));
    if (signal?.aborted) return request.onabort();
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(source.blob);
  });
}

async function refusal({ status, response }) {
  try {
    const problem = JSON.parse(await response.text());
    return new Refusal(problem.detail ?? problem.title, { status, errors: problem.errors });
  } catch {
    // Not a problem document: the response of a proxy in between.
    return new Refusal(`The service responded with status ${status}.`, { status });
  }
}
