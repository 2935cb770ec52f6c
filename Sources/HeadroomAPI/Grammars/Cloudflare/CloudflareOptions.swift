import Framing
import Encodings
import Imaging
import Requests

/// The options of one Cloudflare address, such as `width=80,fit=cover`.
struct CloudflareOptions {
    private var values: [CloudflareOption: String] = [:]
    /// The options that are accepted without effect.
    private(set) var ignored: [String] = []

    /// Parses the options as sent; the last of two equal ones counts.
    init(_ text: some StringProtocol) throws(Problem) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let pair = PercentEncoding.decoded(Array(part.utf8)), let equals = pair.firstIndex(of: "="),
                let option = CloudflareOption(name: String(pair[..<equals]))
            else {
                throw .invalid(option: String(part), expected: "an option of Cloudflare with a value, such as width=80")
            }
            let value = String(pair[pair.index(after: equals)...])
            if let neutral = option.neutralValues {
                guard neutral.contains(value) else { throw .unsupported(option: option.rawValue) }
            } else if option.isIgnored {
                ignored.append(pair)
            } else {
                values[option] = value
            }
        }
    }

    private subscript(_ option: CloudflareOption) -> String? { values[option] }

    /// The value that `parse` returns; nil for an absent option.
    ///
    /// - Throws: A ``Problem`` if `parse` returns nil.
    private func value<Value>(
        _ option: CloudflareOption,
        expected: String,
        _ parse: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = values[option] else { return nil }
        guard let value = parse(text) else { throw .invalid(option: "\(option.rawValue)=\(text)", expected: expected) }
        return value
    }

    /// The value of an option that must be a key of the table.
    private func word<Value>(
        _ option: CloudflareOption,
        _ table: KeyValuePairs<String, Value>
    ) throws(Problem) -> Value? {
        let expected = "one of \(table.map(\.key).joined(separator: ", "))"
        return try value(option, expected: expected) { text in table.first { $0.key == text }?.value }
    }

    // MARK: Area

    /// Adds the part of the source that is used.
    func addArea(to translation: inout Translation) throws(Problem) {
        let ratio = try pixelRatio()
        let sides = "top;right;bottom;left, each a whole number of pixels"
        let cut = try value(.trim, expected: sides) { text -> [Int]? in
            let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int(plainDigits: $0) }
            return numbers.count == 4 ? numbers.allDefined : nil
        }
        if let cut, cut[1] != 0 || cut[2] != 0 {
            throw .unsupported(option: "trim with right or bottom")
        }
        let x = try trim(.trimLeft, ratio) ?? cut.map { pixels($0[3], ratio) }
        let y = try trim(.trimTop, ratio) ?? cut.map { pixels($0[0], ratio) }
        let width = try trim(.trimWidth, ratio)
        let height = try trim(.trimHeight, ratio)
        guard [x, y, width, height].contains(where: { $0 != nil }) else { return }
        translation[.region] = "\(x ?? "0"),\(y ?? "0"),\(width ?? "1"),\(height ?? "1")"
    }

    private func trim(_ option: CloudflareOption, _ ratio: Double) throws(Problem) -> String? {
        try value(option, expected: "a whole number of pixels") { text in
            Int(plainDigits: text).map { pixels($0, ratio) }
        }
    }

    private func pixels(_ number: Int, _ ratio: Double) -> String {
        "\(Int((Double(min(number, Length.mostPixels)) * ratio).rounded()))px"
    }

    /// Adds turn and mirroring.
    private func addTurn(to translation: inout Translation) throws(Problem) {
        translation[.rotate] = try word(.rotate, ["0": nil, "90": "90", "180": "180", "270": "270", "360": nil]) ?? nil
        translation[.flip] = try word(.flip, ["h": "horizontal", "v": "vertical", "hv": "both", "vh": "both"])
    }

    // MARK: Shape

    /// The parameters for a picture of another shape, or of a smaller size, than the requested ones.
    private struct FitWords {
        let fit: String
        let enlarges: Bool
        /// Whether the picture is cropped, so that gravity has an effect.
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

    /// Maximum number of device pixels per pixel, as at Cloudflare.
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
    private func pixelRatio() throws(Problem) -> Double {
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
        // Zoom applies only to faces.
        if self[.gravity] == "face", let zoom, zoom > 0 { translation[.zoom] = NumberText.plain(zoom) }
    }

    private static func point(_ text: String) -> (gravity: String, fallback: String?)? {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Double(plainDecimal: $0) }
        guard parts.count == 2, let x = parts[0], let y = parts[1], x <= 1, y <= 1 else { return nil }
        return (NumberText.point(x, y), nil)
    }

    private func addBackground(to translation: inout Translation, isPadded: Bool) throws(Problem) {
        let expected = "a colour of CSS: a name, #rrggbb with # as %23, or rgb(…)"
        guard let color = try value(.background, expected: expected, CSSColor.init(css:)) else { return }
        translation.setBackground(color, isPadded: isPadded, option: "background")
    }

    // MARK: Output

    private static let formats: KeyValuePairs<String, String> = [
        "auto": "auto", "webp": "webp", "avif": "avif", "jpeg": "jpeg", "jpg": "jpeg", "baseline-jpeg": "jpeg",
        "png": "png", "gif": "gif", "json": "json",
    ]

    /// The qualities of this service by the words of Cloudflare.
    private static let qualities = ["high": 90, "medium-high": 80, "medium-low": 65, "low": 50]

    /// The largest radius of a blur, and the radius for a standard deviation of one pixel.
    private static let (mostBlur, blurUnits) = (250.0, 2.5)

    /// Adds the blur, and the factors of brightness, contrast and saturation, of which 1 has no effect.
    private func addFilters(to translation: inout Translation) throws(Problem) {
        var filters: [String] = []
        let blur = try value(.blur, expected: "a number from 0 to \(Int(Self.mostBlur))") { text in
            Double(plainDecimal: text).flatMap { $0 <= Self.mostBlur ? $0 : nil }
        }
        for option in [CloudflareOption.brightness, .contrast, .saturation] {
            let filter = try value(option, expected: "a number from 0 to \(Int(PictureFilter.maxFactor))") { text in
                PictureFilter("\(option.rawValue):\(text)").map { _ in "\(option.rawValue):\(text)" }
            }
            if let filter, !["1", "1.0"].contains(self[option]) { filters.append(filter) }
        }
        // Cloudflare's definition is not public; the strength is similar.
        if let blur, blur > 0 { filters.append("blur:\(NumberText.plain(blur / Self.blurUnits))") }
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

extension [Int?] {
    /// The elements; nil if one of them is nil.
    fileprivate var allDefined: [Int]? { contains(nil) ? nil : compactMap { $0 } }
}

/// The options of Cloudflare's addresses, by their full names.
private enum CloudflareOption: String, CaseIterable {
    case width, height, dpr, fit, gravity, zoom, quality, format, background, rotate, flip, anim, metadata
    case blur, brightness, contrast, saturation
    case trim
    case trimLeft = "trim.left"
    case trimTop = "trim.top"
    case trimWidth = "trim.width"
    case trimHeight = "trim.height"
    // Without effect on the size, the crop and the content.
    case slowConnectionQuality = "slow-connection-quality"
    case compression, onerror, sharpen
    // Not supported.
    case border, gamma, segment, upscale, draw

    /// The option of a name or an abbreviation; nil for an unknown one.
    init?(name: String) {
        if let option = Self.abbreviations[name] {
            self = option
        } else {
            self.init(rawValue: name)
        }
    }

    private static let abbreviations: [String: CloudflareOption] = [
        "w": .width, "h": .height, "g": .gravity, "q": .quality, "f": .format, "face-zoom": .zoom,
        "scq": .slowConnectionQuality,
    ]

    /// Whether the option is accepted and reported as ignored; it would change only the looks or the bytes of a result.
    var isIgnored: Bool {
        switch self {
        case .slowConnectionQuality, .compression, .onerror, .sharpen: true
        default: false
        }
    }

    /// The value at which an unsupported option has no effect; nil for a supported one.
    var neutralValues: [String]? {
        switch self {
        case .border: ["0"]
        case .gamma: ["1", "1.0"]
        case .segment, .upscale, .draw: []
        default: nil
        }
    }
}
