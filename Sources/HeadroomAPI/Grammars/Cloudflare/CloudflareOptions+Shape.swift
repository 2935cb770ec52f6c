/// Size, fit and gravity of Cloudflare's addresses.
extension CloudflareOptions {
    /// The treatment of a picture of another shape, and of one that is too small.
    private struct FitWords {
        let fit: String
        let enlarges: Bool
        /// Whether something is cut off, so that gravity has an effect.
        var crops = false
    }

    private static let fits: KeyValuePairs<String, FitWords> = [
        "scale-down": FitWords(fit: "inside", enlarges: false),
        "contain": FitWords(fit: "inside", enlarges: true),
        "cover": FitWords(fit: "cover", enlarges: true, crops: true),
        "crop": FitWords(fit: "limit", enlarges: false, crops: true),
        "aspect-crop": FitWords(fit: "cover", enlarges: false, crops: true),
        "pad": FitWords(fit: "pad", enlarges: true),
        "squeeze": FitWords(fit: "fill", enlarges: true),
    ]

    /// Device pixels per pixel; Cloudflare caps them.
    private static let mostPixelRatio = 2.0

    /// Adds size, fit, gravity and background.
    func addShape(to translation: inout Translation) throws(Problem) {
        let fit = try word(.fit, Self.fits) ?? Self.fits[0].value
        translation[.fit] = fit.fit
        translation[.enlarge] = fit.enlarges ? "true" : "false"
        let ratio = try pixelRatio()
        translation.set(RequestedSize(width: try side(.width, ratio), height: try side(.height, ratio)))
        if fit.crops { try addGravity(to: &translation) }
        try addBackground(to: &translation, isPadded: fit.fit == "pad")
    }

    /// Device pixels per pixel, at most two.
    func pixelRatio() throws(Problem) -> Double {
        let ratio = try value(.dpr, expected: "a number above 0") { text in
            Double(plainDecimal: text).flatMap { $0 > 0 ? $0 : nil }
        }
        return min(ratio ?? 1, Self.mostPixelRatio)
    }

    private func side(_ option: CloudflareOption, _ ratio: Double) throws(Problem) -> Int? {
        if self[option] == "auto" { throw .unsupported(option: "\(option.rawValue)=auto") }
        return try value(option, expected: "a whole number of pixels from 1 to \(FrameParameters.maxSide)") { text in
            Int(plainDigits: text).flatMap { $0 > 0 ? NumberText.side($0, times: ratio) : nil }
        }
    }

    private static let gravities: [String: (gravity: String, fallback: String?)] = [
        "auto": ("faces", "attention"), "face": ("faces", "center"), "center": ("center", nil),
        "left": ("left", nil), "right": ("right", nil), "top": ("top", nil), "bottom": ("bottom", nil),
    ]

    private func addGravity(to translation: inout Translation) throws(Problem) {
        let expected = "auto, face, left, right, top, bottom, or XxY, each 0 to 1, such as 0.5x0.33"
        let choice = try value(.gravity, expected: expected) { text in Self.gravities[text] ?? Self.point(text) }
        translation[.gravity] = choice?.gravity ?? "center"
        translation[.fallback] = choice?.fallback
        let zoom = try value(.zoom, expected: "a number from 0 to 1") { text in
            Double(plainDecimal: text).flatMap { $0 <= 1 ? $0 : nil }
        }
        // Only faces are zoomed to.
        if self[.gravity] == "face", let zoom, zoom > 0 { translation[.zoom] = NumberText.plain(zoom) }
    }

    private static func point(_ text: String) -> (gravity: String, fallback: String?)? {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Double(plainDecimal: $0) }
        guard parts.count == 2, let x = parts[0], let y = parts[1], x <= 1, y <= 1 else { return nil }
        return ("point:\(NumberText.plain(x)),\(NumberText.plain(y))", nil)
    }

    private func addBackground(to translation: inout Translation, isPadded: Bool) throws(Problem) {
        let expected = "a colour of CSS: a name, #rrggbb with # as %23, or rgb(…)"
        guard let color = try value(.background, expected: expected, CSSColor.init(css:)) else { return }
        translation.setBackground(color, isPadded: isPadded, option: "background")
    }
}
