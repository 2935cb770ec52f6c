import ArgumentParser

/// The options for changes of pixels.
struct EffectOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A colour that becomes transparent, such as 00ff00, or auto: the colour of the borders.",
            valueName: "color"
        )
    )
    var key: String?

    @Option(
        help: ArgumentHelp(
            "How much of the key may be missing in a transparent pixel, 0 to 0.9. (default: 0.25)",
            valueName: "n"
        )
    )
    var tolerance: String?

    @Option(
        help: ArgumentHelp(
            "How much of the key is taken out of visible pixels, 0 to 1. (default: 1)",
            valueName: "n"
        )
    )
    var spill: String?

    @Option(help: ArgumentHelp("What shows where the key was: a colour, or blur.", valueName: "word"))
    var backdrop: String?

    @Option(
        help: ArgumentHelp(
            "Filters of the result, separated by commas: mono, noir, tonal, sepia, chrome, fade, instant, process, "
                + "transfer, invert, vignette, blur:N, sharpen:N, brightness:N, contrast:N or saturation:N.",
            valueName: "list"
        )
    )
    var filter: String?

    var pairs: [(name: String, value: String)] {
        let options: [(String, String?)] = [
            ("key", key), ("tolerance", tolerance), ("spill", spill), ("backdrop", backdrop), ("filter", filter),
        ]
        return givenParameters(options)
    }
}
