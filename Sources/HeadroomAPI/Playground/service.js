// Requests to the server that this page comes from.

const base = new URL("./", location.href.split("#")[0]);
let secret = "";

/** Sets the bearer secret of all requests. */
export function authorize(text) { secret = text; }

/** A request that the server refused, or that did not reach it; `message` is the problem's detail. */
export class Refusal extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** The address of a route with a query. */
export function address(route, query) {
  const text = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")
    .replaceAll("%3A", ":").replaceAll("%2C", ",");
  return new URL(text ? `${route}?${text}` : route, base).href;
}

/**
 * Asks a route about a source: `{url}` or `{blob}`.
 * Returns the response with its duration in milliseconds; throws a Refusal.
 */
export async function ask(route, source, query, { signal } = {}) {
  const all = source.url ? [["url", source.url], ...query] : query;
  const headers = {};
  if (secret) headers.Authorization = `Bearer ${secret}`;
  const options = { headers, signal, credentials: "omit", cache: "no-store" };
  if (source.blob) Object.assign(options, { method: "POST", body: source.blob });
  const start = performance.now();
  let response;
  try {
    response = await fetch(address(route, all), options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal("The server cannot be reached.", 0);
  }
  if (!response.ok) throw await refusal(response);
  const body = await response.blob();
  return { response, body, milliseconds: performance.now() - start };
}

async function refusal(response) {
  let message = `The server answered with status ${response.status}.`;
  try {
    const problem = await response.json();
    message = problem.detail ?? problem.title ?? message;
  } catch {
    // Not a problem document: a proxy in between.
  }
  return new Refusal(message, response.status);
}
