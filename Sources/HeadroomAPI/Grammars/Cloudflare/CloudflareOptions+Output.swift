/// Format and quality of Cloudflare's addresses.
extension CloudflareOptions {
    private static let formats: KeyValuePairs<String, String> = [
        "auto": "auto", "webp": "webp", "avif": "avif", "jpeg": "jpeg", "jpg": "jpeg", "baseline-jpeg": "jpeg",
        "png": "png", "gif": "gif", "json": "json",
    ]

    /// The words for quality, and the qualities of this service that they mean.
    private static let qualities = ["high": 90, "medium-high": 80, "medium-low": 65, "low": 50]

    /// Adds turn, format, quality, animation and metadata.
    func addOutput(to translation: inout Translation) throws(Problem) {
        try addTurn(to: &translation)
        translation[.format] = try word(.format, Self.formats) ?? "source"
        let quality = try value(.quality, expected: "1 to 100, high, medium-high, medium-low or low") { text in
            Self.qualities[text] ?? Int(plainDigits: text).flatMap { (1...100).contains($0) ? $0 : nil }
        }
        translation[.quality] = quality.map { "\($0)" }
        if try word(.anim, ["true": true, "false": false]) == false { translation[.animation] = "still" }
        let metadata = try word(.metadata, ["copyright": "copyright", "keep": "keep", "none": "none"]) ?? "copyright"
        if metadata == "keep" { translation.ignore("metadata=keep") }
        if metadata != "none" { translation[.metadata] = "copyright" }
    }
}
