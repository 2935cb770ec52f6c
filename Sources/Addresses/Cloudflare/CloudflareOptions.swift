import Encodings
import Framing
import HeadroomAPI
import Imaging
import Requests
import TotalFunctions
import UntrustedText

/// The options of one Cloudflare URL, such as `width=80,fit=cover`.
struct CloudflareOptions {
    private var values = AddressOptions()
    /// The options that are accepted without effect.
    private(set) var ignored: [String] = []

    /// The names of all options.
    static var names: [String] {
        translated.sorted() + abbreviations.keys.sorted() + silent.sorted() + unsupported.keys.sorted()
    }

    private static let translated: Set = [
        "width", "height", "dpr", "fit", "gravity", "zoom", "quality", "format", "background", "rotate", "flip", "anim",
        "metadata", "blur", "brightness", "contrast", "saturation", "trim", "trim.left", "trim.top", "trim.width",
        "trim.height", "gamma", "sharpen", "upscale", "border",
    ]

    private static let abbreviations = [
        "w": "width", "h": "height", "g": "gravity", "q": "quality", "f": "format", "face-zoom": "zoom",
        "scq": "slow-connection-quality", "metadata-mode": "metadata", "border.width": "border",
    ]

    /// Options that affect only the looks or the bytes of an output; they are reported as ignored.
    private static let silent: Set = ["slow-connection-quality", "compression", "onerror", "origin-auth"]

    /// Unsupported options, with their values that have no effect.
    private static let unsupported = [
        "border.color": ["none"], "border.top": ["0"], "border.right": ["0"], "border.bottom": ["0"],
        "border.left": ["0"], "segment": [], "draw": [],
    ]

    /// Parses the options, either plain or encoded as a whole.
    ///
    /// If an option is repeated, the last one applies.
    init(_ text: Substring) throws(Problem) {
        for element in OptionSegment.elements(OptionSegment.decoded(text)) {
            let part = element.bytes.trimmed()
            let pair = String(part)
            let (short, given) = part.bytes.halves(at: "=")
            guard let value = given.map(String.init), short.bytes.isWord(atMost: ParameterName.maxBytes) else {
                throw .invalid(option: pair, expected: "an option of Cloudflare with a value, such as width=80")
            }
            let name = Self.abbreviations[String(short)] ?? String(short)
            if ["width", "height"].contains(name), value.bytes == "auto" { ignored.append(pair) }
            if Self.translated.contains(name) {
                try values.set(name, value)
            } else if Self.silent.contains(name) {
                ignored.append(pair)
            } else if let neutral = Self.unsupported[name] {
                guard neutral.contains(where: { $0.bytes == value.bytes }) else { throw .unsupported(option: name) }
            } else {
                throw .invalid(option: String(part), expected: "an option of Cloudflare with a value, such as width=80")
            }
        }
    }

    // MARK: Area

    /// The pixels that `trim` cuts off at each side.
    private typealias Cut = (top: Int, right: Int, bottom: Int, left: Int)

    /// Adds the used part of the source.
    func addArea(to translation: inout Translation) throws(Problem) {
        let ratio = try pixelRatio()
        if values["trim"] == "border" {
            translation[.trim] = "\(Self.borderTolerance)"
            return
        }
        let sides = "top;right;bottom;left, each a whole number of pixels, or border"
        let cut = try values.value("trim", expected: sides) { text -> Cut? in
            let parts = text.bytes.split(separator: ";", omittingEmptySubsequences: false)
            let numbers = parts.compactMap { Int(plainDigits: $0) }
            guard parts.count == 4, numbers.count == 4 else { return nil }
            return (top: numbers[0], right: numbers[1], bottom: numbers[2], left: numbers[3])
        }
        let x = try trim("trim.left", ratio) ?? cut.map { pixels($0.left, ratio) }
        let y = try trim("trim.top", ratio) ?? cut.map { pixels($0.top, ratio) }
        let width = try trim("trim.width", ratio)
        let height = try trim("trim.height", ratio)
        if let cut, cut.right != 0 || cut.bottom != 0 {
            guard width == nil, height == nil else {
                throw .unsupported(option: "trim with right or bottom and trim.width or trim.height")
            }
            let edges = [y ?? "0", pixels(cut.right, ratio), pixels(cut.bottom, ratio), x ?? "0"]
            translation[.region] = "inset,\(edges.joined(separator: ","))"
            return
        }
        guard [x, y, width, height].contains(where: { $0 != nil }) else { return }
        translation[.region] = "\(x ?? "0"),\(y ?? "0"),\(width ?? "1"),\(height ?? "1")"
    }

    /// The maximum difference of a sample from the border's colour.
    private static let borderTolerance = 10

    private func trim(_ option: String, _ ratio: Double) throws(Problem) -> String? {
        try values.value(option, expected: "a whole number of pixels") { text in
            Int(plainDigits: text).map { pixels($0, ratio) }
        }
    }

    private func pixels(_ number: Int, _ ratio: Double) -> String {
        "\(Int(clamping: (Double(min(number, Length.maxPixels)) * ratio).rounded()))px"
    }

    // MARK: Shape

    /// The parameters for an image with another aspect ratio, or a smaller size, than requested.
    private struct FitWords {
        let fit: String
        let enlarges: Bool
        /// Whether the image is cropped, so that gravity has an effect.
        var crops = false
    }

    /// The fit of a URL without the option.
    private static let standardFit = FitWords(fit: "inside", enlarges: false)

    private static let fits: KeyValuePairs<String, FitWords> = [
        "scale-down": standardFit,
        "contain": FitWords(fit: "inside", enlarges: true),
        "cover": FitWords(fit: "cover", enlarges: true, crops: true),
        "crop": FitWords(fit: "limit", enlarges: false, crops: true),
        "aspect-crop": FitWords(fit: "cover", enlarges: false, crops: true),
        "pad": FitWords(fit: "pad", enlarges: true),
        "squeeze": FitWords(fit: "fill", enlarges: true),
    ]

    /// Fits that this service does not support.
    private static let missingFits: Set = ["scale-up"]

    /// Maximum number of device pixels per pixel, as in Cloudflare.
    private static let maxPixelRatio = 2.0

    /// Adds size, fit, gravity and background.
    func addShape(to translation: inout Translation) throws(Problem) {
        if let fit = values["fit"], Self.missingFits.contains(fit) {
            throw .unsupported(option: "fit=\(fit)", values: Self.fits.map(\.key))
        }
        let fit = try values.word("fit", Self.fits) ?? Self.standardFit
        translation[.fit] = fit.fit
        translation[.enlarge] = fit.enlarges ? "true" : "false"
        let ratio = try pixelRatio()
        translation.set(RequestedSize(width: try side("width", ratio), height: try side("height", ratio)))
        if fit.crops { try addGravity(to: &translation) }
        let colors = "a colour of CSS: a name, #rrggbb with # as %23, or rgb(…)"
        if let color = try values.value("background", expected: colors, CSSColor.init(css:)) {
            translation.setBackground(color, isPadded: fit.fit == "pad", option: "background")
        }
    }

    /// Device pixels per pixel, at most two.
    private func pixelRatio() throws(Problem) -> Double {
        // Without client hints, the ratio is 1.
        let ratio = try values.value("dpr", expected: "a number above 0") { text in
            text == "auto" ? 1 : Double(plainDecimal: text).flatMap { $0 > 0 ? $0 : nil }
        }
        return min(ratio ?? 1, Self.maxPixelRatio)
    }

    private func side(_ option: String, _ ratio: Double) throws(Problem) -> RequestedSide? {
        // Without client hints, the side is the source's.
        if values[option] == "auto" { return nil }
        let expected = "a whole number of pixels from 1 to \(FrameParameters.maxSide)"
        return try values.value(option, expected: expected) { text in
            Int(plainDigits: text).flatMap { $0 > 0 ? RequestedSide($0, times: ratio) : nil }
        }
    }

    private static let gravities: [String: (gravity: String, fallback: String?)] = [
        "auto": ("faces", "attention"), "face": ("faces", "center"), "center": ("center", nil),
        "left": ("left", nil), "right": ("right", nil), "top": ("top", nil), "bottom": ("bottom", nil),
        "entropy": ("attention", nil),
    ]

    private func addGravity(to translation: inout Translation) throws(Problem) {
        let expected = "auto, face, left, right, top, bottom, or XxY, each 0 to 1, such as 0.5x0.33"
        let choice = try values.value("gravity", expected: expected) { Self.gravities[$0] ?? Self.point($0) }
        translation[.gravity] = choice?.gravity ?? "center"
        translation[.fallback] = choice?.fallback
        let zoom = try values.value("zoom", expected: "a number from 0 to 1") { text in
            Double(plainDecimal: text).flatMap { $0 <= 1 ? $0 : nil }
        }
        // Zoom applies only to faces.
        if values["gravity"] == "face", let zoom, zoom > 0 { translation[.zoom] = NumberText.plain(zoom) }
    }

    private static func point(_ text: String) -> (gravity: String, fallback: String?)? {
        let parts = text.bytes.split(separator: "x", omittingEmptySubsequences: false).map { Double(plainDecimal: $0) }
        guard parts.count == 2, let x = parts[0], let y = parts[1], x <= 1, y <= 1 else { return nil }
        return (NumberText.point(x, y), nil)
    }

    // MARK: Output

    private static let formats: KeyValuePairs<String, String> = [
        "auto": "auto", "webp": "webp", "avif": "avif", "jpeg": "jpeg", "jpg": "jpeg", "baseline-jpeg": "jpeg",
        "png": "png", "gif": "gif", "json": "json",
    ]

    /// The qualities of this service for Cloudflare's words.
    private static let qualities = ["high": 90, "medium-high": 80, "medium-low": 65, "low": 50]

    /// The maximum radius of a blur, and the radius for a standard deviation of one pixel.
    private static let (maxBlur, blurUnits) = (250.0, 2.5)

    /// Adds the blur, and the factors of brightness, contrast and saturation; a factor of 1 has no effect.
    private func addFilters(to translation: inout Translation) throws(Problem) {
        var filters: [String] = []
        let blur = try values.value("blur", expected: "a number from 0 to \(Int(Self.maxBlur))") { text in
            Double(plainDecimal: text).flatMap { $0 <= Self.maxBlur ? $0 : nil }
        }
        for option in ["brightness", "contrast", "saturation"] {
            let expected = "a number from 0 to \(Int(ImageFilter.maxFactor))"
            let filter = try values.value(option, expected: expected) { text in
                ImageFilter("\(option):\(text)").map { _ in "\(option):\(text)" }
            }
            if let filter, !["1", "1.0"].contains(values[option]) { filters.append(filter) }
        }
        // Cloudflare's definition is not public; the strength is similar.
        if let blur, blur > 0 { filters.append("blur:\(NumberText.plain(blur / Self.blurUnits))") }
        if let gamma = try values.number("gamma", in: 0...100), gamma > 0, gamma != 1 {
            filters.append("gamma:\(NumberText.plain(min(gamma, ImageFilter.maxFactor)))")
        }
        if let amount = try values.number("sharpen", in: 0...ImageFilter.maxSharpening), amount > 0 {
            filters.append("sharpen:\(NumberText.plain(amount))")
        }
        if !filters.isEmpty { translation[.filter] = filters.joined(separator: ",") }
    }

    /// Adds rotation, filters, format, quality, animation and metadata.
    func addOutput(to translation: inout Translation) throws(Problem) {
        let turns: KeyValuePairs<String, String?> = ["0": nil, "90": "90", "180": "180", "270": "270", "360": nil]
        translation[.rotate] = try values.word("rotate", turns) ?? nil
        translation[.flip] = try values.word("flip", ["h": "horizontal", "v": "vertical", "hv": "both", "vh": "both"])
        try addFilters(to: &translation)
        translation[.format] = try values.word("format", Self.formats) ?? "source"
        let quality = try values.value("quality", expected: "1 to 100, high, medium-high, medium-low or low") { text in
            Self.qualities[text] ?? Int(plainDigits: text).flatMap { (1...100).contains($0) ? $0 : nil }
        }
        translation[.quality] = quality.map { "\($0)" }
        if try values.word("anim", ["true": true, "false": false]) == false { translation[.animation] = "still" }
        if let method = values["upscale"], method != "interpolate" {
            throw .unsupported(option: "upscale=\(method)")
        }
        if let border = values["border"], border != "0" { throw .unsupported(option: "border=\(border)") }
        let kept = ["copyright": "copyright", "keep": "keep", "none": "none"] as KeyValuePairs
        let metadata = try values.word("metadata", kept) ?? "copyright"
        if metadata == "keep" { translation.ignore("metadata=keep") }
        if metadata != "none" { translation[.metadata] = "copyright" }
    }
}
