import ArgumentParser

/// What to do with pictures, in the words of the HTTP parameters.
///
/// All are text as it was typed: ``PictureSettings`` checks them together, so that all mistakes are reported at once.
struct PictureOptions: ParsableArguments {
    static let inputsHelp: String = "Pictures, folders of pictures, or - for standard input."

    @Option(
        help: ArgumentHelp(
            "The shape: 16:9, 1.91:1 or 1.5; several with commas for --json. (default: the shape of width and height, "
                + "else the picture's)",
            valueName: "ratio"
        )
    )
    var aspect: String?

    @Option(help: ArgumentHelp("The width of the result in pixels.", valueName: "px"))
    var width: String?

    @Option(help: ArgumentHelp("The height of the result in pixels.", valueName: "px"))
    var height: String?

    @Option(
        help: ArgumentHelp(
            "Pixels of the result for each pixel of width and height, 1 to 5. (default: 1)",
            valueName: "n"
        )
    )
    var dpr: String?

    @Flag(help: "Let the result be larger than the crop.")
    var enlarge = false

    @Option(
        help: ArgumentHelp(
            "What happens where the shape is another: cover cuts off what is too much, pad puts bars beside the whole "
                + "picture, auto does only where a head would be cut. (default: cover)",
            valueName: "word"
        )
    )
    var fit: String?

    @Option(
        help: ArgumentHelp(
            "The bars: a colour such as ffffff, transparent or blur. (default: ffffff)",
            valueName: "word"
        )
    )
    var background: String?

    @Option(
        help: ArgumentHelp(
            "What the crop is built around: faces, largest, smallest, face:N, attention, center, top, bottom, "
                + "left, right or point:X,Y. (default: faces)",
            valueName: "word"
        )
    )
    var gravity: String?

    @Option(
        help: ArgumentHelp(
            "When no face is found: attention, center, top, original or error. (default: attention)",
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
            "Room around every head: a share of its height, or pixels such as 24px. (default: 0.06)",
            valueName: "n"
        )
    )
    var padding: String?

    @Option(
        help: ArgumentHelp(
            "Where people are in the crop: center, thirds (their eyes on the upper third), left, right, top or bottom. "
                + "(default: center)",
            valueName: "word"
        )
    )
    var place: String?

    @Option(
        help: ArgumentHelp(
            "jpeg, png, webp, debug: the picture with what was found drawn over it, or auto: what the name of the output "
                + "file says, else the picture's own. (default: auto)",
            valueName: "type"
        )
    )
    var format: String?

    @Option(
        help: ArgumentHelp(
            "Quality of JPEG or WebP, 1 to 100, or source: that of a JPEG picture. (default: 82 or 80)",
            valueName: "n"
        )
    )
    var quality: String?

    @Flag(help: "Cut JPEG pictures without decoding them: no pixel changes, and the crop begins between blocks.")
    var lossless = false

    /// Names and values as a query would have them.
    var pairs: [(name: String, value: String)] {
        let given: [(String, String?)] = [
            ("aspect", aspect), ("width", width), ("height", height), ("dpr", dpr),
            ("enlarge", enlarge ? "true" : nil), ("fit", fit), ("background", background), ("gravity", gravity),
            ("fallback", fallback), ("zoom", zoom), ("padding", padding), ("place", place), ("format", format),
            ("quality", quality), ("lossless", lossless ? "true" : nil),
        ]
        return given.compactMap { name, value in value.map { (name, $0) } }
    }
}

/// How faces are found.
struct DetectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("high, or low: faster, but finds larger faces only. (default: high)", valueName: "word")
    )
    var accuracy: String?

    @Option(
        help: ArgumentHelp(
            "The smallest face that matters, as a share of the short side. (default: 0.04, or 0.167 with low)",
            valueName: "n"
        )
    )
    var minFace: String?

    @Option(Settings.detector) var detector: String?

    @Option(Settings.workers) var workers: String?

    var pairs: [(name: String, value: String)] {
        let given: [(String, String?)] = [("accuracy", accuracy), ("minFace", minFace)]
        return given.compactMap { name, value in value.map { (name, $0) } }
    }
}
