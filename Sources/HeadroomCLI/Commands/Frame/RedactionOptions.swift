import ArgumentParser

/// What happens to faces: redaction and stickers.
struct RedactionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Make heads unrecognisable: blur, pixelate or fill, which is plain grey.", valueName: "word")
    )
    var redact: String?

    @Option(
        help: ArgumentHelp(
            "Which heads: all, others (all but the largest), or numbers of faces such as 1,3. (default: all)",
            valueName: "faces"
        )
    )
    var redactFaces: String?

    @Option(
        help: ArgumentHelp(
            "Stickers on every face: halo, glasses, hat, moustache, or those of --overlays.",
            valueName: "names"
        )
    )
    var overlay: String?

    @Option(help: ArgumentHelp("Folder of stickers: docs/stickers.md.", valueName: "folder"))
    var overlays: String?

    var pairs: [(name: String, value: String)] {
        let options: [(String, String?)] = [("redact", redact), ("redactFaces", redactFaces), ("overlay", overlay)]
        return givenParameters(options)
    }
}
