import Geometry
import Glibc
import HeadroomAPI
import Imaging
import Requests
import UntrustedText

/// Format, quality, pixel ratio, background and rotation of a transformation.
struct CloudinaryOutput {
    private var format: String?
    private var quality: Int?
    private var chroma: String?
    private var ratio = 1.0
    private var background: String?
    private var turn: CloudinaryTurn?
    private var isProgressive = false
    /// The radius of the corners in pixels; infinite for an ellipse.
    private var radius: Double?
    /// The file name for saving the output in browsers: empty for the source's name, nil for no download.
    private var attachment: String?
    private var ignored: [String] = []
    private var effects = CloudinaryEffects()
    /// The tolerance for removing uniform borders; nil to keep them.
    private(set) var trim: Int?

    /// Whether the output is rotated or mirrored.
    var isTurned: Bool { turn != nil }

    private static let formats = [
        "auto": "auto", "auto:image": "auto", "auto:animated": "auto", "jpg": "jpeg", "jpeg": "jpeg", "png": "png",
        "webp": "webp", "avif": "avif", "gif": "gif", "mp4": "mp4", "webm": "webm",
    ]

    /// The qualities of this service for Cloudinary's words; nil is the default quality.
    private static let qualities: [String: Int?] = [
        "auto": nil, "auto:good": nil, "auto:best": 90, "auto:eco": 70, "auto:low": 55,
    ]

    /// Flags about the encoding of a file, and flags without a meaning for images.
    private static let ignoredFlags: Set<String> = [
        "lossy", "force_strip", "strip_profile", "keep_iptc", "keep_attribution", "immutable_cache", "png8", "awebp",
        "any_format", "preserve_transparency", "animated", "apng", "png24", "png32", "sanitize",
        "no_overflow",
    ]

    /// Effects that correct an image slightly.
    private static let ignoredEffects: Set<String> = [
        "improve", "enhance", "auto_brightness", "auto_color", "auto_contrast", "viesus_correct", "redeye",
        "adv_redeye",
    ]

    mutating func add(_ component: CloudinaryComponent) throws(Problem) {
        if let text = component["f"] {
            guard let known = Self.formats[text] else {
                throw .unsupported(option: "f_\(text) (format)", values: Self.formats.keys.sorted())
            }
            format = known
        }
        if let text = component["q"] { try addQuality(text) }
        if component["dpr"] == "auto" {
            // Without client hints, Cloudinary uses 1.
            ignored.append("dpr_auto")
        } else {
            let given = try component.options.value("dpr", expected: "a number above 0 up to 50, or auto") { text in
                Double(plainDecimal: text).flatMap { $0 > 0 && $0 <= 50 ? $0 : nil }
            }
            ratio = given ?? ratio
        }
        if let width = component["w"], width == "auto" || width.bytes.hasPrefix("auto:") {
            ignored.append("w_\(width)")
        }
        if let text = component["b"] { background = text }
        if let text = component["e"] {
            let name = String(text.bytes.prefix(before: ":"))
            if Self.ignoredEffects.contains(name) {
                ignored.append("e_\(name)")
            } else if name == "trim" {
                let tolerance = text.bytes.split(separator: ":").dropFirst().first.map { Int(plainDigits: $0) } ?? 10
                guard let tolerance, tolerance <= 100 else {
                    throw .invalid(option: "e_\(text)", expected: "0 to 100")
                }
                trim = tolerance
            } else {
                try effects.add(text)
            }
        }
        if let text = component["r"] { try addRadius(text) }
        if let text = component["a"], let next = try CloudinaryTurn(text, after: turn) { turn = next }
        for key in ["cs", "dn"] where component[key] != nil { ignored.append(component.options.text(key)) }
        for flag in component["fl"]?.bytes.split(separator: ".").map(String.init) ?? [] {
            if flag.bytes == "progressive" || flag.bytes.hasPrefix("progressive:") {
                isProgressive = true
            } else if flag.bytes == "attachment" || flag.bytes.hasPrefix("attachment:") {
                attachment = String(flag.bytes.dropFirst("attachment:".count))
            } else if flag.bytes.isASCII, Self.ignoredFlags.contains(flag) {
                ignored.append("fl_\(flag)")
            } else {
                throw .unsupported(option: "fl_\(flag) (flag)")
            }
        }
    }

    private mutating func addRadius(_ text: String) throws(Problem) {
        if text == "max" {
            radius = .infinity
        } else {
            let radii = Set(text.bytes.split(separator: ":").map { Double(plainDecimal: $0) })
            guard radii.count == 1, case let number?? = radii.first, number <= 100_000 else {
                throw .unsupported(option: "r_\(text) (different radii)")
            }
            radius = number
        }
    }

    private mutating func addQuality(_ text: String) throws(Problem) {
        let parts = text.bytes.split(separator: ":").map(String.init)
        if let known = Self.qualities[text] {
            quality = known
        } else if text == "jpegmini" || text.bytes.hasPrefix("jpegmini:") || text.bytes.hasPrefix("auto:") {
            ignored.append("q_\(text)")
        } else if let number = parts.first.flatMap({ Int(plainDigits: $0) }), (1...100).contains(number) {
            quality = number
            chroma = ["420", "444"].first { parts.dropFirst().contains($0) }
        } else {
            throw .invalid(option: "q_\(text)", expected: "1 to 100, or auto")
        }
    }

    /// The size times the pixel ratio.
    ///
    /// - Throws: A ``Problem`` with status 400 for a side that is too large, or 501 for a fraction above 1.
    func scaled(_ size: RequestedSize) throws(Problem) -> RequestedSize {
        let option = "dpr_\(NumberText.plain(ratio))"
        let pixels = [size.width, size.height].compactMap { $0?.pixels }
        guard pixels.allSatisfy({ RequestedSide($0, times: ratio) != nil }) else {
            throw .invalid(option: option, expected: "an output of at most \(FrameParameters.maxSide) pixels per side")
        }
        func scaled(_ side: RequestedSide?) throws(Problem) -> RequestedSide? {
            switch side {
            case nil: return nil
            case .pixels(let pixels): return RequestedSide(pixels, times: ratio)
            case .share(let share):
                guard share * ratio <= 1 else {
                    throw .unsupported(option: option, "The output would be larger than the source.")
                }
                return .share(share * ratio)
            }
        }
        return RequestedSize(width: try scaled(size.width), height: try scaled(size.height))
    }

    func addBackground(to translation: inout Translation, isPadded: Bool) throws(Problem) {
        guard let background else { return }
        if background.bytes.hasPrefix("auto") || background.bytes.hasPrefix("blurred") {
            if isPadded { translation[.background] = "blur" }
            if background.bytes.hasPrefix("auto") || !isPadded { translation.ignore("b_\(background)") }
            return
        }
        if background == "none" || background.bytes.hasPrefix("gen_fill") {
            if background == "none" { return }
            throw .unsupported(option: "b_\(background) (background)")
        }
        let color =
            background.bytes.hasPrefix("rgb:")
            ? CSSColor(hexadecimal: background.dropFirst(4), alpha: .last)
            : background.bytes.hasPrefix("#")
                ? CSSColor(hexadecimal: background.dropFirst(), alpha: .last) : CSSColor(name: background)
        guard let color else { throw .invalid(option: "b_\(background)", expected: "a colour name, or rgb:rrggbb") }
        translation.setBackground(color, isPadded: isPadded, option: "b_\(background)")
    }

    /// Adds format, quality and rotation.
    func add(to translation: inout Translation) {
        translation[.format] = format ?? "source"
        translation[.quality] = quality.map { "\($0)" }
        translation[.chroma] = chroma
        if isProgressive, format == nil || format == "auto" || format == "jpeg" { translation[.progressive] = "true" }
        turn?.add(to: &translation)
        effects.add(to: &translation)
        if let radius, radius > 0 {
            translation.setMask(radius == .infinity ? "circle" : "rounded:\(NumberText.pixels(radius * ratio))")
        }
        if let attachment { translation.setDownload(attachment) }
        for option in ignored { translation.ignore(option) }
    }
}

/// Rotation and mirroring by Cloudinary's `a_`, applied after everything else.
struct CloudinaryTurn {
    private var degrees = 0
    private var flip: String?

    /// Whether a text does not rotate or mirror.
    static func isNeutral(_ text: String) -> Bool { ["0", "360", "exif"].contains(text) }

    /// Whether a text only mirrors.
    static func onlyMirrors(_ text: String) -> Bool {
        text.bytes.split(separator: ".").allSatisfy { $0 == "hflip" || $0 == "vflip" }
    }

    /// Parses `90`, `-90`, `hflip`, `vflip`, or several of these values separated by points.
    ///
    /// - Throws: A ``Problem`` with status 501 for other rotations, and for a second rotation.
    init?(_ text: String, after earlier: CloudinaryTurn?) throws(Problem) {
        if Self.isNeutral(text) { return nil }
        guard earlier == nil else { throw .unsupported(option: "a_\(text)") }
        for word in text.bytes.split(separator: ".").map(String.init) {
            switch word {
            // First rotated and then mirrored, like the parameters of this service.
            case "90", "-270": degrees = 90
            case "180", "-180": degrees = 180
            case "270", "-90": degrees = 270
            case "hflip" where flip == nil: flip = "horizontal"
            case "vflip" where flip == nil: flip = "vertical"
            default: throw .unsupported(option: "a_\(text) (angle)")
            }
        }
    }

    /// Adds the rotation; width, height and aspect ratio become the values after the rotation.
    func add(to translation: inout Translation) {
        translation[.flip] = flip
        guard degrees > 0 else { return }
        translation[.rotate] = "\(degrees)"
        guard degrees != 180 else { return }
        (translation[.width], translation[.height]) = (translation[.height], translation[.width])
        if let aspect = translation[.aspect].flatMap({ AspectRatio($0) }) {
            translation[.aspect] = NumberText.plain(1 / aspect.value)
        }
    }
}

/// Cloudinary's effects (`e_`) that are translated to filters or redactions.
///
/// Their definitions are not public; the filters here have a similar strength.
struct CloudinaryEffects {
    private var filters = FilterText()
    private var redaction: String?

    /// The value of `e_blur` for a standard deviation of one pixel.
    private static let blurUnits = 25.0
    /// The rotation of the hue in degrees for a unit of `e_hue`.
    private static let hueUnit = 1.8
    /// The range of the amount of `e_blur`, and its default.
    private static let blurs = (range: 1...2000, standard: 100)

    /// Adds an effect such as `blur:300`.
    ///
    /// - Throws: A ``Problem`` with status 501 for other effects, and 400 for an amount outside its range.
    mutating func add(_ text: String) throws(Problem) {
        let (name, value) = text.bytes.halves(at: ":")
        func amount(_ range: ClosedRange<Int>, _ standard: Int) throws(Problem) -> Double {
            guard let value else { return Double(standard) }
            guard let number = Int(value), range.contains(number) else {
                throw .invalid(option: "e_\(text)", expected: "\(range.lowerBound) to \(range.upperBound)")
            }
            return Double(number)
        }
        switch name {
        case "grayscale": filters.add("mono")
        case "blackwhite": filters.add("noir")
        case "sepia":
            _ = try amount(1...100, 80)
            filters.add("sepia")
        case "negate": filters.add("invert")
        case "vignette":
            _ = try amount(0...100, 20)
            filters.add("vignette")
        case "blur": filters.add(.blur, try amount(Self.blurs.range, Self.blurs.standard) / Self.blurUnits)
        case "sharpen", "unsharp_mask": filters.add(.sharpen, try amount(1...2000, 100) / 100)
        case "brightness": filters.add(.brightness, 1 + (try amount(-99...100, 80)) / 100)
        case "contrast": filters.add(.contrast, 1 + (try amount(-100...100, 0)) / 100)
        case "saturation": filters.add(.saturation, 1 + (try amount(-100...100, 80)) / 100)
        case "vibrance": filters.add(.saturation, 1 + (try amount(-100...100, 20)) / 200)
        case "hue": filters.addHue(try amount(-100...100, 80) * Self.hueUnit)
        case "gamma": filters.add(.gamma, exp2(try amount(-50...150, 0) / 100))
        case "blur_faces": redaction = "blur"
        case "pixelate_faces": redaction = "pixelate"
        default: throw .unsupported(option: "e_\(text) (effect)")
        }
    }

    func add(to translation: inout Translation) {
        translation[.filter] = filters.text
        translation[.redact] = redaction
    }
}
