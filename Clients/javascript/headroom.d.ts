/** Positions of a crop without faces: the centre, an edge or a corner. */
export type Anchor =
  | "center"
  | "top"
  | "bottom"
  | "left"
  | "right"
  | "top-left"
  | "top-right"
  | "bottom-left"
  | "bottom-right";

// Generated: parameters
/** The words of `gravity`. */
export type Gravity = "faces" | "largest" | "smallest" | "centermost" | "subject" | "attention" | "center" | "top" | "bottom" | "left" | "right" | "top-left" | "top-right" | "bottom-left" | "bottom-right";

/** Parameters of every route; a value of `null` or `undefined` is left out. */
export interface ImageParameters {
  /** The URL of the image, absolute. Without it, the URL is one for uploads. */
  url?: string;
  /** Named set of parameters, defined by the operator. Explicit parameters override it. */
  preset?: string;
  /** Page of a document. Only for files read by a converter. */
  page?: number;
  /** Position of a video's frame in seconds. Only for files read by a converter. */
  frame?: string;
  /** Part of the source to use, as x,y,width,height: fractions such as 0.25, or pixels such as 24px. */
  region?: string;
  /** low: one fast detection pass, which finds larger faces only. */
  accuracy?: "low" | "high";
  /** Minimum face size, as a fraction of the image's shorter side. Smaller values take longer. */
  minFace?: number;
  /** File name for saving in browsers. true: the name of the source. The extension is set to match the output format. */
  download?: string;
  /** Version of the source. Change it when the image at the URL changes. Caches keep each version for a year. */
  v?: string | number;
  /** Aspect ratio of the crop, width to height: 16:9, 1.91:1 or 1.5, from 1:100 to 100:1. A comma-separated list gives one crop per ratio, in plans and HTML. faces: the bounding box of all heads with `padding`. */
  aspect?: string | number | readonly (string | number)[];
  /** Output width in pixels, or a percentage of the width of the source or `region`, for example 50%. auto: from client hints. */
  width?: number | string;
  /** Output height in pixels, or a percentage of the height of the source or `region`, for example 50%. */
  height?: number | string;
  /** Device pixel ratio. Multiplies `width` and `height`. auto: from client hints. */
  dpr?: number | "auto";
  /** Allow the output to be larger than the crop. */
  enlarge?: boolean;
  /** Fill for bars and transparent pixels: a colour such as ffffff, transparent, blur (the blurred image) or average (its mean colour). */
  background?: string;
  /** Space around each head, up to the image edge: a fraction of the head's height such as 0.2, or pixels such as 24px. */
  padding?: number | string;
  /** Rotates the output clockwise. `aspect`, `width` and `height` apply after the rotation. */
  rotate?: 0 | 90 | 180 | 270;
  /** Mirrors the output, after `rotate`. */
  flip?: "horizontal" | "vertical" | "both";
  /** Outline of the output. circle: the largest ellipse. rounded:N: rounded corners with radius N, a fraction of the shorter side (0 to 0.5) or pixels such as 24px. The outside is transparent, or filled with `background`. */
  mask?: string;
  /** Chroma key: the colour to make transparent, such as 00ff00 for a green screen. auto: the colour of the borders. */
  chromaKey?: string;
  /** Maximum difference from the key colour of a pixel that becomes fully transparent. Higher removes more. */
  tolerance?: number;
  /** Spill suppression: strength of removing the key colour from visible pixels. */
  spill?: number;
  /** Replacement for the key colour: a colour such as 0044cc, or blur for the blurred image. */
  backdrop?: string;
  /** URL of an image that replaces the key colour. */
  backdropUrl?: string;
  /** Filters for the output, separated by commas: mono, noir, tonal, sepia, chrome, fade, instant, process, transfer, invert, vignette, blur:N, sharpen:N[:R], brightness:N, contrast:N, saturation:N, hue:N, gamma:N. */
  filter?: string;
  /** Name of the watermark to draw. It avoids heads. */
  watermark?: string;
  /** Position of the watermark. If it would cover a head, it moves to the nearest free corner. */
  watermarkPosition?: "top-left" | "top" | "top-right" | "left" | "center" | "right" | "bottom-left" | "bottom" | "bottom-right";
  /** Width of the watermark, as a fraction of the output width. */
  watermarkWidth?: number;
  /** Opacity of the watermark, multiplied by its own alpha. */
  watermarkOpacity?: number;
  /** Distance of the watermark from the edges: a fraction of the output's shorter side such as 0.03, or pixels such as 16px. */
  watermarkMargin?: number | string;
  /** Stickers to draw on every face, separated by commas: halo, glasses, hat, moustache, or names from --overlays. */
  overlay?: string;
  /** Makes heads unrecognisable in every image of the response. fill: plain grey. */
  redact?: "blur" | "pixelate" | "fill";
  /** Heads to redact: all, others (all except the largest face), face numbers such as 1,3, or none (with `redactAreas` only). Streams accept all and none. */
  redactFaces?: string | number;
  /** Outline of redacted areas. rounded: a rounded rectangle. oval: an ellipse, which covers more. */
  redactShape?: "rounded" | "oval";
  /** Areas to redact in addition to heads, as x,y,width,height like `region`, separated by semicolons. */
  redactAreas?: string;
  /** 1 to 100, with the same visual quality in JPEG, WebP, AVIF and GIF. source: quality of the JPEG source. auto: lower if the client sends Save-Data. */
  quality?: number | "source" | "auto";
  /** Chroma subsampling of JPEG and AVIF. auto: 444 at quality 90 and above, otherwise 420. */
  chroma?: "auto" | "420" | "444";
  /** Write progressive JPEG: smaller, slower to encode. */
  progressive?: boolean;
  /** Maximum output size in bytes. The quality is reduced until the output fits. */
  maxBytes?: number;
  /** Source metadata to keep. copyright: artist, copyright and credit. */
  metadata?: "none" | "copyright";
  /** Crop a JPEG without re-encoding. The crop starts at a block boundary. */
  losslessCrop?: boolean;
  /** srgb: convert colours to sRGB. keep: leave the colours and the ICC profile unchanged. */
  profile?: "srgb" | "keep";
  /** @deprecated Use `chromaKey`. */
  key?: string;
  /** @deprecated Use `watermark`. */
  mark?: string;
  /** @deprecated Use `watermarkPosition`. */
  markPlace?: "top-left" | "top" | "top-right" | "left" | "center" | "right" | "bottom-left" | "bottom" | "bottom-right";
  /** @deprecated Use `watermarkWidth`. */
  markWidth?: number;
  /** @deprecated Use `watermarkOpacity`. */
  markOpacity?: number;
  /** @deprecated Use `watermarkMargin`. */
  markMargin?: number | string;
  /** @deprecated Use `losslessCrop`. */
  lossless?: boolean;
}

/** Parameters of `/frame`. */
export interface FrameParameters extends ImageParameters {
  /** Fit of the source to the requested size. cover: crop. limit: crop, but never exceed the source's sides. crop: cut out `width` × `height` without scaling. inside: whole image within the size. outside: whole image covering the size. fill: stretch. pad: whole image with bars. auto: bars only if a crop would cut a head. */
  fit?: "cover" | "limit" | "crop" | "inside" | "outside" | "fill" | "pad" | "auto";
  /** Handling of images whose orientation differs from the requested size. swap: exchange `width` and `height`. inside: show the whole image within the size. fixed: nothing. */
  boxOrientation?: "fixed" | "swap" | "inside" | "turn";
  /** Trims uniform borders first. The value is the colour tolerance, compared with the top left pixel. Use 10 for JPEG. */
  trim?: number;
  /** Alignment of the crop: faces, largest, smallest, centermost, subject, attention, center, top, bottom, left, right, top-left, top-right, bottom-left, bottom-right, face:N (the Nth largest face), point:X,Y (fractions from the top left) or object:NAME,… (objects of these classes). centermost: the face nearest the centre. subject: people, animals and things. attention: the area with the most detail and skin colour. */
  gravity?: Gravity | (string & {});
  /** Moves the crop by X,Y: inwards from the edges that `gravity` names, otherwise right and down from the centre. Output pixels such as 10px,20px, or fractions of the source such as 0.1,0. */
  offset?: string;
  /** Areas to keep like heads: x,y,width,height[,weight], separated by semicolons, in the units of `region`. Without `gravity` they replace faces. A negative weight excludes an area, such as a logo, unless that would cut a head. */
  focus?: string;
  /** Crop to use if no face is found: attention, center, top, bottom, left, right, top-left, top-right, bottom-left, bottom-right, original, error, or point:X,Y. attention: the main people, animals and things, otherwise detail and skin colour. original: the whole image, without `aspect`. error: status 422. */
  fallback?: "attention" | "center" | "top" | "bottom" | "left" | "right" | "top-left" | "top-right" | "bottom-left" | "bottom-right" | "original" | "error" | (string & {});
  /** Tightness of the crop: 0 is the largest possible crop, 1 the smallest that contains the heads with padding. */
  zoom?: number;
  /** Position of the people in the crop: center, thirds, left, right, top, bottom, keep, or X,Y as fractions from the top left. thirds: eyes on the upper third. keep: same relative position as in the source. */
  place?: "center" | "thirds" | "left" | "right" | "top" | "bottom" | "keep" | (string & {});
  /** keep: also crop the gain map of an Ultra HDR photo, so the JPEG is still brighter on HDR displays; colours are not converted. sdr: drop the gain map. */
  hdr?: "sdr" | "keep";
  /** auto: keep animations in WebP, GIF and AVIF. still: output the first frame only. */
  animation?: "auto" | "still";
  /** Crop of animations. fixed: one crop for all frames. follow: the crop follows people. */
  motion?: "fixed" | "follow" | "still";
  /** Adds a ThumbHash or BlurHash and the dominant colour of each crop to the plan. */
  placeholder?: "thumbhash" | "blurhash";
  /** @deprecated Use `boxOrientation`. */
  box?: "fixed" | "swap" | "inside" | "turn";
  format?: "auto" | "source" | "jpeg" | "jpg" | "png" | "webp" | "gif" | "avif" | "mp4" | "webm" | "json" | "focus" | "debug" | "html";
}

/** Parameters of `/faces`. */
export interface FacesParameters extends ImageParameters {
  /** Rotate images of faces until the eyes are level. */
  upright?: boolean;
  /** Moves the eyes to the same position in every image of a face. */
  align?: "eyes";
  /** Height of the eyes, as a fraction of the output height from the top. */
  eyes?: number;
  /** Distance between the eyes, as a fraction of the output's shorter side. A head is about 3.2 times as high. */
  eyeDistance?: number;
  format?: "auto" | "json" | "debug" | "zip" | "multipart";
}

/** Parameters of `/faces/{index}`. */
export interface FaceParameters extends ImageParameters {
  /** Rotate images of faces until the eyes are level. */
  upright?: boolean;
  /** Moves the eyes to the same position in every image of a face. */
  align?: "eyes";
  /** Height of the eyes, as a fraction of the output height from the top. */
  eyes?: number;
  /** Distance between the eyes, as a fraction of the output's shorter side. A head is about 3.2 times as high. */
  eyeDistance?: number;
  format?: "auto" | "source" | "jpeg" | "jpg" | "png" | "webp" | "gif" | "avif" | "json";
}
// End of parameters

/** The parameters of each route. The value lists the accepted values; null accepts any text. */
export const PARAMETERS: Readonly<
  Record<"/frame" | "/faces" | "/faces/{index}", Readonly<Record<string, readonly string[] | null>>>
>;

export interface Freshness {
  /** The maximum freshness of the response in seconds: it shortens the times in `Cache-Control`. */
  maxAge?: number;
}

/**
 * Returns the URL of a crop; without `url`, the URL for uploading an image with POST.
 * @throws TypeError for an unknown parameter, RangeError for a value that is not in the list of its parameter.
 */
export function frameURL(address: string, parameters?: FrameParameters & Freshness): string;

/** Returns the URL of the faces of an image; without `url`, the URL for uploading an image with POST. */
export function facesURL(address: string, parameters?: FacesParameters & Freshness): string;

/** Returns the URL of one face of an image; face 1 is the largest. Without `url`, it is the URL for uploading an image. */
export function faceURL(address: string, index: number, parameters?: FaceParameters & Freshness): string;

export interface SignOptions extends Freshness {
  /** The method. A signature for the default, `"GET"`, is also valid for HEAD. */
  method?: "GET" | "POST";
  /** The expiry of the signature: a time, or seconds since 1970. */
  expires?: Date | number;
  /** For POST: the maximum size of the body in bytes. */
  maxUpload?: number;
  /** For POST: the SHA-256 of the only valid body, in hexadecimal digits. */
  digest?: string;
  /** The path prefix that a proxy removes, or the service's --path-prefix. */
  prefix?: string;
}

/**
 * Signs a URL with a signing key of the service. Keys belong on servers.
 * @throws TypeError for an unknown option, because the signature would not contain its restriction.
 */
export function sign(url: string | URL, key: string, options?: SignOptions): Promise<string>;

/**
 * Encrypts a source URL for the parameters `url` and `backdropUrl`. Keys belong on servers. @param key a key in the
 * service's --source-encryption-keys-file: 64 hexadecimal digits. @throws TypeError for a key or a URL that is not
 * valid.
 */
export function encryptURL(url: string, key: string): Promise<string>;

export interface NextLoaderOptions extends Omit<FrameParameters, "url" | "width">, Freshness {
  /** The URL of the site, for a relative `src`. */
  origin?: string;
}

/** Returns a loader for the `<Image>` of Next.js. */
export function nextLoader(
  address: string,
  options?: NextLoaderOptions,
): (image: { src: string; width: number; quality?: number }) => string;

/** The operations of unpic: `width`, `height`, `format` and `quality`, and the other parameters of `/frame`. */
export interface HeadroomOperations extends Omit<FrameParameters, "url" | "width" | "height" | "quality">, Freshness {
  width?: number | string;
  height?: number | string;
  quality?: number | string;
}

export interface HeadroomOptions {
  /** The URL of the service. */
  baseUrl?: string;
  /** The URL of the site, for a relative `src`. */
  origin?: string;
}

/** unpic: returns the URL of the crop of `src` that `operations` describe. */
export function generate(src: string | URL, operations?: HeadroomOperations, options?: HeadroomOptions): string;

/** unpic: returns source, operations and options of a URL of `generate`; null for other URLs. */
export function extract(
  url: string | URL,
  options?: HeadroomOptions,
): { src: string; operations: HeadroomOperations; options: HeadroomOptions } | null;

/** unpic: returns the URL of `src` with these operations; `src` may be a URL of `generate`, whose operations are replaced. */
export function transform(src: string | URL, operations?: HeadroomOperations, options?: HeadroomOptions): string;
