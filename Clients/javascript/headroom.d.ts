/** Parameters of every route; a value of `null` or `undefined` is left out. */
export interface PictureParameters {
  /** The URL of the picture, absolute. Without it, the URL is one for uploads. */
  url?: string;
  /** Shape of the crop, such as `"16:9"` or `1.5`; several with `format: "json"` and `"html"`. */
  aspect?: string | number | readonly (string | number)[];
  width?: number;
  height?: number;
  dpr?: number;
  enlarge?: boolean;
  /** `X,Y,WIDTH,HEIGHT`: shares of the picture, or pixels such as `120px`. */
  region?: string;
  padding?: number | string;
  /** Degrees clockwise. */
  rotate?: 0 | 90 | 180 | 270;
  flip?: "horizontal" | "vertical" | "both";
  /** The colour that becomes transparent, such as `00ff00`, or `auto` for that of the borders. */
  key?: string;
  tolerance?: number;
  spill?: number;
  /** A colour, or `blur`. */
  backdrop?: string;
  /** The address of the picture behind. */
  backdropUrl?: string;
  /** Filters such as `mono` and `blur:4`, separated by commas. */
  filter?: string;
  accuracy?: "low" | "high";
  minFace?: number;
  quality?: number | "source";
  chroma?: "auto" | "420" | "444";
  progressive?: boolean;
  /** The largest result in bytes. */
  maxBytes?: number;
  metadata?: "none" | "copyright";
  lossless?: boolean;
  profile?: "srgb" | "keep";
  /** Names of stickers, separated by commas. */
  overlay?: string;
  /** Makes heads unrecognisable. */
  redact?: "blur" | "pixelate" | "fill";
  /** `all`, `others` (all but the largest), numbers of faces separated by commas, or `none` with `redactAreas`. */
  redactFaces?: string | number;
  redactShape?: "rounded" | "oval";
  /** Rectangles like `region`, separated by semicolons. */
  redactAreas?: string;
  v?: string | number;
}

/** Where a crop can lie without faces: the middle, an edge or a corner. */
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

/** The words of `gravity`. */
export type Gravity = "faces" | "largest" | "smallest" | "attention" | Anchor;

/** Parameters of `/frame`. */
export interface FrameParameters extends PictureParameters {
  fit?: "cover" | "limit" | "inside" | "outside" | "fill" | "pad" | "auto";
  /** Whether `width` and `height` are exchanged for a picture of the other orientation. */
  box?: "fixed" | "turn";
  background?: string;
  /** The largest difference between samples of a plain border, 0 to 255. */
  trim?: number;
  /** A word, `face:N`, or `point:X,Y`. */
  gravity?: Gravity | (string & {});
  /** Regions, each optionally with its weight, separated by semicolons. */
  focus?: string;
  fallback?: "attention" | Anchor | "original" | "error";
  zoom?: number;
  place?: "center" | "thirds" | "left" | "right" | "top" | "bottom";
  animation?: "auto" | "still";
  motion?: "still" | "follow";
  format?: "auto" | "source" | "jpeg" | "jpg" | "png" | "webp" | "avif" | "gif" | "json" | "focus" | "debug" | "html";
}

/** Parameters of `/faces`. */
export interface FacesParameters extends PictureParameters {
  /** Whether faces are turned until their eyes are level. */
  upright?: boolean;
  /** Puts the eyes at the same place of every picture. */
  align?: "eyes";
  /** Height of the eyes with `align`, as a share of the result's height. */
  eyes?: number;
  /** What a turned picture does not cover. */
  background?: string;
  format?: "auto" | "json" | "debug" | "zip" | "multipart";
}

/** Parameters of `/faces/{index}`. */
export interface FaceParameters extends PictureParameters {
  /** Whether faces are turned until their eyes are level. */
  upright?: boolean;
  /** Puts the eyes at the same place of every picture. */
  align?: "eyes";
  /** Height of the eyes with `align`, as a share of the result's height. */
  eyes?: number;
  /** What a turned picture does not cover. */
  background?: string;
  format?: "auto" | "source" | "jpeg" | "jpg" | "png" | "webp" | "avif" | "gif" | "json";
}

/** The parameters of each route, with their values, or null for any text. */
export const PARAMETERS: Readonly<
  Record<"/frame" | "/faces" | "/faces/{index}", Readonly<Record<string, readonly string[] | null>>>
>;

/**
 * The URL of a crop; without `url` that to which a picture is uploaded with POST.
 * @throws TypeError for an unknown parameter, RangeError for a value that is none of a list.
 */
export function frameURL(address: string, parameters?: FrameParameters): string;

/** The URL of the faces of a picture; without `url` that to which a picture is uploaded with POST. */
export function facesURL(address: string, parameters?: FacesParameters): string;

/** The URL of one face of a picture, the largest of which is 1; without `url` that to which a picture is uploaded. */
export function faceURL(address: string, index: number, parameters?: FaceParameters): string;

export interface SignOptions {
  /** `"GET"` by default; it is also that of HEAD. */
  method?: "GET" | "POST";
  /** The end of the signature: a time, or seconds since 1970. */
  expires?: Date | number;
  /** For POST: the largest body in bytes. */
  maxUpload?: number;
  /** For POST: the SHA-256 of the only valid body, in hexadecimal digits. */
  digest?: string;
  /** A beginning of the path that a proxy removes. */
  prefix?: string;
}

/**
 * Signs a URL with a signing key of the service. Keys belong on servers.
 * @throws TypeError for an unknown option, which would leave the signature without that restriction.
 */
export function sign(url: string | URL, key: string, options?: SignOptions): Promise<string>;

export interface NextLoaderOptions extends Omit<FrameParameters, "url" | "width"> {
  /** The address of the site, for a `src` without one. */
  origin?: string;
}

/** A loader for the `<Image>` of Next.js. */
export function nextLoader(
  address: string,
  options?: NextLoaderOptions,
): (image: { src: string; width: number; quality?: number }) => string;

/** unpic's operations: `width`, `height`, `format` and `quality` among the parameters of `/frame`. */
export interface HeadroomOperations extends Omit<FrameParameters, "url" | "width" | "height" | "quality"> {
  width?: number | string;
  height?: number | string;
  quality?: number | string;
}

export interface HeadroomOptions {
  /** The address of the service. */
  baseUrl?: string;
  /** The address of the site, for a `src` without one. */
  origin?: string;
}

/** unpic: the URL of the crop of `src` that `operations` describe. */
export function generate(src: string | URL, operations?: HeadroomOperations, options?: HeadroomOptions): string;

/** unpic: source, operations and options of a URL that `generate` made; null for any other URL. */
export function extract(
  url: string | URL,
  options?: HeadroomOptions,
): { src: string; operations: HeadroomOperations; options: HeadroomOptions } | null;

/** unpic: the URL of `src`, which may be a URL that `generate` made, with these operations in place of its own. */
export function transform(src: string | URL, operations?: HeadroomOperations, options?: HeadroomOptions): string;
