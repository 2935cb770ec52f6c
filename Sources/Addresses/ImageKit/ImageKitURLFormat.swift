import Encodings
import Geometry
package import HeadroomAPI
import Imaging
import HTTPTypes
import Requests
import TotalFunctions
import UntrustedText

/// ImageKit's URLs: `/tr:w-300,h-200/PATH`, `/PATH?tr=w-300,h-200`, or an absolute URL instead of the path.
package struct ImageKitURLFormat: ConfigurableURLFormat {
    package static let name = URLFormatName.imagekit
    package static let title = "ImageKit"
    package static let settings: [URLFormatSetting<Self>] = [
        .origin("imagekit-origin", "Base URL of ImageKit sources that are paths.", \.origin)
    ]

    /// The base URL of sources in the form of a path; nil rejects them.
    package var origin: OriginBase?

    package init() {}

    /// A URL format of absolute URLs, and of paths below an origin.
    ///
    /// - Parameter origin: The base URL of sources in the form of a path; nil serves only absolute URLs.
    package init(origin: OriginBase?) { self.origin = origin }

    package var signing: Signing { .none }

    package static var optionNames: [String] { ImageKitSteps.names }

    package func translate(_ address: ForeignURL) throws(Problem) -> Translation {
        var path = address.path.bytes.dropping(UInt8(ascii: "/"))
        var steps: [Substring] = []
        if let found = try Self.transformation(in: path) { (steps, path) = found }
        let (transformation, rest) = Self.split(address.query)
        if steps.isEmpty, let transformation {
            guard let text = PercentEncoding.decoded(Array(transformation.utf8)) else {
                throw .invalid(option: "tr=\(transformation)", expected: "a transformation in percent-encoded UTF-8")
            }
            guard text.bytes.isASCII else { throw .invalid(option: text, expected: "a transformation in ASCII") }
            steps = Self.steps(of: text[...])
        }
        let query = rest.isEmpty ? "" : "?\(rest)"
        guard !path.isEmpty else { throw .invalid(option: address.path, expected: "a source") }
        var translation = try Translation(path: path, query, below: origin, of: Self.name, otherwise: "an absolute URL")
        let transformed = try ImageKitSteps(steps)
        try transformed.add(to: &translation)
        if let name = transformed.defaultImage { translation.fallbackImage = try fallbackImage(name) }
        return translation
    }

    /// The URL of a default image: a path whose slashes are written as `@@`, or a URL.
    private func fallbackImage(_ name: String) throws(Problem) -> String {
        let text = name.bytes.replacing("@@", with: "/")
        if let address = SourceText.address(text) { return address }
        guard let origin else {
            throw .unsupported(option: "di-\(name) (default image)", "No base URL of sources is configured.")
        }
        return try origin.address(of: text, option: "di-\(name)")
    }

    /// The steps of a transformation in a path, and the path without it; nil without a transformation.
    ///
    /// The transformation is the first part, or follows folders.
    private static func transformation(in path: Substring) throws(Problem) -> (steps: [Substring], path: Substring)? {
        if SourceText.isEncoded(path) != nil { return nil }
        var rest = path
        while true {
            let part = rest.bytes.prefix(before: "/")
            let decoded = OptionSegment.decoded(part)
            let after = rest.utf8.dropFirst(part.utf8.count)
            if decoded.bytes.hasPrefix("tr:") {
                guard after.first != nil else {
                    throw .invalid(option: String(path), expected: "a source after the transformation")
                }
                guard decoded.bytes.isASCII else {
                    throw .invalid(option: String(decoded), expected: "a transformation in ASCII")
                }
                let folders = path[..<part.startIndex]
                let source = Substring(folders) + Substring(after.dropFirst())
                return (Self.steps(of: decoded.bytes.dropFirst(3)), source)
            }
            guard after.first != nil else { return nil }
            rest = Substring(after.dropFirst())
        }
    }

    /// The steps of a chain.
    ///
    /// Colons separate them, except before `@@`, where a colon belongs to a URL.
    private static func steps(of chain: Substring) -> [Substring] {
        var steps: [Substring] = []
        for part in chain.bytes.split(separator: ":") {
            if part.bytes.hasPrefix("@@"), let last = steps.popLast() {
                steps.append(chain[last.startIndex...].prefix(upTo: part.endIndex))
            } else {
                steps.append(part)
            }
        }
        return steps
    }

    /// The transformation in a query, and the parameters that belong to the source.
    private static func split(_ query: String?) -> (transformation: Substring?, rest: String) {
        let pairs = query?.bytes.split(separator: "&") ?? []
        let own = ["tr=", "ik-s=", "ik-t=", "ik-attachment=", "ik-sdk-version=", "ik-obj-version="]
        let rest = pairs.filter { pair in !own.contains { pair.bytes.hasPrefix($0) } }
        return (pairs.first { $0.bytes.hasPrefix("tr=") }?.dropFirst(3), rest.joined(separator: "&"))
    }
}

/// The steps of an ImageKit transformation.
///
/// A first step may cut a part out. Then one step may change the size, and later steps may scale or rotate its result.
private struct ImageKitSteps {
    private var options = AddressOptions(mark: "-")
    /// The step that cuts a part out, before one that changes the size.
    private var extract: AddressOptions?
    /// Whether the result is rotated after the change of its size, so that the size applies before the rotation.
    private var turnsLast = false
    private var effects: [(name: String, value: String)] = []
    private var ignored: [String] = []

    /// The name of the image that replaces a missing image; nil for none.
    var defaultImage: String? { options["di"] }

    /// The names of all options.
    static var names: [String] {
        translated.sorted() + aliases.keys.sorted() + unsupported.keys.sorted() + ignoredNames.sorted() + ["e"]
    }

    /// Options with a value that are translated.
    private static let translated: Set<String> = [
        "w", "h", "ar", "c", "cm", "fo", "x", "y", "xc", "yc", "z", "q", "f", "bl", "dpr", "bg", "rt", "fl", "pr", "t",
        "r", "di", "md", "cp", "pg",
    ]
    /// The long names that clients also write.
    private static let aliases = [
        "width": "w", "height": "h", "blur": "bl", "quality": "q", "format": "f", "focus": "fo", "crop": "c",
        "cropMode": "cm", "aspectRatio": "ar", "rotate": "rt", "rotation": "rt", "radius": "r", "background": "bg",
        "progressive": "pr", "flip": "fl", "trim": "t", "zoom": "z", "xCenter": "xc", "yCenter": "yc",
        "defaultImage": "di", "metadata": "md", "colorProfile": "cp", "lossless": "lo", "original": "orig",
        "border": "b", "opacity": "o", "named": "n", "page": "pg", "effect": "e",
    ]
    /// The long names of options that are not supported.
    private static let unsupported = [
        "l": "layer", "b": "border", "o": "opacity", "vc": "video codec", "ac": "audio codec", "so": "start offset",
        "eo": "end offset", "du": "duration", "n": "named transformation", "sr": "streaming resolutions",
        "if": "condition",
    ]
    private static let sizing: Set<String> = ["w", "h", "ar", "c", "cm", "fo", "x", "y", "xc", "yc"]
    /// Options that change only the bytes of a file; they are reported as ignored.
    private static let ignoredNames: Set<String> = ["lo", "orig"]

    init(_ steps: [Substring]) throws(Problem) {
        var sized = false
        for text in steps {
            var step = AddressOptions(mark: "-")
            var names: Set<String> = []
            for part in text.bytes.split(separator: ",") {
                let (short, value) = Self.sides(part)
                let name = Self.aliases[short] ?? short
                if name == "e" {
                    effects.append(Self.sides(value[...]))
                } else if Self.translated.contains(name) {
                    // A crop mode may be written as a crop, and a crop as a crop mode.
                    let isMode = Self.modes.contains { $0.key == value }
                    let key = name == "c" && isMode ? "cm" : name == "cm" && !isMode ? "c" : name
                    try step.set(key, value)
                    names.insert(key)
                } else if Self.ignoredNames.contains(name) {
                    ignored.append(String(part))
                } else {
                    let long = Self.unsupported[name].map { " (\($0))" } ?? ""
                    throw .unsupported(option: "\(part)\(long)")
                }
            }
            let isSizing = !names.isDisjoint(with: Self.sizing)
            if sized, isSizing {
                if options["cm"] == "extract", extract == nil {
                    // The part that an earlier step cut out is the image of this step.
                    extract = options
                    for name in Self.sizing { options.remove(name) }
                } else if let scaled = try scaled(by: step, names) {
                    try options.set("w", "\(scaled.width)")
                    try options.set("h", "\(scaled.height)")
                    for name in ["w", "h", "c"] { names.remove(name) }
                } else {
                    throw .unsupported(option: "a second step that changes the size, \(text),")
                }
            }
            if names.contains(where: { $0 == "rt" }) { turnsLast = sized && !isSizing }
            for name in names { try options.set(name, step[name] ?? "") }
            sized = sized || isSizing
        }
    }

    /// The size of an exactly sized result after a step that scales it by one side; nil for other steps.
    private func scaled(by step: AddressOptions, _ names: Set<String>) throws(Problem) -> (width: Int, height: Int)? {
        let isExact = options["cm"] == nil || options["cm"] == "pad_resize"
        let isFixed = [nil, "maintain_ratio", "force"].contains(options["c"])
        guard isExact, isFixed, names.isDisjoint(with: ["ar", "cm", "fo", "x", "y", "xc", "yc", "rt", "dpr"]),
            let width = options["w"].flatMap({ Int(plainDigits: $0) }),
            let height = options["h"].flatMap({ Int(plainDigits: $0) }), width > 0, height > 0,
            let shape = AspectRatio(Double(width), Double(height))
        else { return nil }
        switch (step["w"].flatMap { Int(plainDigits: $0) }, step["h"].flatMap { Int(plainDigits: $0) }) {
        case (let width?, nil) where width > 0 && step["h"] == nil: return (width, shape.height(forWidth: width))
        case (nil, let height?) where height > 0 && step["w"] == nil: return (shape.width(forHeight: height), height)
        default: return nil
        }
    }

    /// The texts before and after the first hyphen.
    private static func sides(_ text: Substring) -> (name: String, value: String) {
        let (name, value) = text.bytes.halves(at: "-")
        return (String(name), String(value ?? ""))
    }

    /// Adds the parameters.
    ///
    /// - Throws: A ``Problem`` with status 501 for an unsupported option, or 400 for an invalid value.
    func add(to result: inout Translation) throws(Problem) {
        for option in ignored { result.ignore(option) }
        for name in ["w", "h"] where options[name] == "auto" { result.ignore(options.text(name)) }
        if let extract { try addExtract(extract, isFirst: true, to: &result) }
        try addShape(to: &result)
        try addFilters(to: &result)
        try addOutput(to: &result)
    }

    private func word<Value>(_ name: String, _ table: KeyValuePairs<String, Value>) throws(Problem) -> Value? {
        guard let text = options[name] else { return nil }
        guard let value = table.first(where: { $0.key == text })?.value else {
            throw .unsupported(option: options.text(name))
        }
        return value
    }

    // MARK: Shape

    private func side(_ name: String) throws(Problem) -> RequestedSide? {
        guard let text = options[name] else { return nil }
        // Without client hints, the side is the source's.
        if text == "auto" { return nil }
        let ratio = options["dpr"] == "auto" ? 1 : try options.number("dpr", in: 0.1...5) ?? 1
        // A number below 1 is a fraction of the source, and so is an expression of the side itself.
        if let share = Self.share(text, of: name), share > 0 {
            guard share * ratio <= 1 else {
                throw .unsupported(option: options.text(name), "It exceeds the source.")
            }
            return .share(share * ratio)
        }
        guard let number = Int(plainDigits: text), number > 0, let side = RequestedSide(number, times: ratio) else {
            throw options.invalid(name, "a whole number of pixels, at most \(FrameParameters.maxSide) with dpr")
        }
        return side
    }

    /// A fraction of the source, such as `0.5`, `iw_div_2` or `iw_mul_0.5`; nil for other text.
    private static func share(_ text: String, of name: String) -> Double? {
        if let share = Double(plainDecimal: text) { return share < 1 ? share : nil }
        // Separators alone contain no parts.
        let parts = text.bytes.split(separator: "_")
        guard let first = parts.first, ["i\(name)", "c\(name)"].contains(first) else { return nil }
        if parts.count == 1 { return 1 }
        guard parts.count == 3, let number = Double(plainDecimal: parts[2]), number > 0 else { return nil }
        return parts[1] == "mul" ? number : parts[1] == "div" ? 1 / number : nil
    }

    private static let modes: KeyValuePairs<String, String> = [
        "extract": "extract", "pad_resize": "pad", "pad_extract": "pad_extract",
    ]

    private func addShape(to result: inout Translation) throws(Problem) {
        var (width, height) = (try side("w"), try side("h"))
        var ratio: Double?
        if let text = options["ar"] {
            let sides = text.bytes.split(separator: "-").map { Double(plainDecimal: $0) }
            guard sides.count == 2, let across = sides[0], let down = sides[1], across > 0, down > 0 else {
                throw options.invalid("ar", "W-H, such as 16-9")
            }
            // Both sides already determine the aspect ratio.
            if width == nil || height == nil { ratio = across / down }
        }
        let mode = try word("cm", Self.modes)
        if mode == "extract" { return try addExtract(options, isFirst: false, to: &result) }
        let crops: KeyValuePairs<String, (fit: String, enlarges: Bool)> = [
            "maintain_ratio": ("cover", true), "force": ("fill", true), "at_max": ("inside", false),
            "at_max_enlarge": ("inside", true), "at_least": ("outside", true),
        ]
        if mode == "pad_extract" {
            let values = ["extract", "pad_resize"] + crops.map(\.key)
            throw .unsupported(option: "cm-pad_extract (crop mode)", values: values)
        }
        let crop = try word("c", crops) ?? ("cover", true)
        if mode == nil, crop.fit == "cover" {
            if let ratio { result[.aspect] = NumberText.plain(ratio) }
        } else if let ratio {
            // A box with this aspect ratio; the image inside it keeps its own aspect ratio. Without a side in pixels,
            // there is no box.
            if let pixels = width?.pixels {
                height = RequestedSide(pixels, times: 1 / ratio)
            } else if let pixels = height?.pixels {
                width = RequestedSide(pixels, times: ratio)
            }
        }
        result.set(RequestedSize(width: width, height: height))
        let hasBoth = width != nil && height != nil
        let fit = mode ?? (crop.fit == "fill" && !hasBoth ? "inside" : crop.fit)
        if fit != "cover" { result[.fit] = fit }
        if crop.enlarges, width != nil || height != nil { result[.enlarge] = "true" }
        if fit == "cover", hasBoth || result[.aspect] != nil { try addFocus(to: &result) }
        if fit == "pad", let place = try word("fo", Self.places), place != "faces", place != "center" {
            result[.gravity] = place
        }
        try addBackground(isPadded: fit == "pad", to: &result)
    }

    private static let places: KeyValuePairs<String, String> = [
        "center": "center", "top": "top", "left": "left", "bottom": "bottom", "right": "right", "top_left": "top-left",
        "top_right": "top-right", "bottom_left": "bottom-left", "bottom_right": "bottom-right", "auto": "faces",
        "face": "faces", "person": "faces", "faces": "faces",
    ]

    /// The gravity of an object class; nil for other values.
    ///
    /// `person` is a face with its head, as in ImageKit.
    private static func object(_ name: String) -> String? {
        guard !places.contains(where: { $0.key == name }) else { return nil }
        return ObjectText.word(name).flatMap { ObjectText.gravity([($0, 1)]) }
    }

    private func addFocus(to result: inout Translation) throws(Problem) {
        if let object = options["fo"].flatMap(Self.object) {
            result[.gravity] = object
            return
        }
        let gravity = try word("fo", Self.places) ?? "center"
        result[.gravity] = gravity
        if ["face", "faces", "person"].contains(options["fo"]) { result[.fallback] = "center" }
        // As close to the face as z requests, but no closer than the head.
        if ["face", "faces"].contains(options["fo"]), let zoom = try options.number("z", in: 0.01...100) {
            result.setCloseness(1 / zoom)
            if zoom > 1 { result.ignore("z-\(NumberText.plain(zoom))") }
        }
    }

    /// Cuts a rectangle out without scaling, as the image of a later step or as the result.
    private func addExtract(_ step: AddressOptions, isFirst: Bool, to result: inout Translation) throws(Problem) {
        func length(_ name: String) throws(Problem) -> (text: String, pixels: Int?) {
            guard let text = step[name] else { return ("1", nil) }
            if let share = Self.share(text, of: name), share > 0 { return (NumberText.plain(share), nil) }
            guard let pixels = Int(plainDigits: text), pixels > 0 else {
                throw step.invalid(name, "a whole number of pixels, or a fraction")
            }
            return (NumberText.pixels(pixels), pixels)
        }
        let (width, height) = (try length("w"), try length("h"))
        guard step["w"] != nil || step["h"] != nil, step["ar"] == nil, step["dpr"] == nil else {
            throw .unsupported(option: "cm-extract (crop mode) without w and h, or with ar or dpr")
        }
        let sides = "\(width.text),\(height.text)"
        if ["x", "y", "xc", "yc"].contains(where: { step[$0] != nil }) {
            func start(_ edge: String, _ middle: String, _ length: Int?) throws(Problem) -> String {
                guard let center = try step.number(middle, in: 0...100_000) else {
                    return NumberText.pixels(try step.number(edge, in: 0...100_000) ?? 0)
                }
                guard let length else { throw .unsupported(option: "\(step.text(middle)) without a side in pixels") }
                return NumberText.pixels(max(0, center - Double(length) / 2))
            }
            let corner = "\(try start("x", "xc", width.pixels)),\(try start("y", "yc", height.pixels))"
            result[.region] = "\(corner),\(sides)"
            return
        }
        let place = step["fo"].map { text in Self.places.first { $0.key == text }?.value } ?? "center"
        guard let place else { throw .unsupported(option: step.text("fo")) }
        if place != "faces" {
            result[.region] = "\(place),\(sides)"
        } else if !isFirst, let width = width.pixels, let height = height.pixels {
            // The position of a face is unknown before detection.
            result[.fit] = "crop"
            result.set(RequestedSize(width: .pixels(width), height: .pixels(height)))
            try addFocus(to: &result)
        } else {
            throw .unsupported(option: "cm-extract (crop mode) with \(step.text("fo")) before another step")
        }
    }

    private func addBackground(isPadded: Bool, to result: inout Translation) throws(Problem) {
        guard let text = options["bg"] else { return }
        if text.bytes.hasPrefix("blurred") || text == "dominant" {
            // The dominant colour is translated to the mean colour.
            if isPadded { result[.background] = text == "dominant" ? "average" : "blur" }
            if text == "dominant" || !isPadded { result.ignore("bg-\(text)") }
            return
        }
        if ["genfill", "gradient"].contains(where: text.bytes.hasPrefix) {
            throw .unsupported(option: "bg-\(text) (background)")
        }
        guard let color = CSSColor(hexadecimal: text, alpha: .last) ?? CSSColor(name: text) else {
            throw options.invalid("bg", "hexadecimal digits or a colour name")
        }
        result.setBackground(color, isPadded: isPadded, option: "bg-\(text)")
    }

    // MARK: Filters and output

    /// The value of ImageKit's blur for a standard deviation of one pixel.
    private static let blurUnits = 2.0

    private func addFilters(to result: inout Translation) throws(Problem) {
        var filters = FilterText()
        for effect in effects {
            switch effect.name {
            case "grayscale": filters.add("mono")
            case "contrast": filters.add(.contrast, 1.2)
            case "blur":
                guard let blur = Double(plainDecimal: effect.value), blur <= 100 else {
                    throw .invalid(option: "e-blur-\(effect.value)", expected: "a number from 0 to 100")
                }
                filters.add(.blur, blur / Self.blurUnits)
            // Radius, deviation, amount and threshold of an unsharp mask.
            case "usm":
                let numbers = effect.value.bytes.split(separator: "-").map { Double(plainDecimal: $0) }
                let (deviation, amount) = (numbers.dropFirst(1).first ?? nil, numbers.dropFirst(2).first ?? nil)
                filters.addSharpening(amount ?? 1, radius: deviation ?? ImageFilter.standardRadius)
            case "sharpen": filters.add(.sharpen, (Double(plainDecimal: effect.value) ?? 10) / 10)
            default:
                let values = ["grayscale", "contrast", "blur", "usm", "sharpen"]
                throw .unsupported(option: "e-\(effect.name) (effect)", values: values)
            }
        }
        if let blur = try options.number("bl", in: 0...100) { filters.add(.blur, blur / Self.blurUnits) }
        result[.filter] = filters.text
    }

    private func addOutput(to result: inout Translation) throws(Problem) {
        let formats: KeyValuePairs<String, String> = [
            "auto": "auto", "jpg": "jpeg", "jpeg": "jpeg", "png": "png", "webp": "webp", "avif": "avif", "gif": "gif",
        ]
        // Without a format, ImageKit chooses one by `Accept`.
        result[.format] = try word("f", formats) ?? "auto"
        result[.quality] =
            options["q"] == "auto" ? nil : try options.number("q", in: 1...100).map { "\(Int(clamping: $0.rounded()))" }
        try addRadius(to: &result)
        if options["pr"] == "true" { result[.progressive] = "true" }
        if let trim = options["t"], trim != "false" {
            if result[.region] != nil { throw .unsupported(option: "t-\(trim) with cm-extract") }
            result[.trim] =
                trim == "true" ? "10" : "\(Int(clamping: (try options.number("t", in: 1...99) ?? 10).rounded()))"
        }
        if let page = options["pg"], page != "1" { throw .unsupported(option: "pg-\(page) (page)") }
        if options["md"] == "true" {
            // Copyright is the only metadata that is kept.
            result[.metadata] = "copyright"
            result.ignore("md-true")
        }
        if options["cp"] == "true" { result[.profile] = "keep" }
        try addTurn(to: &result)
    }

    /// Adds round corners with one radius, or an ellipse.
    private func addRadius(to result: inout Translation) throws(Problem) {
        guard let text = options["r"] else { return }
        if text == "max" { return result.setMask("circle") }
        let parts = text.bytes.split(separator: "_")
        if parts.count > 1, Set(parts.map(String.init)).count > 1 {
            throw .unsupported(option: "r-\(text) (different radii)")
        }
        guard let radius = parts.first.flatMap({ Double(plainDecimal: $0) }), radius <= 100_000 else {
            throw options.invalid("r", "a radius in pixels, or max")
        }
        let ratio = options["dpr"] == "auto" ? 1 : try options.number("dpr", in: 0.1...5) ?? 1
        if radius > 0 { result.setMask("rounded:\(NumberText.pixels(radius * ratio))") }
    }

    private func addTurn(to result: inout Translation) throws(Problem) {
        let turns: KeyValuePairs<String, Int> = ["0": 0, "90": 1, "180": 2, "270": 3, "360": 0, "auto": 0]
        if let text = options["rt"], !turns.contains(where: { $0.key == text }) {
            throw .unsupported(option: "rt-\(text) (rotation)")
        }
        let quarters = try word("rt", turns) ?? 0
        if quarters % 2 == 1, result[.width] != nil || result[.height] != nil || result[.aspect] != nil {
            // In one step with the size, the order is unknown; only a square keeps its size when it is rotated.
            let isSquare = result[.width] != nil && result[.width] == result[.height] && options["fo"] == nil
            guard turnsLast || isSquare else {
                throw .unsupported(
                    option: "\(options.text("rt")) with a size",
                    "Rotate in a separate step, after the size."
                )
            }
            (result[.width], result[.height]) = (result[.height], result[.width])
            if let aspect = result[.aspect].flatMap({ AspectRatio($0) }) {
                result[.aspect] = NumberText.plain(1 / aspect.value)
            }
        }
        let flips: KeyValuePairs<String, (Bool, Bool)> = ["h": (true, false), "v": (false, true), "h_v": (true, true)]
        let flip = try word("fl", flips) ?? (false, false)
        result.setTurn(quarters: quarters, mirrorsColumns: flip.0, mirrorsRows: flip.1)
    }
}

extension URLFormatName {
    /// ImageKit.
    package static let imagekit = URLFormatName("imagekit")
}
