import ArgumentParser

/// What to do with pictures, in the words of the HTTP parameters.
struct PictureOptions: ParsableArguments {
    @Option(
        help: "The shape of the crop: 16:9, 1.91:1 or 1.5. (default: the shape of width and height, or the picture's)"
    )
    var aspect: String?

    @Option(help: "The width of the result in pixels.")
    var width: String?

    @Option(help: "The height of the result in pixels.")
    var height: String?

    @Option(help: "Device pixels for each pixel asked, 1 to 5. (default: 1)")
    var dpr: String?

    @Flag(help: "Let the result be larger than the crop.")
    var enlarge = false

    @Option(
        help: """
            What the crop is built around: faces, largest, smallest, face:N, center, top, bottom, left, right, point:X,Y. \
            (default: faces)
            """
    )
    var gravity: String?

    @Option(help: "When no face is found: center, top, original or error. (default: top)")
    var fallback: String?

    @Option(help: "0 for the widest crop, 1 for the tightest around the heads. (default: 0)")
    var zoom: String?

    @Option(help: "Room around every head: a share of its height, or pixels such as 24px. (default: 0.1)")
    var padding: String?

    @Option(help: "The result's type: auto (the source's), jpeg, png or webp. (default: auto)")
    var format: String?

    @Option(help: "JPEG or WebP quality, 1 to 100. (default: 82 or 80)")
    var quality: String?

    /// Names and values as a query would have them.
    var pairs: [(name: String, value: String)] {
        let given: [(String, String?)] = [
            ("aspect", aspect), ("width", width), ("height", height), ("dpr", dpr),
            ("enlarge", enlarge ? "true" : nil), ("gravity", gravity), ("fallback", fallback), ("zoom", zoom),
            ("padding", padding), ("format", format), ("quality", quality),
        ]
        return given.compactMap { name, value in value.map { (name, $0) } }
    }
}

/// What finding faces takes.
struct DetectionOptions: ParsableArguments {
    @Option(help: "low finds larger faces only, and is faster; high. (default: high)")
    var accuracy: String?

    @Option(help: ArgumentHelp(DetectorChoice.help, valueName: "name"))
    var detector: String?

    @Option(help: "Pictures that are worked on at the same time. (default: one a core)")
    var workers: Int?

    var pairs: [(name: String, value: String)] { accuracy.map { [("accuracy", $0)] } ?? [] }
}
