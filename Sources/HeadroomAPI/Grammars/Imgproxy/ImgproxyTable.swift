import Encodings
import Geometry
import HTTPTypes
import Imaging
import Requests

/// The options of imgproxy, and the functions that apply them.
enum ImgproxyTable {
    typealias Reader = @Sendable (inout ImgproxyOptions, ImgproxyArguments) throws(Problem) -> Void

    /// The long names of options, by their short names.
    static let longNames = [
        "rs": "resize", "s": "size", "rt": "resizing_type", "w": "width", "h": "height", "el": "enlarge",
        "ex": "extend", "g": "gravity", "c": "crop", "t": "trim", "ar": "auto_rotate", "rot": "rotate", "fl": "flip",
        "bg": "background", "bl": "blur", "q": "quality", "fq": "format_quality", "mb": "max_bytes", "f": "format",
        "ext": "format",
        "sm": "strip_metadata", "kcr": "keep_copyright", "scp": "strip_color_profile", "cb": "cachebuster",
        "eth": "enforce_thumbnail", "fn": "filename", "att": "return_attachment", "exp": "expires", "pr": "preset",
        "z": "zoom", "pd": "padding",
        "a": "adjust", "br": "brightness", "co": "contrast", "sa": "saturation", "crop_ar": "crop_aspect_ratio",
        "car": "crop_aspect_ratio", "op": "objects_position", "obj_pos": "objects_position",
    ]

    /// Options that this service does not have.
    static let unsupported: Set<String> = [
        "min-width", "mw", "min-height", "mh", "extend_aspect_ratio", "extend_ar", "exar", "sharpen",
        "sh",
        "pixelate", "pix", "watermark", "wm", "skip_processing", "skp", "raw", "hashsum",
        "hs", "background_alpha", "bga", "resizing_algorithm", "ra", "page", "pg",
        "pages", "pgs", "disable_animation", "da", "fallback_image_url", "fiu", "unsharp_masking", "ush", "style", "st",
        "watermark_url", "wmu", "gradient", "gr", "autoquality", "aq", "jpeg_options", "jpgo", "png_options", "pngo",
        "webp_options", "webpo", "blur_detections", "bd", "draw_detections", "dd", "duotone", "dt", "monochrome", "mc",
        "colorize", "col", "dpi", "color_profile", "cp", "icc", "video_thumbnail_second", "vts",
    ]

    /// Options that imgproxy itself refuses unless its operator allows them.
    static let secured: Set<String> = [
        "max_src_resolution", "msr", "max_src_file_size", "msfs", "max_animation_frames", "maf",
        "max_animation_frame_resolution", "mafr", "max_result_dimension", "mrd",
    ]

    /// The function that applies an option, by its long name.
    static let readers: [String: Reader] = [
        "resize": { (options, arguments) throws(Problem) in
            try setType(&options, arguments[0])
            try setSize(&options, arguments.dropFirst(1))
        },
        "size": { (options, arguments) throws(Problem) in try setSize(&options, arguments) },
        "resizing_type": { (options, arguments) throws(Problem) in try setType(&options, arguments[0]) },
        "width": { (options, arguments) throws(Problem) in options.width = try arguments.size(0) ?? 0 },
        "height": { (options, arguments) throws(Problem) in options.height = try arguments.size(0) ?? 0 },
        "enlarge": { (options, arguments) throws(Problem) in options.enlarges = arguments.boolean(0) ?? false },
        "extend": { (options, arguments) throws(Problem) in try setExtension(&options, arguments) },
        "gravity": { (options, arguments) throws(Problem) in
            options.gravity = try arguments.anchor(0) ?? .word("center")
        },
        "crop": { (options, arguments) throws(Problem) in
            let (width, height) = (try arguments.number(0) ?? 0, try arguments.number(1) ?? 0)
            options.crop = (width, height, try arguments.anchor(2))
        },
        "trim": { (options, arguments) throws(Problem) in
            if arguments.count > 1, !(1..<arguments.count).allSatisfy({ ["", "0"].contains(arguments[$0]) }) {
                throw .unsupported(option: "trim with a colour or equal borders")
            }
            options.values[.trim] = try arguments.number(0).map { "\(Int(min($0.rounded(), 255)))" }
        },
        "auto_rotate": { (options, arguments) throws(Problem) in
            if arguments.boolean(0) == false { throw .unsupported(option: "auto_rotate:0") }
        },
        "rotate": { (options, arguments) throws(Problem) in
            guard let degrees = try arguments.size(0), degrees % 90 == 0 else {
                throw arguments.invalid("0, 90, 180 or 270")
            }
            options.quarters = degrees / 90 % 4
        },
        "flip": { (options, arguments) throws(Problem) in
            options.mirrorsColumns = arguments.boolean(0) ?? false
            options.mirrorsRows = arguments.boolean(1) ?? false
        },
        "background": { (options, arguments) throws(Problem) in try setBackground(&options, arguments) },
        "blur": { (options, arguments) throws(Problem) in
            guard let deviation = try arguments.number(0), deviation <= PictureFilter.maxBlur else {
                throw .unsupported(option: arguments.text, "The blur is at most \(Int(PictureFilter.maxBlur)).")
            }
            options.blur = deviation
        },
        "brightness": { (options, arguments) throws(Problem) in options.brightness = try arguments.brightness(0) },
        "contrast": { (options, arguments) throws(Problem) in options.contrast = try arguments.number(0) ?? 1 },
        "saturation": { (options, arguments) throws(Problem) in options.saturation = try arguments.number(0) ?? 1 },
        "adjust": { (options, arguments) throws(Problem) in
            options.brightness = try arguments.brightness(0)
            options.contrast = try arguments.number(1) ?? 1
            options.saturation = try arguments.number(2) ?? 1
        },
        "objects_position": { (options, arguments) throws(Problem) in
            let places = ["ce": "center", "": "center", "no": "top", "so": "bottom", "ea": "right", "we": "left"]
            guard let place = places[String(arguments[0])] else { throw .unsupported(option: arguments.text) }
            guard [arguments[1], arguments[2]].allSatisfy({ ["", "0"].contains($0) }) else {
                throw .unsupported(option: arguments.text)
            }
            options.place = place == "center" ? nil : place
        },
        // The crop surrounds the heads with this factor: 1 is their boxes.
        "crop_objects": { (options, arguments) throws(Problem) in
            guard let scale = try arguments.number(0), scale >= 1 else { throw arguments.invalid("a number from 1") }
            options.objectScale = scale
        },
        "crop_aspect_ratio": { (options, arguments) throws(Problem) in
            let ratio = try arguments.number(0) ?? 0
            guard ratio == 0 || AspectRatio(ratio, 1) != nil else { throw .unsupported(option: arguments.text) }
            options.cropShape = ratio == 0 ? nil : ratio
        },
        "quality": { (options, arguments) throws(Problem) in
            guard let quality = try arguments.size(0), quality <= 100 else { throw arguments.invalid("0 to 100") }
            options.values[.quality] = quality == 0 ? nil : "\(quality)"
        },
        "format_quality": { (options, arguments) throws(Problem) in options.ignored.append("format_quality") },
        "max_bytes": { (options, arguments) throws(Problem) in
            guard let bytes = Int(plainDigits: arguments[0]), bytes <= FrameParameters.mostBytes else {
                throw arguments.invalid("a whole number of bytes")
            }
            options.values[.maxBytes] = bytes == 0 ? nil : "\(bytes)"
        },
        "format": { (options, arguments) throws(Problem) in try options.setFormat(arguments[0]) },
        "dpr": { (options, arguments) throws(Problem) in
            guard let ratio = try arguments.number(0), ratio > 0 else { throw arguments.invalid("a number above 0") }
            guard (0.1...5).contains(ratio) else {
                throw .unsupported(option: arguments.text, "The ratio is 0.1 to 5.")
            }
            options.values[.dpr] = ratio == 1 ? nil : NumberText.plain(ratio)
        },
        "zoom": { (options, arguments) throws(Problem) in
            guard try arguments.number(0) == 1, arguments.count == 1 else { throw .unsupported(option: arguments.text) }
        },
        "padding": { (options, arguments) throws(Problem) in
            guard (0..<arguments.count).allSatisfy({ ["", "0"].contains(arguments[$0]) }) else {
                throw .unsupported(option: "padding")
            }
        },
        "keep_copyright": { (options, arguments) throws(Problem) in
            options.values[.metadata] = arguments.boolean(0) ?? true ? "copyright" : nil
        },
        "strip_color_profile": { (options, arguments) throws(Problem) in
            options.values[.profile] = arguments.boolean(0) ?? true ? nil : "keep"
        },
        // Metadata other than a copyright notice are always dropped.
        "strip_metadata": { (options, arguments) throws(Problem) in
            if arguments.boolean(0) == false { options.ignored.append("strip_metadata") }
        },
        "enforce_thumbnail": { (options, _) throws(Problem) in options.ignored.append("enforce_thumbnail") },
        "filename": { (options, arguments) throws(Problem) in
            let text = String(arguments[0])
            let bytes = arguments.boolean(1) == true ? Base64.bytes(text.utf8) : nil
            options.fileName =
                bytes.map { String(decoding: $0, as: UTF8.self) } ?? PercentEncoding.decoded(Array(text.utf8))
        },
        "return_attachment": { (options, arguments) throws(Problem) in
            options.isAttachment = arguments.boolean(0) ?? false
        },
        "cachebuster": { (_, _) throws(Problem) in },
        "expires": { (options, arguments) throws(Problem) in
            guard let seconds = Int(plainDigits: arguments[0]) else { throw arguments.invalid("seconds since 1970") }
            options.expires = seconds == 0 ? nil : seconds
        },
        "preset": { (options, arguments) throws(Problem) in
            for index in 0..<arguments.count { try options.applyPreset(String(arguments[index])) }
        },
    ]

    private static func setType(_ options: inout ImgproxyOptions, _ word: Substring) throws(Problem) {
        if word.isEmpty { return }
        guard let type = ImgproxyOptions.ResizingType(rawValue: String(word)) else {
            throw .invalid(option: "resizing_type \(word)", expected: "fit, fill, fill-down, force or auto", .notFound)
        }
        options.type = type
    }

    private static func setSize(_ options: inout ImgproxyOptions, _ arguments: ImgproxyArguments) throws(Problem) {
        if let width = try arguments.size(0) { options.width = width }
        if let height = try arguments.size(1) { options.height = height }
        if let enlarges = arguments.boolean(2) { options.enlarges = enlarges }
        if arguments.count > 3 { try setExtension(&options, arguments.dropFirst(3)) }
    }

    private static func setExtension(
        _ options: inout ImgproxyOptions,
        _ arguments: ImgproxyArguments
    ) throws(Problem) {
        options.extends = arguments.boolean(0) ?? false
        options.extendAnchor = try arguments.anchor(1)
        if case .word(_, let across, let down) = options.extendAnchor, across != 0 || down != 0 {
            options.ignored.append("extend offset")
        }
    }

    private static func setBackground(
        _ options: inout ImgproxyOptions,
        _ arguments: ImgproxyArguments
    ) throws(Problem) {
        if arguments.count == 3 {
            var color = ""
            for index in 0..<3 {
                guard let value = try arguments.size(index), value <= 255 else { throw arguments.invalid("0 to 255") }
                color += Hexadecimal.text([UInt8(value)])
            }
            options.values[.background] = color
        } else if arguments[0].isEmpty {
            options.values[.background] = nil
        } else {
            let digits = arguments[0].utf8
            guard [3, 6].contains(digits.count), digits.allSatisfy({ Hexadecimal.value($0) != nil }) else {
                throw arguments.invalid("three or six hexadecimal digits")
            }
            options.values[.background] = String(arguments[0])
        }
    }
}

/// The arguments of one option.
struct ImgproxyArguments {
    private let texts: [Substring]
    private let name: String

    /// The arguments of an option, as sent.
    init(_ texts: [Substring], of name: String) {
        self.texts = texts
        self.name = name
    }

    /// The number of arguments.
    var count: Int { texts.count }

    /// An argument; empty if it is missing.
    subscript(index: Int) -> Substring { index < texts.count ? texts[index] : "" }

    /// The arguments from a position.
    func dropFirst(_ count: Int) -> ImgproxyArguments { ImgproxyArguments(Array(texts.dropFirst(count)), of: name) }

    /// The whole option, as sent.
    var text: String { ([Substring(name)] + texts).joined(separator: ":") }

    /// A whole number from 0; nil if it is empty.
    func size(_ index: Int) throws(Problem) -> Int? {
        if self[index].isEmpty { return nil }
        guard let number = Int(plainDigits: self[index]), number <= 1_000_000 else {
            throw invalid("a whole number of pixels")
        }
        return number
    }

    /// A number from 0; nil if it is empty.
    func number(_ index: Int) throws(Problem) -> Double? {
        if self[index].isEmpty { return nil }
        guard let number = Double(plainDecimal: self[index]), number <= 1_000_000 else { throw invalid("a number") }
        return number
    }

    /// A number that may be negative; 0 if it is empty.
    func signedNumber(_ index: Int) throws(Problem) -> Double {
        let text = self[index]
        if text.isEmpty { return 0 }
        let digits = text.hasPrefix("-") ? text.dropFirst() : text
        guard let number = Double(plainDecimal: digits), number <= 100_000 else { throw invalid("a number") }
        return text.hasPrefix("-") ? -number : number
    }

    /// The offset of brightness, -255 to 255, as a share of 255; 0 if it is empty.
    func brightness(_ index: Int) throws(Problem) -> Double {
        if self[index].isEmpty { return 0 }
        guard let number = Int(self[index]), (-255...255).contains(number) else { throw invalid("-255 to 255") }
        return Double(number) / 255
    }

    /// A boolean; nil if it is empty, and false for other text, as in imgproxy.
    func boolean(_ index: Int) -> Bool? {
        self[index].isEmpty ? nil : ["1", "t", "T", "true", "TRUE", "True"].contains(self[index])
    }

    /// The place that `g` names, with its offsets; nil if it is empty.
    func anchor(_ index: Int) throws(Problem) -> ImgproxyOptions.Anchor? {
        let words = [
            "ce": "center", "no": "top", "so": "bottom", "ea": "right", "we": "left", "noea": "top-right",
            "nowe": "top-left", "soea": "bottom-right", "sowe": "bottom-left",
        ]
        let word = self[index]
        switch word {
        case "": return nil
        case "sm", "obj", "objw": return .faces
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

    /// The problem of this option: status 404.
    func invalid(_ expected: String) -> Problem { .invalid(option: text, expected: expected, .notFound) }
}
