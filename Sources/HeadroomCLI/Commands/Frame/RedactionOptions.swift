import ArgumentParser

/// What is made unrecognisable.
struct RedactionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Make heads unrecognisable: blur, pixelate or fill, which is plain grey.", valueName: "word")
    )
    var redact: String?

    @Option(
        help: ArgumentHelp(
            "Which heads: all, others (all but the largest), numbers of faces such as 1,3, or none. A video has all or none. "
                + "(default: all)",
            valueName: "faces"
        )
    )
    var redactFaces: String?

    @Option(
        help: ArgumentHelp(
            "Outline of what is redacted: rounded, a rounded rectangle, or oval. (default: rounded)",
            valueName: "word"
        )
    )
    var redactShape: String?

    @Option(
        help: ArgumentHelp(
            "Areas to redact in addition to heads, as x,y,width,height like --region, separated by semicolons.",
            valueName: "rects"
        )
    )
    var redactAreas: String?

    var pairs: [(name: String, value: String)] {
        let options: [(String, String?)] = [
            ("redact", redact), ("redactFaces", redactFaces), ("redactShape", redactShape),
            ("redactAreas", redactAreas),
        ]
        return givenParameters(options)
    }
}

/// Stickers on faces.
struct StickerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Stickers on every face: halo, glasses, hat, moustache, or those of --overlays.",
            valueName: "names"
        )
    )
    var overlay: String?

    @Option(help: ArgumentHelp("Folder of stickers: docs/stickers.md.", valueName: "folder"))
    var overlays: String?

    var pairs: [(name: String, value: String)] { givenParameters([("overlay", overlay)]) }
}
