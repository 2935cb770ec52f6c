// The parameters of /frame, as controls. docs/parameters.md and openapi.yaml describe them in full.

const choice = (name, label, options, doc) => ({ name, label, kind: "choice", options, doc });
const number = (name, label, placeholder, doc) => ({ name, label, kind: "number", placeholder, doc });
const text = (name, label, placeholder, doc) => ({ name, label, kind: "text", placeholder, doc });
const wide = (parameter) => ({ ...parameter, isWide: true });
const check = (name, label, doc) => ({ name, label, kind: "check", doc });

/** The aspect ratios that are shown side by side. */
export const SHAPES = ["16:9", "4:3", "1:1", "4:5", "9:16", "3:1"];

/** Groups of controls; rarely used groups are closed. The first option of a choice is the default and is not sent. */
export const GROUPS = [
  // Generated: controls
  { title: "Size", isOpen: true, parameters: [
    text("aspect", "Aspect", "16:9", "Aspect ratio of the crop, width to height: 16:9, 1.91:1 or 1.5, from 1:100 to 100:1. A comma-separated list gives one crop per ratio, in plans and HTML. faces: the bounding box of all heads with padding."),
    text("width", "Width", "pixels", "Output width in pixels, or a percentage of the width of the source or region, for example 50%. auto: from client hints."),
    text("height", "Height", "pixels", "Output height in pixels, or a percentage of the height of the source or region, for example 50%."),
    choice("fit", "Fit", ["cover", "limit", "crop", "inside", "outside", "fill", "pad", "auto"], "Fit of the source to the requested size. cover: crop. limit: crop, but never exceed the source's sides. crop: cut out width × height without scaling. inside: whole image within the size. outside: whole image covering the size. fill: stretch. pad: whole image with bars. auto: bars only if a crop would cut a head."),
  ] },
  { title: "Framing", isOpen: true, parameters: [
    { name: "gravity", label: "Gravity", kind: "gravity", options: ["faces", "largest", "smallest", "centermost", "subject", "attention", "center", "top", "bottom", "left", "right", "top-left", "top-right", "bottom-left", "bottom-right", "face", "point", "object"], doc: "Alignment of the crop: faces, largest, smallest, centermost, subject, attention, center, top, bottom, left, right, top-left, top-right, bottom-left, bottom-right, face:N (the Nth largest face), point:X,Y (fractions from the top left) or object:NAME,… (objects of these classes). centermost: the face nearest the centre. subject: people, animals and things. attention: the area with the most detail and skin colour." },
    text("offset", "Offset", "10px,0", "Moves the crop by X,Y: inwards from the edges that gravity names, otherwise right and down from the centre. Output pixels such as 10px,20px, or fractions of the source such as 0.1,0."),
    { name: "zoom", label: "Zoom", kind: "range", min: 0, max: 1, step: 0.05, standard: "0", doc: "Tightness of the crop: 0 is the largest possible crop, 1 the smallest that contains the heads with padding." },
    text("padding", "Padding", "0.06", "Space around each head, up to the image edge: a fraction of the head's height such as 0.2, or pixels such as 24px."),
    text("place", "Place", "center", "Position of the people in the crop: center, thirds, left, right, top, bottom, keep, or X,Y as fractions from the top left. thirds: eyes on the upper third. keep: same relative position as in the source."),
  ] },
  { title: "Effects", isOpen: true, parameters: [
    choice("rotate", "Rotate", ["0", "90", "180", "270"], "Rotates the output clockwise. aspect, width and height apply after the rotation."),
    choice("flip", "Flip", ["none", "horizontal", "vertical", "both"], "Mirrors the output, after rotate."),
    text("mask", "Mask", "circle", "Outline of the output. circle: the largest ellipse. rounded:N: rounded corners with radius N, a fraction of the shorter side (0 to 0.5) or pixels such as 24px. The outside is transparent, or filled with background."),
    wide(text("filter", "Filters", "sepia,vignette", "Filters for the output, separated by commas: mono, noir, tonal, sepia, chrome, fade, instant, process, transfer, invert, vignette, blur:N, sharpen:N[:R], brightness:N, contrast:N, saturation:N, hue:N, gamma:N.")),
    text("overlay", "Stickers", "halo,glasses", "Stickers to draw on every face, separated by commas: halo, glasses, hat, moustache, or names from --overlays."),
    choice("redact", "Redact", ["none", "blur", "pixelate", "fill"], "Makes heads unrecognisable in every image of the response. fill: plain grey."),
  ] },
  { title: "File", isOpen: false, parameters: [
    choice("format", "Format", ["auto", "source", "jpeg", "png", "webp", "gif", "avif"], "Format of the response."),
    text("quality", "Quality", "82", "1 to 100, with the same visual quality in JPEG, WebP, AVIF and GIF. source: quality of the JPEG source. auto: lower if the client sends Save-Data."),
    choice("chroma", "Chroma", ["auto", "420", "444"], "Chroma subsampling of JPEG and AVIF. auto: 444 at quality 90 and above, otherwise 420."),
    check("progressive", "Progressive", "Write progressive JPEG: smaller, slower to encode."),
    number("maxBytes", "Maximum bytes", "", "Maximum output size in bytes. The quality is reduced until the output fits."),
    choice("metadata", "Metadata", ["none", "copyright"], "Source metadata to keep. copyright: artist, copyright and credit."),
    check("losslessCrop", "Lossless crop", "Crop a JPEG without re-encoding. The crop starts at a block boundary."),
    choice("profile", "Colour profile", ["srgb", "keep"], "srgb: convert colours to sRGB. keep: leave the colours and the ICC profile unchanged."),
    choice("hdr", "HDR", ["sdr", "keep"], "keep: also crop the gain map of an Ultra HDR photo, so the JPEG is still brighter on HDR displays; colours are not converted. sdr: drop the gain map."),
    choice("placeholder", "Placeholder", ["none", "thumbhash", "blurhash"], "Adds a ThumbHash or BlurHash and the dominant colour of each crop to the plan."),
    text("download", "Download as", "portrait", "File name for saving in browsers. true: the name of the source. The extension is set to match the output format."),
  ] },
  { title: "Areas and detection", isOpen: false, parameters: [
    number("page", "Page", "1", "Page of a document. Only for files read by a converter."),
    text("frame", "Frame", "0s", "Position of a video's frame in seconds. Only for files read by a converter."),
    wide(text("region", "Region", "0,0,0.5,1", "Part of the source to use, as x,y,width,height: fractions such as 0.25, or pixels such as 24px.")),
    number("trim", "Trim", "", "Trims uniform borders first. The value is the colour tolerance, compared with the top left pixel. Use 10 for JPEG."),
    wide(text("focus", "Focal areas", "0.2,0.1,0.3,0.4", "Areas to keep like heads: x,y,width,height[,weight], separated by semicolons, in the units of region. Without gravity they replace faces. A negative weight excludes an area, such as a logo, unless that would cut a head.")),
    text("fallback", "Fallback", "attention", "Crop to use if no face is found: attention, center, top, bottom, left, right, top-left, top-right, bottom-left, bottom-right, original, error, or point:X,Y. attention: the main people, animals and things, otherwise detail and skin colour. original: the whole image, without aspect. error: status 422."),
    choice("accuracy", "Accuracy", ["high", "low"], "low: one fast detection pass, which finds larger faces only."),
    number("minFace", "Smallest face", "0.1", "Minimum face size, as a fraction of the image's shorter side. Smaller values take longer."),
    text("redactFaces", "Redacted faces", "all", "Heads to redact: all, others (all except the largest face), face numbers such as 1,3, or none (with redactAreas only). Streams accept all and none."),
    choice("redactShape", "Redacted shape", ["rounded", "oval"], "Outline of redacted areas. rounded: a rounded rectangle. oval: an ellipse, which covers more."),
    text("redactAreas", "Redacted areas", "0.1,0.1,0.2,0.2", "Areas to redact in addition to heads, as x,y,width,height like region, separated by semicolons."),
  ] },
  { title: "Bars and pixels", isOpen: false, parameters: [
    number("dpr", "Pixel ratio", "1", "Device pixel ratio. Multiplies width and height. auto: from client hints."),
    check("enlarge", "Enlarge", "Allow the output to be larger than the crop."),
    choice("boxOrientation", "Box orientation", ["fixed", "swap", "inside"], "Handling of images whose orientation differs from the requested size. swap: exchange width and height. inside: show the whole image within the size. fixed: nothing."),
    text("background", "Background", "ffffff", "Fill for bars and transparent pixels: a colour such as ffffff, transparent, blur (the blurred image) or average (its mean colour)."),
  ] },
  { title: "Green screen", isOpen: false, parameters: [
    text("chromaKey", "Chroma key", "auto", "Chroma key: the colour to make transparent, such as 00ff00 for a green screen. auto: the colour of the borders."),
    number("tolerance", "Tolerance of the key", "0.25", "Maximum difference from the key colour of a pixel that becomes fully transparent. Higher removes more."),
    number("spill", "Spill", "1", "Spill suppression: strength of removing the key colour from visible pixels."),
    text("backdrop", "Backdrop", "0044cc", "Replacement for the key colour: a colour such as 0044cc, or blur for the blurred image."),
    wide(text("backdropUrl", "URL of the backdrop", "https://example.com/studio.jpg", "URL of an image that replaces the key colour.")),
  ] },
  { title: "Watermark", isOpen: false, parameters: [
    text("watermark", "Watermark", "logo", "Name of the watermark to draw. It avoids heads."),
    choice("watermarkPosition", "Position", ["bottom-right", "top-left", "top", "top-right", "left", "center", "right", "bottom-left", "bottom"], "Position of the watermark. If it would cover a head, it moves to the nearest free corner."),
    number("watermarkWidth", "Width", "0.2", "Width of the watermark, as a fraction of the output width."),
    number("watermarkOpacity", "Opacity", "1", "Opacity of the watermark, multiplied by its own alpha."),
    text("watermarkMargin", "Margin", "0.03", "Distance of the watermark from the edges: a fraction of the output's shorter side such as 0.03, or pixels such as 16px."),
  ] },
  { title: "Animation and version", isOpen: false, parameters: [
    text("preset", "Preset", "avatar", "Named set of parameters, defined by the operator. Explicit parameters override it."),
    choice("animation", "Animation", ["auto", "still"], "auto: keep animations in WebP, GIF and AVIF. still: output the first frame only."),
    choice("motion", "Motion", ["fixed", "follow"], "Crop of animations. fixed: one crop for all frames. follow: the crop follows people."),
    text("v", "Version", "2024-06-01", "Version of the source. Change it when the image at the URL changes. Caches keep each version for a year."),
  ] },
  // End of controls
];

/** The names of all parameters, in the order of the controls. */
export const NAMES = GROUPS.flatMap(({ parameters }) => parameters.map(({ name }) => name));

/** The labels of the controls, by the names of their parameters. */
export const LABELS = new Map(GROUPS.flatMap(({ parameters }) => parameters.map(({ name, label }) => [name, label])));

// Generated: old names
const OLD_NAMES = {
  key: "chromaKey",
  mark: "watermark",
  markPlace: "watermarkPosition",
  markWidth: "watermarkWidth",
  markOpacity: "watermarkOpacity",
  markMargin: "watermarkMargin",
  box: "boxOrientation",
  lossless: "losslessCrop",
};
// End of old names

/** The new name of a deprecated name; any other name unchanged. */
export const newName = (name) => OLD_NAMES[name] ?? name;
