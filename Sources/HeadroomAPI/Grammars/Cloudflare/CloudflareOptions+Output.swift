import Imaging

/// Format and quality of Cloudflare's addresses.
extension CloudflareOptions {
    private static let formats: KeyValuePairs<String, String> = [
        "auto": "auto", "webp": "webp", "avif": "avif", "jpeg": "jpeg", "jpg": "jpeg", "baseline-jpeg": "jpeg",
        "png": "png", "gif": "gif", "json": "json",
    ]

    /// The words for quality, and the qualities of this service that they mean.
    private static let qualities = ["high": 90, "medium-high": 80, "medium-low": 65, "low": 50]

    /// Adds the factors of brightness, contrast and saturation, of which 1 has no effect.
    private func addFilters(to translation: inout Translation) throws(Problem) {
        var filters: [String] = []
        for option in [CloudflareOption.brightness, .contrast, .saturation] {
            let filter = try value(option, expected: "a number from 0 to \(Int(PictureFilter.maxFactor))") { text in
                PictureFilter("\(option.rawValue):\(text)").map { _ in "\(option.rawValue):\(text)" }
            }
            if let filter, !["1", "1.0"].contains(self[option]) { filters.append(filter) }
        }
        if !filters.isEmpty { translation[.filter] = filters.joined(separator: ",") }
    }

    /// Adds turn, filters, format, quality, animation and metadata.
    func addOutput(to translation: inout Translation) throws(Problem) {
        try addTurn(to: &translation)
        try addFilters(to: &translation)
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
