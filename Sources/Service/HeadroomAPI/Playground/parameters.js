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
  // Generated: controls
  { title: "Size", isOpen: true, parameters: [
    text("aspect", "Aspect", "16:9", "Shape of the crop, width to height: 16:9, 1.91:1 or 1.5, from 1:100 to 100:1; several, separated by commas, for plans, HTML and batches. faces is the shape of the group of heads itself, with padding."),
    text("width", "Width", "pixels", "Width of the result in pixels, or such as 50% of that of the framed picture; auto is that of the client's hints."),
    text("height", "Height", "pixels", "Height of the result in pixels, or such as 50% of that of the framed picture."),
    choice("fit", "Fit", ["cover", "limit", "crop", "inside", "outside", "fill", "pad", "auto"], "Treatment of another shape: cover crops; limit crops to at most the picture's sides; crop cuts a rectangle of width and height out without scaling; inside keeps the whole picture in its own shape, outside covers the size with it; fill stretches it; pad adds bars to it; auto adds bars only if a crop would cut a head."),
  ] },
  { title: "Framing", isOpen: true, parameters: [
    { name: "gravity", label: "Gravity", kind: "gravity", options: ["faces", "largest", "smallest", "centermost", "attention", "center", "top", "bottom", "left", "right", "top-left", "top-right", "bottom-left", "bottom-right", "face", "point"], doc: "Subject of the crop: faces, largest, smallest, centermost, attention, center, top, bottom, left, right, top-left, top-right, bottom-left, bottom-right, face:N (the face of that number, 1 the largest) or point:X,Y (0 to 1 from the top left). centermost is the face nearest to the middle, attention the area with the most detail and skin colour." },
    text("offset", "Offset", "10px,0", "Distance of the crop from the edges of gravity, or right of and below the middle, in pixels of the result or shares of the picture."),
    { name: "zoom", label: "Zoom", kind: "range", min: 0, max: 1, step: 0.05, standard: "0", doc: "0 is the widest crop of the shape, 1 the tightest that holds the heads and their padding." },
    text("padding", "Padding", "0.06", "Room around each head, as far as the picture reaches: a share of its height, or pixels such as 24px."),
    text("place", "Place", "center", "Position of the people in the crop: center, thirds, left, right, top, bottom, keep, or X,Y as shares of its sides from the top left. thirds puts the eyes on the upper third, keep leaves them where they are in the picture."),
  ] },
  { title: "Effects", isOpen: true, parameters: [
    choice("rotate", "Rotate", ["0", "90", "180", "270"], "Turns the result clockwise; aspect, width and height are those of the turned result."),
    choice("flip", "Flip", ["none", "horizontal", "vertical", "both"], "Mirrors the result, after rotate."),
    text("mask", "Mask", "circle", "Outline of the result, transparent beside it, or in the colour of background: circle is the ellipse that touches all sides, rounded:N a rectangle with corners of that radius."),
    wide(text("filter", "Filters", "sepia,vignette", "Filters of the result, separated by commas: mono, noir, tonal, sepia, chrome, fade, instant, process, transfer, invert, vignette, blur:N, sharpen:N[:R], brightness:N, contrast:N, saturation:N, hue:N, gamma:N.")),
    text("overlay", "Stickers", "halo,glasses", "Stickers on every face: halo, glasses, hat, moustache, or those of the service."),
    choice("redact", "Redact", ["none", "blur", "pixelate", "fill"], "Makes heads unrecognisable in every image of the response; fill is plain grey."),
  ] },
  { title: "File", isOpen: false, parameters: [
    choice("format", "Format", ["auto", "source", "jpeg", "png", "webp", "gif", "avif"], "Format of the response."),
    text("quality", "Quality", "82", "The same to the eye in every format that has one, JPEG, WebP, AVIF and GIF: 1 to 100, or source: the quality of a JPEG picture, or auto: lower for clients that save data."),
    choice("chroma", "Chroma", ["auto", "420", "444"], "Chroma of JPEG and AVIF; auto is 444 from quality 90 on."),
    check("progressive", "Progressive", "Whether a JPEG is progressive, which is smaller and slower to write."),
    number("maxBytes", "Most bytes", "", "Largest size of the result in bytes; the quality is lowered as far as necessary."),
    choice("metadata", "Metadata", ["none", "copyright"], "Metadata of the source that are kept; copyright is artist, copyright and credit."),
    check("lossless", "Lossless", "Whether the crop is cut out of a JPEG without encoding its pixels again; it starts at a block boundary."),
    choice("profile", "Colour profile", ["srgb", "keep"], "srgb converts colours to sRGB; keep leaves them and the picture's colour profile as they are."),
    choice("hdr", "HDR", ["sdr", "keep"], "keep crops the gain map of an Ultra HDR photograph with it, for a JPEG that is brighter on HDR displays, in the picture's colour profile; sdr drops it."),
    choice("placeholder", "Placeholder", ["none", "thumbhash", "blurhash"], "What the plan has for each crop until its picture is loaded: a hash of that kind, and the dominant colour."),
    text("download", "Download as", "portrait", "Name of the file as which browsers save the response; its extension becomes that of the result's format."),
  ] },
  { title: "Areas and detection", isOpen: false, parameters: [
    wide(text("region", "Region", "0,0,0.5,1", "Part of the picture to frame, as x,y,width,height: shares such as 0.25, or pixels such as 24px.")),
    number("trim", "Trim", "", "Cuts off plain borders first: the largest difference of a sample from that of the corner; 10 suits a JPEG."),
    wide(text("focus", "Focal areas", "0.2,0.1,0.3,0.4", "Rectangles to keep like heads, as x,y,width,height[,weight] like region, separated by semicolons. Without gravity they replace faces. A negative weight avoids a rectangle, such as a logo, as far as heads allow it.")),
    text("fallback", "Fallback", "attention", "Result if no face is found: attention, center, top, bottom, left, right, top-left, top-right, bottom-left, bottom-right, original, error, or point:X,Y. original is the whole picture, error is status 422."),
    choice("accuracy", "Accuracy", ["high", "low"], "low runs one fast detection pass and finds larger faces only."),
    number("minFace", "Smallest face", "0.1", "Smallest face, as a share of the picture's shorter side. Smaller values take longer."),
    text("redactFaces", "Redacted faces", "all", "Which heads: all, others (all but the largest), numbers of faces such as 1,3, or none with redactAreas. A video has all or none."),
    choice("redactShape", "Redacted shape", ["rounded", "oval"], "Outline of what is redacted: a rounded rectangle, or an ellipse, which covers more."),
    text("redactAreas", "Redacted areas", "0.1,0.1,0.2,0.2", "Areas to redact in addition to heads, as x,y,width,height like region, separated by semicolons."),
  ] },
  { title: "Bars and pixels", isOpen: false, parameters: [
    number("dpr", "Pixel ratio", "1", "Pixels of the result for each pixel of width and height; auto is that of the client's hints."),
    check("enlarge", "Enlarge", "Whether the result may have more pixels than the crop."),
    choice("box", "Box", ["fixed", "turn", "inside"], "For a picture of the other orientation, turn exchanges width and height, and inside shows it whole, inside of them."),
    text("background", "Background", "ffffff", "Content of the bars, and of transparent pixels: a colour such as ffffff, transparent, blur, or average for the mean colour of the picture."),
  ] },
  { title: "Green screen", isOpen: false, parameters: [
    text("key", "Key", "auto", "A colour that becomes transparent, such as 00ff00 for a green screen; auto is that of the borders."),
    number("tolerance", "Tolerance of the key", "0.25", "How much of the key may be missing in a pixel that becomes transparent."),
    number("spill", "Spill", "1", "How much of the key is taken out of the pixels that stay visible."),
    text("backdrop", "Backdrop", "0044cc", "What shows where the key was: a colour, or blur."),
    wide(text("backdropUrl", "URL of the backdrop", "https://example.com/studio.jpg", "Address of a picture that shows where the key was.")),
  ] },
  { title: "Watermark", isOpen: false, parameters: [
    text("mark", "Watermark", "logo", "Name of a picture that is drawn on the result, where it covers no head."),
    choice("markPlace", "Place", ["bottom-right", "top-left", "top", "top-right", "left", "center", "right", "bottom-left", "bottom"], "Place of the watermark; if it would cover a head there, it moves to the nearest corner where it covers none."),
    number("markWidth", "Width", "0.2", "Width of the watermark, as a share of the width of the result."),
    number("markOpacity", "Opacity", "1", "Opacity of the watermark, multiplied with that of its picture."),
    text("markMargin", "Margin", "0.03", "Distance of the watermark from the edges: a share of the shorter side of the result, or pixels such as 16px."),
  ] },
  { title: "Animation and version", isOpen: false, parameters: [
    text("preset", "Preset", "avatar", "Name of a preset, which stands for the parameters that the operator has given it; others beside it override them."),
    choice("animation", "Animation", ["auto", "still"], "auto keeps an animation in WebP, GIF and AVIF; still shows its first picture."),
    choice("motion", "Motion", ["still", "follow"], "still has one crop for all frames of an animation; follow moves it with people."),
    text("v", "Version", "2024-06-01", "Version of the source. Change it when the picture at the address changes; caches keep each version for a year."),
  ] },
  // End of controls
];

/** The names of all parameters, in the order of the controls. */
export const NAMES = GROUPS.flatMap(({ parameters }) => parameters.map(({ name }) => name));

/** The labels of the controls, by the names of their parameters. */
export const LABELS = new Map(GROUPS.flatMap(({ parameters }) => parameters.map(({ name, label }) => [name, label])));
