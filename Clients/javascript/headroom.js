/**
 * Builds and signs URLs of Headroom, the service that crops images around people. Supports the `<Image>` of Next.js,
 * and unpic. Runs in browsers, Node.js, Deno and edge runtimes, and needs no other module.
 */

const ANY = null;
const BOOLEAN = ["true", "false", "1", "0"];

// Generated: parameters
const IMAGE = {
  url: ANY,
  preset: ANY,
  page: ANY,
  frame: ANY,
  region: ANY,
  accuracy: ["low", "high"],
  minFace: ANY,
  download: ANY,
  v: ANY,
  aspect: ANY,
  width: ANY,
  height: ANY,
  dpr: ANY,
  enlarge: BOOLEAN,
  background: ANY,
  padding: ANY,
  rotate: ["0", "90", "180", "270"],
  flip: ["horizontal", "vertical", "both"],
  mask: ANY,
  chromaKey: ANY,
  tolerance: ANY,
  spill: ANY,
  backdrop: ANY,
  backdropUrl: ANY,
  filter: ANY,
  watermark: ANY,
  watermarkPosition: [
    "top-left", "top", "top-right", "left", "center", "right", "bottom-left", "bottom", "bottom-right",
  ],
  watermarkWidth: ANY,
  watermarkOpacity: ANY,
  watermarkMargin: ANY,
  overlay: ANY,
  redact: ["blur", "pixelate", "fill"],
  redactFaces: ANY,
  redactShape: ["rounded", "oval"],
  redactAreas: ANY,
  quality: ANY,
  chroma: ["auto", "420", "444"],
  progressive: BOOLEAN,
  maxBytes: ANY,
  metadata: ["none", "copyright"],
  losslessCrop: BOOLEAN,
  profile: ["srgb", "keep"],
  key: ANY,
  mark: ANY,
  markPlace: ["top-left", "top", "top-right", "left", "center", "right", "bottom-left", "bottom", "bottom-right"],
  markWidth: ANY,
  markOpacity: ANY,
  markMargin: ANY,
  lossless: BOOLEAN,
};

// Parameters of images of faces.
const PORTRAIT = {
  ...IMAGE,
  upright: BOOLEAN,
  align: ["eyes"],
  eyes: ANY,
  eyeDistance: ANY,
};

/** The accepted values of the parameters of each route, or null for any text. */
export const PARAMETERS = {
  "/frame": {
    ...IMAGE,
    fit: ["cover", "limit", "crop", "inside", "outside", "fill", "pad", "auto"],
    boxOrientation: ["fixed", "swap", "inside", "turn"],
    trim: ANY,
    gravity: ANY,
    offset: ANY,
    focus: ANY,
    fallback: ANY,
    zoom: ANY,
    place: ANY,
    hdr: ["sdr", "keep"],
    animation: ["auto", "still"],
    motion: ["fixed", "follow", "still"],
    placeholder: ["thumbhash", "blurhash"],
    box: ["fixed", "swap", "inside", "turn"],
    format: [
      "auto", "source", "jpeg", "jpg", "png", "webp", "gif", "avif", "mp4", "webm", "json", "focus", "debug", "html",
    ],
  },
  "/faces": {
    ...PORTRAIT,
    format: ["auto", "json", "debug", "zip", "multipart"],
  },
  "/faces/{index}": {
    ...PORTRAIT,
    format: ["auto", "source", "jpeg", "jpg", "png", "webp", "gif", "avif", "json"],
  },
};

// The new name of each deprecated name, and the new word of each deprecated word of a parameter.
const DEPRECATED = {
  key: "chromaKey",
  mark: "watermark",
  markPlace: "watermarkPosition",
  markWidth: "watermarkWidth",
  markOpacity: "watermarkOpacity",
  markMargin: "watermarkMargin",
  box: "boxOrientation",
  lossless: "losslessCrop",
};
const DEPRECATED_VALUES = {
  boxOrientation: { turn: "swap" },
  motion: { still: "fixed" },
};
// End of parameters

// Accepted by all routes: the maximum freshness of the response in seconds.
const AGE = "maxAge";
const LONGEST_AGE = 2_147_483_647;

/**
 * Returns the URL of a crop; without `url`, the URL for uploading an image with POST. `maxAge` shortens the freshness of the
 * response, in seconds.
 */
export function frameURL(address, parameters = {}) {
  return join(address, "/frame", encoded("/frame", parameters));
}

/** Returns the URL of the faces of an image; without `url`, the URL for uploading an image with POST. */
export function facesURL(address, parameters = {}) {
  return join(address, "/faces", encoded("/faces", parameters));
}

/** Returns the URL of one face of an image; face 1 is the largest. Without `url`, it is the URL for uploading an image. */
export function faceURL(address, index, parameters = {}) {
  if (!Number.isInteger(index) || index < 1) {
    throw new RangeError(`face ${index} does not exist: the largest face is 1`);
  }
  return join(address, `/faces/${index}`, encoded("/faces/{index}", parameters));
}

/**
 * Signs a URL with a signing key of the service, as docs/signing.md of the service describes. Keys belong on servers.
 *
 * `expires` is a Date or seconds since 1970. `maxAge` shortens the freshness of the response, in seconds. `maxUpload` and
 * `digest` restrict an upload (`method: "POST"`). `prefix` is the path prefix that a proxy removes, or the service's
 * --path-prefix. Signatures do not cover it.
 */
export async function sign(url, key, { method = "GET", expires, maxAge, maxUpload, digest, prefix = "", ...unknown } = {}) {
  const [stray] = Object.keys(unknown);
  if (stray !== undefined) {
    throw new TypeError(`sign has no option ${stray}: expected one of digest, expires, maxAge, maxUpload, method, prefix`);
  }
  const [base, search = ""] = String(url).split("#")[0].split("?");
  const path = new URL(base, "http://n").pathname;
  if (!path.startsWith(prefix)) {
    throw new RangeError(`the path ${path} does not begin with the prefix ${prefix}`);
  }
  const restrictions = { expires: seconds(expires), maxAge, maxUpload, digest };
  checkRestrictions(restrictions);
  const replaced = new Set([...Object.keys(restrictions).filter((name) => restrictions[name] != null), "signature"]);
  const kept = [...new URLSearchParams(search)].filter(([name]) => !replaced.has(name));
  const added = Object.entries(restrictions).filter(([, value]) => value != null);
  const query = canonicalQuery([...kept, ...added.map(([name, value]) => [name, text(value)])]);
  const signature = await hmac(key, `${method} ${path.slice(prefix.length)}?${query}`);
  return `${base}?${query}${query && "&"}signature=${signature}`;
}

/**
 * Encrypts a source URL for the parameters `url` and `backdropUrl`, as docs/sources.md of the service describes.
 *
 * `key` is a key in the service's --source-encryption-keys-file: 64 hexadecimal digits. Keys belong on servers. Equal
 * URLs have equal results.
 */
export async function encryptURL(url, key) {
  checkAddress("url", url);
  if (!/^[0-9a-f]{64}$/i.test(key)) throw new TypeError("the key is not valid: expected 64 hexadecimal digits");
  const { subtle } = globalThis.crypto;
  const utf8 = new TextEncoder();
  const bytes = Uint8Array.from(key.match(/../g), (digits) => parseInt(digits, 16));
  const code = await subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const digest = await subtle.sign("HMAC", code, utf8.encode(`headroom source nonce\n${url}`));
  const nonce = new Uint8Array(digest).slice(0, 12);
  const secret = await subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt"]);
  const sealed = new Uint8Array(await subtle.encrypt({ name: "AES-GCM", iv: nonce }, secret, utf8.encode(url)));
  const base64 = btoa(String.fromCharCode(...nonce, ...sealed));
  return `enc:${base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/**
 * Returns a loader for the `<Image>` of Next.js: a function of `{ src, width, quality }`.
 *
 * `parameters` apply to every crop, such as `aspect`. `origin` is the URL of the site. It turns a `src` such as
 * `/team.jpg` into the absolute URL that the service fetches.
 */
export function nextLoader(address, { origin, ...parameters } = {}) {
  return ({ src, width, quality }) =>
    frameURL(address, { ...parameters, url: absolute(src, origin), width, ...(quality && { quality }) });
}

/** unpic: returns the URL of the crop of `src` that `operations` describe. `options` contains `baseUrl`, and `origin` as above. */
export function generate(src, operations = {}, options = {}) {
  if (options.baseUrl === undefined) {
    throw new TypeError("the option baseUrl is missing: expected the address of the service");
  }
  const parameters = { ...operations, url: absolute(src, options.origin) };
  for (const side of ["width", "height"]) {
    if (parameters[side] != null) {
      parameters[side] = Math.round(Number(parameters[side]));
    }
  }
  if (parameters.width && parameters.height) {
    delete parameters.aspect; // Both sides together define the aspect ratio, and the service rejects `aspect` in addition to them.
  }
  return frameURL(options.baseUrl, parameters);
}

/** unpic: returns source, operations and options of a URL of `generate`; null for other URLs. */
export function extract(url, options = {}) {
  const [base, search = ""] = String(url).split("#")[0].split("?");
  const query = new URLSearchParams(search);
  const baseUrl = base.slice(0, -"/frame".length);
  const expected = options.baseUrl === undefined ? baseUrl : trimmed(options.baseUrl);
  if (!base.endsWith("/frame") || baseUrl !== expected || !query.get("url")) {
    return null;
  }
  const known = [...query].filter(([name]) => name === AGE || (name !== "url" && Object.hasOwn(PARAMETERS["/frame"], name)));
  const pairs = known.map(([name, value]) => renamed(name, value, []));
  const operations = Object.fromEntries(pairs.map(([name, value]) => [name, parsed(name, value)]));
  return { src: query.get("url"), operations, options: { baseUrl } };
}

/** unpic: returns the URL of `src` with these operations; `src` may be a URL of `generate`, whose operations are replaced. */
export function transform(src, operations = {}, options = {}) {
  const base = extract(src, options);
  if (base === null) {
    return generate(src, operations, options);
  }
  const defined = Object.entries(operations).filter(([, value]) => value !== undefined);
  return generate(base.src, { ...base.operations, ...Object.fromEntries(defined) }, { ...base.options, ...options });
}

const NUMBERS = ["width", "height", "dpr", "trim", "zoom", "rotate", "minFace", "quality", "maxBytes", AGE];

/** Converts a value of a query to an operation. */
function parsed(name, value) {
  if (PARAMETERS["/frame"][name] === BOOLEAN) {
    return value === "true" || value === "1";
  }
  return NUMBERS.includes(name) && value !== "" && !Number.isNaN(Number(value)) ? Number(value) : value;
}

/** Returns the parameters as pairs of text. Throws for an unknown name, and for a value that is not in a list. */
function encoded(route, parameters) {
  const known = PARAMETERS[route];
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null);
  const pairs = given.map(([name, value]) => renamed(name, value, given));
  return pairs.map(([name, value]) => {
    if (name === AGE) {
      checkAge(value);
      return [name, text(value)];
    }
    if (!Object.hasOwn(known, name)) {
      throw new TypeError(`${route} has no parameter ${name}: expected one of ${Object.keys(known).sort().join(", ")}`);
    }
    if (known[name] !== ANY && !known[name].includes(text(value))) {
      throw new RangeError(`${name}=${text(value)} is not valid: expected one of ${known[name].join(", ")}`);
    }
    check(name, value);
    return [name, text(value)];
  });
}

/** Patterns of whole numbers that the service accepts, such as sides in pixels. */
const WHOLE = {
  width: /^(auto|[1-9]\d{0,3}|1[0-5]\d{3}|16[0-2]\d{2}|163[0-7]\d|1638[0-4]|\d+(\.\d+)?%)$/,
  height: /^(auto|[1-9]\d{0,3}|1[0-5]\d{3}|16[0-2]\d{2}|163[0-7]\d|1638[0-4]|\d+(\.\d+)?%)$/,
  quality: /^(auto|source|[1-9]\d?|100)$/,
  maxBytes: /^[1-9]\d*$/,
};
const ADDRESSES = ["url", "backdropUrl"];

/** Throws for a value that no request accepts, because the only effect of a wrong URL would be a missing image. */
function check(name, value) {
  for (const each of [value].flat()) {
    if (typeof each === "number" && !(each >= 0 && Number.isFinite(each))) {
      throw new RangeError(`${name}=${each} is not valid: expected a number that is not negative`);
    }
    if (each instanceof Date || (typeof each === "object" && each !== null && !(each instanceof URL))) {
      throw new TypeError(`${name} is not valid: expected a text, a number, a boolean or a list of them`);
    }
  }
  if (Object.hasOwn(WHOLE, name) && !WHOLE[name].test(text(value))) {
    throw new RangeError(`${name}=${text(value)} is not valid: expected a whole number within the limits of the service`);
  }
  if (ADDRESSES.includes(name)) {
    checkAddress(name, text(value));
  }
}

/** Throws for an image URL that no service can fetch. A path is a URL below the --base-url of the service. */
function checkAddress(name, address) {
  const scheme = /^[^/?#]*(?=:)/.exec(address)?.[0].toLowerCase();
  const host = /^[^/?#]*\.[^/?#.]+(?=\/)/.exec(address);
  if (address === "" || host || (scheme !== undefined && !["http", "https", "s3", "gs", "abs", "local", "enc"].includes(scheme))) {
    throw new RangeError(`${name}=${address.slice(0, 100)} is not valid: expected a URL that begins with https:// or http://`);
  }
}

/** The last second of the year 9999. A larger expiry is probably in milliseconds. */
const LATEST_EXPIRY = 253_402_300_799;

function checkAge(age) {
  if (!(Number.isInteger(age) && age >= 0 && age <= LONGEST_AGE)) {
    throw new RangeError(`maxAge=${age} is not valid: expected seconds from 0 to ${LONGEST_AGE}`);
  }
}

function checkRestrictions({ expires, maxAge, maxUpload, digest }) {
  if (maxAge != null) {
    checkAge(maxAge);
  }
  if (expires != null && !(Number.isInteger(expires) && expires >= 0 && expires <= LATEST_EXPIRY)) {
    throw new RangeError(`expires=${expires} is not valid: expected a Date, or seconds since 1970, not milliseconds`);
  }
  if (maxUpload != null && !(Number.isInteger(maxUpload) && maxUpload > 0)) {
    throw new RangeError(`maxUpload=${maxUpload} is not valid: expected a whole number of bytes`);
  }
  if (digest != null && !/^[0-9a-f]{64}$/i.test(digest)) {
    throw new RangeError(`digest=${digest} is not valid: expected a SHA-256 in 64 hexadecimal digits`);
  }
}

/** A parameter with its new name and value. Throws if both names are given. */
function renamed(name, value, given) {
  const current = Object.hasOwn(DEPRECATED, name) ? DEPRECATED[name] : name;
  if (current !== name && given.some(([other]) => other === current)) {
    throw new TypeError(`${name} is not allowed with ${current}, which is its new name`);
  }
  const words = Object.hasOwn(DEPRECATED_VALUES, current) ? DEPRECATED_VALUES[current] : {};
  return [current, Object.hasOwn(words, value) ? words[value] : value];
}

/** Converts a value to text: lists with commas, and numbers without an exponent. */
function text(value) {
  if (Array.isArray(value)) {
    return value.map(text).join(",");
  }
  const written = String(value);
  return typeof value === "number" && written.includes("e-") ? value.toFixed(20).replace(/0+$/, "") : written;
}

function join(address, path, pairs) {
  const query = canonicalQuery(pairs);
  return `${trimmed(address)}${path}${query && "?"}${query}`;
}

function trimmed(address) {
  return String(address).replace(/\/+$/, "");
}

function absolute(src, origin) {
  try {
    return new URL(src, origin).href;
  } catch {
    throw new TypeError(`${src} is not an absolute URL: the option origin is needed, such as https://www.example.com`);
  }
}

function seconds(expires) {
  if (typeof expires === "string") {
    throw new TypeError(`expires=${expires} is not valid: expected a Date, or seconds since 1970`);
  }
  const time = expires instanceof Date ? expires.getTime() / 1000 : expires;
  return typeof time === "number" ? Math.floor(time) : time;
}

/** Returns the query for a signature: sorted by bytes, and percent-encoded except unreserved characters. */
function canonicalQuery(pairs) {
  const sorted = [...pairs].sort(([a, x], [b, y]) => compareBytes(a, b) || compareBytes(x, y));
  return sorted.map(([name, value]) => `${percentEncoded(name)}=${percentEncoded(value)}`).join("&");
}

function percentEncoded(value) {
  const hexadecimal = (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(value).replace(/[!'()*]/g, hexadecimal);
}

/** Compares code points, whose order equals the order of UTF-8 bytes. `<` compares UTF-16, which has a different order. */
function compareBytes(a, b) {
  const [left, right] = [[...a], [...b]];
  const index = left.findIndex((character, each) => character !== right[each]);
  return index < 0 ? left.length - right.length : left[index].codePointAt(0) - (right[index]?.codePointAt(0) ?? -1);
}

/** Returns HMAC-SHA256 in hexadecimal digits; the text of the key is the HMAC key. */
async function hmac(key, message) {
  const { subtle } = globalThis.crypto;
  const utf8 = new TextEncoder();
  const secret = await subtle.importKey("raw", utf8.encode(key), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const digest = new Uint8Array(await subtle.sign("HMAC", secret, utf8.encode(message)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
