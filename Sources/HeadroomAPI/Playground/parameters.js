// The parameters of /frame, as controls. docs/parameters.md and openapi.yaml describe them in full.

const choice = (name, label, options, doc) => ({ name, label, kind: "choice", options, doc });
const number = (name, label, placeholder, doc) => ({ name, label, kind: "number", placeholder, doc });
const text = (name, label, placeholder, doc) => ({ name, label, kind: "text", placeholder, doc });
const wide = (parameter) => ({ ...parameter, isWide: true });
const check = (name, label, doc) => ({ name, label, kind: "check", doc });

/** The shapes that are shown side by side. */
export const SHAPES = ["16:9", "4:3", "1:1", "4:5", "9:16", "3:1"];

/** Groups of controls; rare ones are closed. The first option of a choice is the default and is not sent. */
export const GROUPS = [
  { title: "Size", isOpen: true, parameters: [
    text("aspect", "Aspect", "16:9", "Width to height, from 1:100 to 100:1. Without it: the shape of width and height, else of the picture."),
    choice("fit", "Fit", ["cover", "limit", "inside", "outside", "fill", "pad", "auto"],
      "cover crops; limit crops and never exceeds the picture; inside keeps the whole picture in its own shape, outside covers "
      + "the size with it; fill stretches it; pad adds bars to it; "
      + "auto adds bars only if a crop would cut a head."),
    number("width", "Width", "pixels", "Width of the result in pixels."),
    number("height", "Height", "pixels", "Height of the result in pixels."),
  ] },
  { title: "Framing", isOpen: true, parameters: [
    { name: "gravity", label: "Gravity", kind: "gravity",
      options: ["faces", "largest", "smallest", "face", "attention", "center", "top", "bottom", "left", "right",
        "top-left", "top-right", "bottom-left", "bottom-right", "point"],
      doc: "Subject of the crop. face: the face of that number, 1 is the largest. point: a focal point of your choice." },
    { name: "zoom", label: "Zoom", kind: "range", min: 0, max: 1, step: 0.05, standard: "0",
      doc: "0 is the widest crop of the shape, 1 the tightest that holds the heads and their padding." },
    choice("place", "Place", ["center", "thirds", "left", "right", "top", "bottom"],
      "Position of the people in the crop; thirds puts the eyes on the upper third."),
    text("padding", "Padding", "0.06", "Room around each head: a share of its height (0 to 10), or pixels such as 24px."),
  ] },
  { title: "Effects", isOpen: true, parameters: [
    choice("redact", "Redact", ["none", "blur", "pixelate", "fill"], "Makes heads unrecognisable in the result."),
    text("redactFaces", "Redacted faces", "all", "all, others (all but the largest), numbers of faces such as 1,3, or none with areas."),
    choice("redactShape", "Redacted shape", ["rounded", "oval"], "Outline of what is redacted: a rounded rectangle or an ellipse."),
    text("redactAreas", "Redacted areas", "0.1,0.1,0.2,0.2", "Rectangles to redact in addition to heads, as x,y,width,height like the region, separated by semicolons."),
    wide(text("filter", "Filters", "sepia,vignette", "Filters of the result, separated by commas: mono, noir, tonal, sepia, chrome, fade, "
      + "instant, process, transfer, invert, vignette, blur:4, sharpen:1, brightness:1.2, contrast:1.2, saturation:1.5.")),
    text("overlay", "Stickers", "halo,glasses", "Names of stickers: halo, glasses, hat, moustache, or those of the service."),
    choice("rotate", "Rotate", ["0", "90", "180", "270"], "Turns the result, in degrees clockwise."),
    choice("flip", "Flip", ["none", "horizontal", "vertical", "both"], "Mirrors the result, after its turn."),
  ] },
  { title: "File", isOpen: false, parameters: [
    choice("format", "Format", ["auto", "source", "jpeg", "png", "webp", "avif", "gif"], "Format of the result. auto follows the Accept header and the source; source only the source."),
    text("quality", "Quality", "82", "1 to 100 for JPEG, WebP, AVIF and GIF, or source for the quality of a JPEG source."),
    number("maxBytes", "Most bytes", "", "The quality is lowered until the result has at most so many bytes."),
    choice("chroma", "Chroma", ["auto", "420", "444"], "Chroma of JPEG and AVIF. auto is 444 from quality 90 on."),
    choice("profile", "Colour profile", ["srgb", "keep"], "srgb converts colours to sRGB; keep leaves them and the picture's profile as they are."),
    choice("metadata", "Metadata", ["none", "copyright"], "copyright keeps artist, copyright and credit of the source."),
    check("progressive", "Progressive", "Write progressive JPEG, which is smaller and slower to write."),
    check("lossless", "Lossless", "Cut the crop out of a JPEG without encoding its pixels again."),
  ] },
  { title: "Areas and detection", isOpen: false, parameters: [
    choice("fallback", "Fallback", ["attention", "top", "center", "bottom", "left", "right", "top-left", "top-right",
      "bottom-left", "bottom-right", "original", "error"], "Crop if no face is found."),
    choice("accuracy", "Accuracy", ["high", "low"], "low runs one fast detection pass and finds larger faces only."),
    number("minFace", "Smallest face", "0.04",
      "As a share of the picture's shorter side. Smaller values take longer."),
    number("trim", "Trim", "", "Cuts off plain borders: the largest difference from the colour of the corner; 10 suits a JPEG."),
    wide(text("focus", "Focal areas", "0.2,0.1,0.3,0.4", "Rectangles to keep like heads, instead of faces: x, y, width, height and "
      + "optionally a weight; several with a semicolon between.")),
    wide(text("region", "Region", "0,0,0.5,1", "Part of the picture to frame: x, y, width and height, as shares or as pixels such as 24px.")),
  ] },
  { title: "Bars and pixels", isOpen: false, parameters: [
    text("background", "Background", "ffffff", "Content of the bars: a colour in hexadecimal digits, transparent, or blur. Without bars, the colour under a transparent picture."),
    number("dpr", "Pixel ratio", "1", "Device pixels per pixel of width and height."),
    choice("box", "Box", ["fixed", "turn"], "turn exchanges width and height for a picture of the other orientation."),
    check("enlarge", "Enlarge", "The result may have more pixels than the crop."),
  ] },
  { title: "Green screen", isOpen: false, parameters: [
    text("key", "Key", "auto", "A colour that becomes transparent, such as 00ff00 for a green screen; auto is that of the borders."),
    number("tolerance", "Tolerance of the key", "0.25", "How much of the key may be missing in a pixel that becomes transparent."),
    number("spill", "Spill", "1", "How much of the key is taken out of the other pixels."),
    text("backdrop", "Backdrop", "0044cc", "What shows where the key was: a colour, or blur."),
    wide(text("backdropUrl", "URL of the backdrop", "https://example.com/studio.jpg", "A picture that shows where the key was.")),
  ] },
  { title: "Animation and version", isOpen: false, parameters: [
    choice("animation", "Animation", ["auto", "still"], "auto keeps an animation in WebP, GIF and AVIF; still shows its first picture."),
    choice("motion", "Motion", ["still", "follow"], "still has one crop for all frames of an animation; follow moves it with people."),
    text("v", "Version", "2024-06-01", "Any text. Change it when the picture at the address changes; caches keep each version for a year."),
  ] },
];

/** The names of all parameters, in the order of the controls. */
export const NAMES = GROUPS.flatMap(({ parameters }) => parameters.map(({ name }) => name));

/** The labels of the controls, by the names of their parameters. */
export const LABELS = new Map(GROUPS.flatMap(({ parameters }) => parameters.map(({ name, label }) => [name, label])));
