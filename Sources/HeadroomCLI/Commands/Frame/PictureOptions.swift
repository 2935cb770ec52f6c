import ArgumentParser

/// The options for crops, with the names of the HTTP parameters.
///
/// All are unparsed text: ``PictureSettings`` validates them together, so that all errors are reported at once.
struct PictureOptions: ParsableArguments {
    static let inputsHelp: String = "Pictures, folders of pictures, or - for standard input."

    @Option(
        help: ArgumentHelp(
            "Aspect ratio: 16:9, 1.91:1 or 1.5; a comma-separated list with --json and in batch. (default: the shape of width and "
                + "height, else of the picture)",
            valueName: "ratio"
        )
    )
    var aspect: String?

    @Option(help: ArgumentHelp("Width of the result in pixels.", valueName: "px"))
    var width: String?

    @Option(help: ArgumentHelp("Height of the result in pixels.", valueName: "px"))
    var height: String?

    @Option(
        help: ArgumentHelp(
            "Pixels of the result for each pixel of width and height, 1 to 5. (default: 1)",
            valueName: "n"
        )
    )
    var dpr: String?

    @Flag(help: "Allow the result to be larger than the crop.")
    var enlarge = false

    @Option(
        help: ArgumentHelp(
            "cover crops to the shape, inside keeps the whole picture in its own shape, fill stretches it, pad adds "
                + "bars to it, auto adds bars only if a crop would cut a head. (default: cover)",
            valueName: "word"
        )
    )
    var fit: String?

    @Option(
        help: ArgumentHelp(
            "turn exchanges width and height for a picture of the other orientation: fixed or turn. (default: fixed)",
            valueName: "word"
        )
    )
    var box: String?

    @Option(
        help: ArgumentHelp(
            "Content of the bars: a colour such as ffffff, transparent or blur. (default: ffffff)",
            valueName: "word"
        )
    )
    var background: String?

    @Option(
        help: ArgumentHelp(
            "Part of the picture to frame, as x,y,width,height: shares such as 0.25, or pixels such as 24px. "
                + "(default: the whole picture)",
            valueName: "rect"
        )
    )
    var region: String?

    @Option(
        help: ArgumentHelp(
            "Cut off plain borders first: the largest difference of a sample from that of the corner, 0 to 255.",
            valueName: "n"
        )
    )
    var trim: String?

    @Option(
        help: ArgumentHelp(
            "Subject of the crop: faces, largest, smallest, face:N, attention, center, top, bottom, left, right, "
                + "top-left and other corners, or point:X,Y. (default: faces)",
            valueName: "word"
        )
    )
    var gravity: String?

    @Option(
        help: ArgumentHelp(
            "Rectangles to keep like heads, as x,y,width,height[,weight] like --region, separated by ;. Without "
                + "--gravity they replace faces.",
            valueName: "rects"
        )
    )
    var focus: String?

    @Option(
        help: ArgumentHelp(
            "Result if no face is found: attention, center, top or another edge or corner, original, or error. (default: attention)",
            valueName: "word"
        )
    )
    var fallback: String?

    @Option(
        help: ArgumentHelp("0 for the widest crop, 1 for the tightest around the heads. (default: 0)", valueName: "n")
    )
    var zoom: String?

    @Option(
        help: ArgumentHelp(
            "Room around each head: a share of its height, or pixels such as 24px. (default: 0.06)",
            valueName: "n"
        )
    )
    var padding: String?

    @Option(
        help: ArgumentHelp(
            "Position of the people in the crop: center, thirds (eyes on the upper third), left, right, top or bottom. "
                + "(default: center)",
            valueName: "word"
        )
    )
    var place: String?

    @Option(help: ArgumentHelp("Turn the result clockwise: 0, 90, 180 or 270. (default: 0)", valueName: "degrees"))
    var rotate: String?

    @Option(help: ArgumentHelp("Mirror the result: horizontal, vertical or both.", valueName: "word"))
    var flip: String?

    @OptionGroup var effects: EffectOptions

    @Option(
        help: ArgumentHelp(
            "jpeg, png, webp, avif, gif, debug (the annotated picture), or auto (the type of the output file's extension, else of the "
                + "picture). (default: auto)",
            valueName: "type"
        )
    )
    var format: String?

    @Option(
        help: ArgumentHelp(
            "Quality of JPEG, WebP, AVIF or GIF, 1 to 100, or source: the quality of a JPEG picture. (default: 82)",
            valueName: "n"
        )
    )
    var quality: String?

    @Option(
        help: ArgumentHelp(
            "Chroma of JPEG or AVIF: 420, 444 or auto: 444 from quality 90 on. (default: auto)",
            valueName: "word"
        )
    )
    var chroma: String?

    @Flag(help: "Write progressive JPEG, which is smaller and slower to write.")
    var progressive = false

    @Option(
        help: ArgumentHelp("Largest size of the file; the quality is lowered as far as necessary.", valueName: "bytes")
    )
    var maxBytes: String?

    @Option(
        help: ArgumentHelp(
            "Metadata to keep: none, or copyright: artist, copyright and credit. (default: none)",
            valueName: "word"
        )
    )
    var metadata: String?

    @Flag(help: "Cut JPEG pictures without decoding them; the crop starts at a block boundary.")
    var lossless = false

    @Option(
        help: ArgumentHelp(
            "srgb to convert colours to sRGB, or keep for the picture's own colour profile. (default: srgb)",
            valueName: "word"
        )
    )
    var profile: String?

    @Option(
        help: ArgumentHelp(
            "auto: animations stay animated in WebP, GIF, AVIF; still: only their first picture. (default: auto)",
            valueName: "word"
        )
    )
    var animation: String?

    @Option(
        help: ArgumentHelp(
            "still: one crop for all frames of an animation; follow: it follows people. (default: still)",
            valueName: "word"
        )
    )
    var motion: String?

    @OptionGroup(title: "Crop") var redaction: RedactionOptions

    @OptionGroup(title: "Crop") var stickers: StickerOptions

    /// The options as names and values of a query.
    var pairs: [(name: String, value: String)] {
        let options: [(String, String?)] = [
            ("aspect", aspect), ("width", width), ("height", height), ("dpr", dpr),
            ("enlarge", enlarge ? "true" : nil), ("fit", fit), ("box", box), ("background", background),
            ("region", region),
            ("trim", trim), ("gravity", gravity), ("focus", focus), ("fallback", fallback), ("zoom", zoom),
            ("padding", padding), ("place", place), ("rotate", rotate), ("flip", flip), ("format", format),
            ("quality", quality), ("chroma", chroma), ("progressive", progressive ? "true" : nil),
            ("maxBytes", maxBytes), ("lossless", lossless ? "true" : nil), ("profile", profile),
            ("metadata", metadata), ("animation", animation), ("motion", motion),
        ]
        return givenParameters(options) + effects.pairs + redaction.pairs + stickers.pairs
    }
}

/// How faces are found.
struct DetectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("high, or low: faster, finds larger faces only. (default: high)", valueName: "word")
    )
    var accuracy: String?

    @Option(
        help: ArgumentHelp(
            "Smallest face, as a share of the short side. (default: 0.04, or 0.167 with low)",
            valueName: "n"
        )
    )
    var minFace: String?

    @Option(Settings.detector) var detector: String?

    @Option(Settings.workers) var workers: String?

    var pairs: [(name: String, value: String)] {
        let options: [(String, String?)] = [("accuracy", accuracy), ("minFace", minFace)]
        return givenParameters(options)
    }
}
