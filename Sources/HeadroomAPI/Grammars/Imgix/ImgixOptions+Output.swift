/// Format, quality and turn of imgix' addresses.
extension ImgixOptions {
    private static let formats = [
        "jpg": "jpeg", "jpeg": "jpeg", "pjpg": "jpeg", "png": "png", "png8": "png", "png32": "png", "webp": "webp",
        "avif": "avif", "gif": "gif", "json": "json",
    ]

    /// Adds turn, format and quality.
    func addOutput(to translation: inout Translation) throws(Problem) {
        try addTurn(to: &translation)
        let automatic = list("auto")
        for word in automatic where word == "enhance" || word == "redeye" { translation.ignore("auto=\(word)") }
        if let word = self["fm"] {
            guard let format = Self.formats[word] else { throw .unsupported(option: "fm=\(word)") }
            translation[.format] = format
            if word == "pjpg" { translation[.progressive] = "true" }
        } else {
            translation[.format] = automatic.contains("format") ? "auto" : "source"
        }
        let quality = try number("q", in: 0...100)
        translation[.quality] = quality.map { "\(max(1, Int($0.rounded())))" }
        switch self["chromasub"] {
        case "444": translation[.chroma] = "444"
        case "420": translation[.chroma] = "420"
        case nil: break
        default: translation.ignore("chromasub")
        }
    }

    private func addTurn(to translation: inout Translation) throws(Problem) {
        if let text = self["rot"] {
            guard let turn = ["0": "0", "90": "90", "180": "180", "270": "270"][text] else {
                throw .unsupported(option: "rot=\(text)")
            }
            if turn != "0" { translation[.rotate] = turn }
        }
        let flips = ["h": "horizontal", "v": "vertical", "hv": "both"]
        translation[.flip] = try value("flip", expected: "h, v or hv") { flips[$0] }
    }
}
