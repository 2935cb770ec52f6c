import ArgumentParser

/// Which heads are made unrecognisable.
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

    var pairs: [(name: String, value: String)] {
        let options: [(String, String?)] = [("redact", redact), ("redactFaces", redactFaces)]
        return givenParameters(options)
    }
}
