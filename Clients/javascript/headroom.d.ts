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

// Generated: parameters
/** The words of `gravity`. */
export type Gravity = "faces" | "largest" | "smallest" | "centermost" | "attention" | "center" | "top" | "bottom" | "left" | "right" | "top-left" | "top-right" | "bottom-left" | "bottom-right";

/** Parameters of every route; a value of `null` or `undefined` is left out. */
export interface PictureParameters {
  /** The URL of the picture, absolute. Without it, the URL is one for uploads. */
  url?: string;
  /** Name of a preset, which stands for the parameters that the operator has given it; others beside it override them. */
  preset?: string;
  /** Part of the picture to frame, as x,y,width,height: shares such as 0.25, or pixels such as 24px. */
  region?: string;
  /** low runs one fast detection pass and finds larger faces only. */
  accuracy?: "low" | "high";
  /** Smallest face, as a share of the picture's shorter side. Smaller values take longer. */
  minFace?: number;
  /** Name of the file as which browsers save the response; its extension becomes that of the result's format. */
  download?: string;
  /** Version of the source. Change it when the picture at the address changes; caches keep each version for a year. */
  v?: string | number;
  /** Shape of the crop, width to height: 16:9, 1.91:1 or 1.5, from 1:100 to 100:1; several, separated by commas, for plans, HTML and batches. faces is the shape of the group of heads itself, with `padding`. */
  aspect?: string | number | readonly (string | number)[];
  /** Width of the result in pixels, or such as 50% of that of the framed picture; auto is that of the client's hints. */
  width?: number | string;
  /** Height of the result in pixels, or such as 50% of that of the framed picture. */
  height?: number | string;
  /** Pixels of the result for each pixel of `width` and `height`; auto is that of the client's hints. */
  dpr?: number | "auto";
  /** Whether the result may have more pixels than the crop. */
  enlarge?: boolean;
  /** Content of the bars, and of transparent pixels: a colour such as ffffff, transparent, blur, or average for the mean colour of the picture. */
  background?: string;
  /** Room around each head, as far as the picture reaches: a share of its height, or pixels such as 24px. */
  padding?: number | string;
  /** Turns the result clockwise; `aspect`, `width` and `height` are those of the turned result. */
  rotate?: 0 | 90 | 180 | 270;
  /** Mirrors the result, after `rotate`. */
  flip?: "horizontal" | "vertical" | "both";
  /** Outline of the result, transparent beside it, or in the colour of `background`: circle is the ellipse that touches all sides, rounded:N a rectangle with corners of that radius. */
  mask?: string;
  /** A colour that becomes transparent, such as 00ff00 for a green screen; auto is that of the borders. */
  key?: string;
  /** How much of the key may be missing in a pixel that becomes transparent. */
  tolerance?: number;
  /** How much of the key is taken out of the pixels that stay visible. */
  spill?: number;
  /** What shows where the key was: a colour, or blur. */
  backdrop?: string;
  /** Address of a picture that shows where the key was. */
  backdropUrl?: string;
  /** Filters of the result, separated by commas: mono, noir, tonal, sepia, chrome, fade, instant, process, transfer, invert, vignette, blur:N, sharpen:N[:R], brightness:N, contrast:N, saturation:N, hue:N, gamma:N. */
  filter?: string;
  /** Name of a picture that is drawn on the result, where it covers no head. */
  mark?: string;
  /** Place of the watermark; if it would cover a head there, it moves to the nearest corner where it covers none. */
  markPlace?: "top-left" | "top" | "top-right" | "left" | "center" | "right" | "bottom-left" | "bottom" | "bottom-right";
  /** Width of the watermark, as a share of the width of the result. */
  markWidth?: number;
  /** Opacity of the watermark, multiplied with that of its picture. */
  markOpacity?: number;
  /** Distance of the watermark from the edges: a share of the shorter side of the result, or pixels such as 16px. */
  markMargin?: number | string;
  /** Stickers on every face: halo, glasses, hat, moustache, or those of the service. */
  overlay?: string;
  /** Makes heads unrecognisable in every image of the response; fill is plain grey. */
  redact?: "blur" | "pixelate" | "fill";
  /** Which heads: all, others (all but the largest), numbers of faces such as 1,3, or none with `redactAreas`. A video has all or none. */
  redactFaces?: string | number;
  /** Outline of what is redacted: a rounded rectangle, or an ellipse, which covers more. */
  redactShape?: "rounded" | "oval";
  /** Areas to redact in addition to heads, as x,y,width,height like `region`, separated by semicolons. */
  redactAreas?: string;
  /** The same to the eye in every format that has one, JPEG, WebP, AVIF and GIF: 1 to 100, or source: the quality of a JPEG picture, or auto: lower for clients that save data. */
  quality?: number | "source" | "auto";
  /** Chroma of JPEG and AVIF; auto is 444 from quality 90 on. */
  chroma?: "auto" | "420" | "444";
  /** Whether a JPEG is progressive, which is smaller and slower to write. */
  progressive?: boolean;
  /** Largest size of the result in bytes; the quality is lowered as far as necessary. */
  maxBytes?: number;
  /** Metadata of the source that are kept; copyright is artist, copyright and credit. */
  metadata?: "none" | "copyright";
  /** Whether the crop is cut out of a JPEG without encoding its pixels again; it starts at a block boundary. */
  lossless?: boolean;
  /** srgb converts colours to sRGB; keep leaves them and the picture's colour profile as they are. */
  profile?: "srgb" | "keep";
}

/** Parameters of `/frame`. */
export interface FrameParameters extends PictureParameters {
  /** Treatment of another shape: cover crops; limit crops to at most the picture's sides; crop cuts a rectangle of `width` and `height` out without scaling; inside keeps the whole picture in its own shape, outside covers the size with it; fill stretches it; pad adds bars to it; auto adds bars only if a crop would cut a head. */
  fit?: "cover" | "limit" | "crop" | "inside" | "outside" | "fill" | "pad" | "auto";
  /** For a picture of the other orientation, turn exchanges `width` and `height`, and inside shows it whole, inside of them. */
  box?: "fixed" | "turn" | "inside";
  /** Cuts off plain borders first: the largest difference of a sample from that of the corner; 10 suits a JPEG. */
  trim?: number;
  /** Subject of the crop: faces, largest, smallest, centermost, attention, center, top, bottom, left, right, top-left, top-right, bottom-left, bottom-right, face:N (the face of that number, 1 the largest) or point:X,Y (0 to 1 from the top left). centermost is the face nearest to the middle, attention the area with the most detail and skin colour. */
  gravity?: Gravity | (string & {});
  /** Distance of the crop from the edges of `gravity`, or right of and below the middle, in pixels of the result or shares of the picture. */
  offset?: string;
  /** Rectangles to keep like heads, as x,y,width,height[,weight] like `region`, separated by semicolons. Without `gravity` they replace faces. A negative weight avoids a rectangle, such as a logo, as far as heads allow it. */
  focus?: string;
  /** Result if no face is found: attention, center, top, bottom, left, right, top-left, top-right, bottom-left, bottom-right, original, error, or point:X,Y. original is the whole picture, error is status 422. */
  fallback?: "attention" | "center" | "top" | "bottom" | "left" | "right" | "top-left" | "top-right" | "bottom-left" | "bottom-right" | "original" | "error" | (string & {});
  /** 0 is the widest crop of the shape, 1 the tightest that holds the heads and their padding. */
  zoom?: number;
  /** Position of the people in the crop: center, thirds, left, right, top, bottom, keep, or X,Y as shares of its sides from the top left. thirds puts the eyes on the upper third, keep leaves them where they are in the picture. */
  place?: "center" | "thirds" | "left" | "right" | "top" | "bottom" | "keep" | (string & {});
  /** keep crops the gain map of an Ultra HDR photograph with it, for a JPEG that is brighter on HDR displays, in the picture's colour profile; sdr drops it. */
  hdr?: "sdr" | "keep";
  /** auto keeps an animation in WebP, GIF and AVIF; still shows its first picture. */
  animation?: "auto" | "still";
  /** still has one crop for all frames of an animation; follow moves it with people. */
  motion?: "still" | "follow";
  /** What the plan has for each crop until its picture is loaded: a hash of that kind, and the dominant colour. */
  placeholder?: "thumbhash" | "blurhash";
  format?: "auto" | "source" | "jpeg" | "jpg" | "png" | "webp" | "gif" | "avif" | "json" | "focus" | "debug" | "html";
}

/** Parameters of `/faces`. */
export interface FacesParameters extends PictureParameters {
  /** Whether pictures of faces are turned until the eyes are level. */
  upright?: boolean;
  /** Puts the eyes at the same place of every picture of a face. */
  align?: "eyes";
  /** Height of the eyes, as a share of the result's height from its top. */
  eyes?: number;
  /** Distance of the eyes, as a share of the result's shorter side. A head is about 3.2 times as high. */
  eyeDistance?: number;
  format?: "auto" | "json" | "debug" | "zip" | "multipart";
}

/** Parameters of `/faces/{index}`. */
export interface FaceParameters extends PictureParameters {
  /** Whether pictures of faces are turned until the eyes are level. */
  upright?: boolean;
  /** Puts the eyes at the same place of every picture of a face. */
  align?: "eyes";
  /** Height of the eyes, as a share of the result's height from its top. */
  eyes?: number;
  /** Distance of the eyes, as a share of the result's shorter side. A head is about 3.2 times as high. */
  eyeDistance?: number;
  format?: "auto" | "source" | "jpeg" | "jpg" | "png" | "webp" | "gif" | "avif" | "json";
}
// End of parameters

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
  /** A beginning of the path that a proxy removes, or the service's --path-prefix. */
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
