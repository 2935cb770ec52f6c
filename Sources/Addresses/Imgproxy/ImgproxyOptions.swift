import Encodings
import Framing
import Geometry
import HeadroomAPI
import HTTPTypes
import Imaging
import Requests
import TotalFunctions
import UntrustedText

/// The options of an imgproxy URL; if an option is repeated, the last one applies.
struct ImgproxyOptions {
    /// The way in which the image is fitted to the requested size.
    enum ResizingType: String {
        case fit, fill, force, auto
        case fillDown = "fill-down"
    }

    /// A point or an edge to keep.
    enum Anchor: Equatable {
        /// A gravity of this service, and the distances from its edges: in pixels from 1, in fractions of the side
        /// below 1.
        case word(String, across: Double = 0, down: Double = 0)
        /// A focal point, in fractions of the sides.
        case point(Double, Double)
        /// Detected faces or objects: the value of `gravity`.
        case detected(String)

        /// The value of `gravity`.
        var gravity: String {
            switch self {
            case .word(let word, _, _): word
            case .point(let x, let y): NumberText.point(x, y)
            case .detected(let gravity): gravity
            }
        }
    }

    var type = ResizingType.fit
    var width = 0
    var height = 0
    var enlarges = false
    var extends = false
    var extendAnchor: Anchor?
    var gravity = Anchor.word("center")
    var crop: (width: Double, height: Double, gravity: Anchor?)?
    var quarters = 0
    var mirrorsColumns = false
    var mirrorsRows = false
    var expires: Int?
    /// The URL of the image that replaces a missing source.
    var fallbackImage: String?
    /// The standard deviation of the blur in pixels.
    var blur = 0.0
    /// The offset that is added to all samples, as a fraction of their range.
    var brightness = 0.0
    var contrast = 1.0
    var saturation = 1.0
    /// The value of `place`; nil for the centre.
    var place: String?
    /// The size of the crop around objects, as a multiple of their boxes; nil for the largest crop.
    var objectScale: Double?
    /// The aspect ratio of the crop before it is scaled.
    var cropShape: Double?
    /// Whether the crop grows to its aspect ratio, instead of being cut.
    var cropGrows = false
    /// The factors of width and height of the result.
    var zoom = (across: 1.0, down: 1.0)
    /// The amount of sharpening.
    var sharpness = 0.0
    /// Parameters that options set unchanged.
    var values: [Parameter: String] = [:]
    var ignored: [String] = []
    var fileName: String?
    /// Whether browsers save the result.
    var isAttachment = false

    private let presets: [String: [ImgproxyPath.Option]]
    private var used: Set<String> = []

    init(presets: [String: [ImgproxyPath.Option]] = [:]) { self.presets = presets }

    /// Applies the preset `default`, if it exists, as for every URL.
    mutating func applyDefault() throws(Problem) {
        if presets["default"] != nil { try applyPreset("default") }
    }

    /// Applies a preset; each preset is applied only once, so presets that contain each other do not cause a loop.
    mutating func applyPreset(_ name: String) throws(Problem) {
        guard let options = presets[name] else {
            throw .invalid(option: "preset \(name)", expected: "a preset of --imgproxy-presets", .notFound)
        }
        guard used.insert(name).inserted else { return }
        for option in options { try apply(option) }
    }

    /// Applies one option.
    ///
    /// - Throws: A ``Problem`` with status 404 for an unknown or invalid option, 501 for an unsupported option, or 403
    ///   for an option that imgproxy reserves.
    mutating func apply(_ option: ImgproxyPath.Option) throws(Problem) {
        let name = String(option.name)
        if try read(name, ImgproxyArguments(name: name, texts: option.arguments)) { return }
        if Self.secured.contains(name) { throw .forbidden("The option \(name) is not allowed.") }
        if let long = Self.unsupported[name] {
            let arguments = ImgproxyArguments(name: name, texts: option.arguments)
            if arguments.areOff || long == "background_alpha" && arguments.texts.first == "1" { return }
            throw .unsupported(option: long == name ? name : "\(name) (\(long))")
        }
        if Self.silent.contains(name) {
            if !ignored.contains(name) { ignored.append(name) }
            return
        }
        // The scheme of a URL without plain/ has the form of an option.
        let isScheme = ["http", "https", "s3", "gs", "abs", "local"].contains(name)
        let expected = "an option of imgproxy" + (isScheme ? "; write plain/ before the URL of the source" : "")
        throw .invalid(option: name, expected: expected, .notFound)
    }

    /// The names of all options that are read.
    private static let names: Set<String> = [
        "resize", "rs", "size", "s", "resizing_type", "rt", "width", "w", "height", "h", "enlarge", "el", "extend",
        "ex", "gravity", "g", "crop", "c", "trim", "t", "auto_rotate", "ar", "rotate", "rot", "flip", "fl",
        "background", "bg", "blur", "bl", "brightness", "br", "contrast", "co", "saturation", "sa", "adjust", "a",
        "objects_position", "op", "obj_pos", "crop_objects", "crop_aspect_ratio", "crop_ar", "car", "quality", "q",
        "max_bytes", "mb", "format", "f", "ext", "dpr", "zoom", "z", "sharpen", "sh", "extend_aspect_ratio",
        "extend_ar", "exar", "disable_animation", "da", "blur_detections", "bd", "padding", "pd", "keep_copyright",
        "kcr", "strip_color_profile", "scp", "strip_metadata", "sm", "enforce_thumbnail", "eth", "filename", "fn",
        "return_attachment", "att", "fallback_image_url", "fiu", "cachebuster", "cb", "expires", "exp", "preset",
        "pr",
    ]

    /// The names of all options, read or not.
    static var allNames: [String] {
        names.sorted() + unsupported.keys.sorted() + silent.sorted() + secured.sorted()
    }

    /// Unsupported options, with their long names; they have no effect if they are switched off.
    private static let unsupported = [
        "min-width": "min-width", "min_width": "min-width", "mw": "min-width", "min-height": "min-height",
        "min_height": "min-height", "mh": "min-height", "pixelate": "pixelate", "pix": "pixelate",
        "watermark": "watermark", "wm": "watermark", "watermark_url": "watermark_url", "wmu": "watermark_url",
        "watermark_text": "watermark_text", "wmt": "watermark_text", "watermark_size": "watermark_size",
        "wms": "watermark_size", "raw": "raw", "skip_processing": "skip_processing", "skp": "skip_processing",
        "hashsum": "hashsum", "hs": "hashsum", "background_alpha": "background_alpha", "bga": "background_alpha",
        "page": "page", "pg": "page", "pages": "pages", "pgs": "pages",
        "gradient": "gradient", "gr": "gradient", "draw_detections": "draw_detections",
        "dd": "draw_detections", "duotone": "duotone", "dt": "duotone", "monochrome": "monochrome", "mc": "monochrome",
        "colorize": "colorize", "col": "colorize",
    ]

    /// Options that change the bytes of the output but hardly its appearance.
    ///
    /// They are reported as ignored.
    private static let silent: Set = [
        "unsharp_masking", "unsharpening", "ush", "style", "st", "autoquality", "aq", "jpeg_options", "jpgo",
        "png_options", "pngo", "webp_options", "webpo", "avif_options", "avifo", "resizing_algorithm", "ra", "dpi",
        "color_profile", "cp", "icc", "video_thumbnail_second", "vts", "format_quality", "fq",
    ]

    /// Options that imgproxy rejects unless its operator allows them.
    private static let secured: Set = [
        "max_src_resolution", "msr", "max_src_file_size", "msfs", "max_animation_frames", "maf",
        "max_animation_frame_resolution", "mafr", "max_result_dimension", "mrd",
    ]

    /// Applies an option by its long or its short name.
    ///
    /// - Returns: Whether this service supports the option.
    private mutating func read(_ name: String, _ arguments: ImgproxyArguments) throws(Problem) -> Bool {
        guard Self.names.contains(name) else { return false }
        switch name {
        case "resize", "rs":
            try setType(arguments[at: 0])
            try setSize(arguments.dropFirst(1))
        case "size", "s": try setSize(arguments)
        case "resizing_type", "rt": try setType(arguments[at: 0])
        case "width", "w": width = try arguments.size(0) ?? 0
        case "height", "h": height = try arguments.size(0) ?? 0
        case "enlarge", "el": enlarges = arguments.boolean(0) ?? false
        case "extend", "ex": try setExtension(arguments)
        case "gravity", "g": gravity = try arguments.anchor(0) ?? .word("center")
        case "crop", "c":
            crop = (try arguments.number(0) ?? 0, try arguments.number(1) ?? 0, try arguments.anchor(2))
        case "trim", "t":
            guard arguments.areNeutral(from: 2) else { throw .unsupported(option: "trim with equal borders") }
            // The border's colour is the colour of its corner.
            if !["", "0"].contains(arguments[at: 1]) { ignored.append("trim: colour") }
            values[.trim] = try arguments.number(0).map { "\(Int(clamping: min($0.rounded(), 255)))" }
        case "auto_rotate", "ar":
            if arguments.boolean(0) == false { throw .unsupported(option: "auto_rotate:0") }
        case "rotate", "rot":
            guard let degrees = try arguments.size(0), degrees % 90 == 0 else {
                throw arguments.invalid("0, 90, 180 or 270")
            }
            quarters = degrees / 90 % 4
        case "flip", "fl":
            mirrorsColumns = arguments.boolean(0) ?? false
            mirrorsRows = arguments.boolean(1) ?? false
        case "background", "bg": try setBackground(arguments)
        case "blur", "bl":
            guard let deviation = try arguments.number(0), deviation <= ImageFilter.maxBlur else {
                throw .unsupported(option: arguments.text, "The maximum blur is \(Int(ImageFilter.maxBlur)).")
            }
            blur = deviation
        case "brightness", "br": brightness = try arguments.brightness(0)
        case "contrast", "co": contrast = try arguments.number(0) ?? 1
        case "saturation", "sa": saturation = try arguments.number(0) ?? 1
        case "adjust", "a":
            brightness = try arguments.brightness(0)
            contrast = try arguments.number(1) ?? 1
            saturation = try arguments.number(2) ?? 1
        case "objects_position", "op", "obj_pos":
            let places = ["ce": "center", "": "center", "no": "top", "so": "bottom", "ea": "right", "we": "left"]
            guard let word = places[String(arguments[at: 0])],
                [arguments[at: 1], arguments[at: 2]].allSatisfy({ ["", "0"].contains($0) })
            else { throw .unsupported(option: arguments.text) }
            place = word == "center" ? nil : word
        case "crop_objects":
            // The size of the crop as a multiple of the heads: 1 means their boxes.
            guard let scale = try arguments.number(0), scale >= 1 else { throw arguments.invalid("a number from 1") }
            objectScale = scale
        case "crop_aspect_ratio", "crop_ar", "car":
            let ratio = try arguments.number(0) ?? 0
            guard ratio == 0 || AspectRatio(ratio, 1) != nil else { throw .unsupported(option: arguments.text) }
            cropShape = ratio == 0 ? nil : ratio
            cropGrows = arguments.boolean(1) ?? false
        case "quality", "q":
            guard let quality = try arguments.size(0), quality <= 100 else { throw arguments.invalid("0 to 100") }
            values[.quality] = quality == 0 ? nil : "\(quality)"
        case "max_bytes", "mb":
            guard let bytes = Int(plainDigits: arguments[at: 0]), bytes <= FrameParameters.maxBytes else {
                throw arguments.invalid("a whole number of bytes")
            }
            values[.maxBytes] = bytes == 0 ? nil : "\(bytes)"
        case "format", "f", "ext": try setFormat(arguments[at: 0])
        case "dpr":
            guard let ratio = try arguments.number(0), ratio > 0 else { throw arguments.invalid("a number above 0") }
            guard (0.1...5).contains(ratio) else {
                throw .unsupported(option: arguments.text, "The ratio must be 0.1 to 5.")
            }
            values[.dpr] = ratio == 1 ? nil : NumberText.plain(ratio)
        case "zoom", "z":
            let across = try arguments.number(0) ?? 0
            let down = try arguments.number(1) ?? across
            guard across > 0, down > 0, arguments.count <= 2 else {
                throw arguments.invalid("one or two numbers above 0")
            }
            zoom = (across, down)
        case "sharpen", "sh": sharpness = try arguments.number(0) ?? 0
        case "extend_aspect_ratio", "extend_ar", "exar":
            if arguments.boolean(0) == true { try setExtension(arguments) }
        case "disable_animation", "da": values[.animation] = arguments.boolean(0) == true ? "still" : nil
        case "blur_detections", "bd":
            let classes = arguments.dropFirst(1).texts
            guard classes.allSatisfy({ ["", "face", "all"].contains($0) }) else {
                throw .unsupported(option: arguments.text)
            }
            values[.redact] = try arguments.number(0) ?? 0 > 0 ? "blur" : nil
        case "padding", "pd":
            guard arguments.areNeutral(from: 0) else {
                throw .unsupported(option: name == "padding" ? name : "\(name) (padding)")
            }
        case "keep_copyright", "kcr": values[.metadata] = arguments.boolean(0) ?? true ? "copyright" : nil
        case "strip_color_profile", "scp": values[.profile] = arguments.boolean(0) ?? true ? nil : "keep"
        case "strip_metadata", "sm":
            // Metadata other than a copyright notice are always dropped.
            if arguments.boolean(0) == false { ignored.append("strip_metadata") }
        case "enforce_thumbnail", "eth": ignored.append("enforce_thumbnail")
        case "filename", "fn":
            let text = String(arguments[at: 0])
            let bytes = arguments.boolean(1) == true ? Base64.bytes(text.utf8) : nil
            fileName = bytes.map { String(decoding: $0, as: UTF8.self) } ?? PercentEncoding.decoded(Array(text.utf8))
        case "return_attachment", "att": isAttachment = arguments.boolean(0) ?? false
        case "fallback_image_url", "fiu":
            // In base 64, like a source that is not plain.
            let bytes = Base64.bytes(arguments[at: 0].utf8)
            guard arguments[at: 0].isEmpty || bytes.map({ !$0.isEmpty }) == true,
                let address = String(validating: bytes ?? [], as: UTF8.self)
            else { throw arguments.invalid("a URL in base 64") }
            fallbackImage = address.isEmpty ? nil : address
        case "cachebuster", "cb": break
        case "expires", "exp":
            guard let seconds = Int(plainDigits: arguments[at: 0]) else {
                throw arguments.invalid("seconds since 1970")
            }
            expires = seconds == 0 ? nil : seconds
        case "preset", "pr":
            for name in arguments.texts { try applyPreset(String(name)) }
        default: return false
        }
        return true
    }

    private mutating func setType(_ word: Substring) throws(Problem) {
        if word.isEmpty { return }
        guard let type = ResizingType(rawValue: String(word)) else {
            throw .invalid(option: "resizing_type \(word)", expected: "fit, fill, fill-down, force or auto", .notFound)
        }
        self.type = type
    }

    private mutating func setSize(_ arguments: ImgproxyArguments) throws(Problem) {
        width = try arguments.size(0) ?? width
        height = try arguments.size(1) ?? height
        enlarges = arguments.boolean(2) ?? enlarges
        if arguments.count > 3 { try setExtension(arguments.dropFirst(3)) }
    }

    private mutating func setExtension(_ arguments: ImgproxyArguments) throws(Problem) {
        extends = arguments.boolean(0) ?? false
        extendAnchor = try arguments.anchor(1)
        if case .word(_, let across, let down) = extendAnchor, across != 0 || down != 0 {
            ignored.append("extend offset")
        }
    }

    private mutating func setBackground(_ arguments: ImgproxyArguments) throws(Problem) {
        if arguments.count == 3 {
            var color = ""
            for index in 0..<3 {
                guard let value = try arguments.size(index), value <= 255 else { throw arguments.invalid("0 to 255") }
                color += Hexadecimal.text([UInt8(clamping: value)])
            }
            values[.background] = color
        } else if arguments[at: 0].isEmpty {
            values[.background] = nil
        } else {
            let digits = arguments[at: 0].utf8
            guard [3, 6].contains(digits.count), digits.allSatisfy({ Hexadecimal.value($0) != nil }) else {
                throw arguments.invalid("three or six hexadecimal digits")
            }
            values[.background] = String(arguments[at: 0])
        }
    }

    /// Sets the format of the result.
    mutating func setFormat(_ word: Substring) throws(Problem) {
        let formats = [
            "jpg": "jpeg", "jpeg": "jpeg", "png": "png", "webp": "webp", "gif": "gif", "avif": "avif", "best": "auto",
            "mp4": "mp4",
        ]
        if let format = formats[String(word)] {
            values[.format] = format
        } else if ["jxl", "heic", "tiff", "bmp", "ico", "svg", "pdf"].contains(word) {
            throw .unsupported(option: "format \(word)")
        } else {
            throw .invalid(option: "format \(word)", expected: "jpg, png, webp, avif, gif, mp4 or best", .notFound)
        }
    }
}

/// The arguments of one option.
struct ImgproxyArguments {
    /// The name of the option, and its unchanged arguments.
    let name: String
    let texts: [Substring]

    var count: Int { texts.count }

    /// An argument; empty if it is missing.
    subscript(at index: Int) -> Substring { texts[at: index] ?? "" }

    /// Whether all arguments from a position on are empty or 0.
    func areNeutral(from start: Int) -> Bool { texts.dropFirst(start).allSatisfy { ["", "0"].contains($0) } }

    /// Whether the first argument switches the option off: it is empty, 0 or false.
    var areOff: Bool { ["", "0", "f", "false", "0.0"].contains(self[at: 0]) }

    func dropFirst(_ count: Int) -> ImgproxyArguments {
        ImgproxyArguments(name: name, texts: Array(texts.dropFirst(count)))
    }

    /// The whole option, unchanged.
    var text: String { ([Substring(name)] + texts).joined(separator: ":") }

    /// A whole number from 0; nil if it is empty.
    func size(_ index: Int) throws(Problem) -> Int? {
        if self[at: index].isEmpty { return nil }
        guard let number = Int(plainDigits: self[at: index]), number <= 1_000_000 else {
            throw invalid("a whole number of pixels")
        }
        return number
    }

    /// A number from 0; nil if it is empty.
    func number(_ index: Int) throws(Problem) -> Double? {
        if self[at: index].isEmpty { return nil }
        guard let number = Double(plainDecimal: self[at: index]), number <= 1_000_000 else { throw invalid("a number") }
        return number
    }

    /// A number that may be negative; 0 if it is empty.
    func signedNumber(_ index: Int) throws(Problem) -> Double {
        let text = self[at: index]
        if text.isEmpty { return 0 }
        let digits = text.bytes.hasPrefix("-") ? text.dropFirst() : text
        guard let number = Double(plainDecimal: digits), number <= 100_000 else { throw invalid("a number") }
        return text.bytes.hasPrefix("-") ? -number : number
    }

    /// The offset of brightness, -255 to 255, as a fraction of 255; 0 if it is empty.
    func brightness(_ index: Int) throws(Problem) -> Double {
        if self[at: index].isEmpty { return 0 }
        guard let number = Int(self[at: index]), (-255...255).contains(number) else { throw invalid("-255 to 255") }
        return Double(number) / 255
    }

    /// A boolean; nil if it is empty, and false for other text, as in imgproxy.
    func boolean(_ index: Int) -> Bool? {
        self[at: index].isEmpty ? nil : ["1", "t", "T", "true", "TRUE", "True"].contains(self[at: index])
    }

    /// The anchor in `g`, with its offsets; nil if it is empty.
    func anchor(_ index: Int) throws(Problem) -> ImgproxyOptions.Anchor? {
        let words = [
            "ce": "center", "no": "top", "so": "bottom", "ea": "right", "we": "left", "noea": "top-right",
            "nowe": "top-left", "soea": "bottom-right", "sowe": "bottom-left",
        ]
        let word = self[at: index]
        switch word {
        case "": return nil
        case "sm": return .detected("faces")
        case "obj": return .detected(try objects(dropFirst(index + 1).texts.map { ($0, 1) }))
        case "objw":
            let weights = stride(from: index + 1, to: count, by: 2)
            return .detected(
                try objects(weights.map { (place) throws(Problem) in (self[at: place], try number(place + 1) ?? 1) })
            )
        case "fp":
            guard let x = try number(index + 1), let y = try number(index + 2), x <= 1, y <= 1 else {
                throw invalid("fp with two numbers from 0 to 1")
            }
            return .point(x, y)
        default:
            guard let gravity = words[String(word)] else { throw invalid("a gravity such as ce, no, sm or fp:x:y") }
            return .word(gravity, across: try signedNumber(index + 1), down: try signedNumber(index + 2))
        }
    }

    /// The value of `gravity` for classes of objects and their weights: `face` is a separate class, and `all` means all
    /// classes, as does an empty list.
    private func objects(_ classes: [(name: Substring, weight: Double)]) throws(Problem) -> String {
        let named = classes.filter { !$0.name.isEmpty }
        let face = named.first { $0.name == "face" }
        let all = named.first { $0.name == "all" }
        let others = named.filter { $0.name != "face" && $0.name != "all" }
        if others.isEmpty, let face { return face.weight >= all?.weight ?? 0 ? "faces" : "subject" }
        if others.isEmpty || all != nil { return "subject" }
        let faces = face.map { [(word: "person", weight: $0.weight)] } ?? []
        let known = others.compactMap { each in ObjectText.word(each.name).map { (word: $0, weight: each.weight) } }
        guard let gravity = ObjectText.gravity(known + faces) else { throw .unsupported(option: text) }
        return gravity
    }

    /// The problem of this option: status 404.
    func invalid(_ expected: String) -> Problem { .invalid(option: text, expected: expected, .notFound) }
}
