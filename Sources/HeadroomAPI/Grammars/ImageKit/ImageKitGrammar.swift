import UntrustedText
import Encodings
import HTTPTypes
package import Requests

/// ImageKit's addresses: `/tr:w-300,h-200/PATH`, `/PATH?tr=w-300,h-200`, or an absolute address in place of the path.
package struct ImageKitGrammar: URLGrammar {
    /// The base address of sources that are named by a path; nil refuses them.
    private let origin: OriginBase?

    /// A grammar of absolute addresses, and of paths below an origin.
    ///
    /// - Parameter origin: The base address of sources that are named by a path; nil serves absolute addresses only.
    package init(origin: OriginBase? = nil) { self.origin = origin }

    package func translate(_ address: GrammarAddress) throws(Problem) -> Translation {
        var path = address.path.bytes.dropping(UInt8(ascii: "/"))
        var steps: [Substring] = []
        let first = OptionSegment.decoded(path.bytes.prefix(before: "/"))
        if first.bytes.hasPrefix("tr:") {
            guard let slash = path.utf8.firstIndex(of: UInt8(ascii: "/")) else {
                throw .invalid(option: String(path), expected: "a source after the transformation")
            }
            guard first.bytes.isASCII else {
                throw .invalid(option: String(first), expected: "a transformation in ASCII")
            }
            steps = first.bytes.dropFirst(3).bytes.split(separator: ":")
            path = path[path.index(after: slash)...]
        }
        let (transformation, rest) = Self.split(address.query)
        if steps.isEmpty, let transformation {
            guard let text = PercentEncoding.decoded(Array(transformation.utf8)) else {
                throw .invalid(option: "tr=\(transformation)", expected: "a transformation in percent-encoded UTF-8")
            }
            guard text.bytes.isASCII else { throw .invalid(option: text, expected: "a transformation in ASCII") }
            steps = text.bytes.split(separator: ":")
        }
        let query = rest.isEmpty ? "" : "?\(rest)"
        guard !path.isEmpty else { throw .invalid(option: address.path, expected: "a source") }
        var translation = try Translation(path: path, query, below: origin, otherwise: "an absolute address")
        try ImageKitSteps(steps).add(to: &translation)
        return translation
    }

    /// The transformation in a query, and the parameters that belong to the source.
    private static func split(_ query: String?) -> (transformation: Substring?, rest: String) {
        let pairs = query?.bytes.split(separator: "&") ?? []
        let own = ["tr=", "ik-s=", "ik-t=", "ik-attachment="]
        let rest = pairs.filter { pair in !own.contains { pair.bytes.hasPrefix($0) } }
        return (pairs.first { $0.bytes.hasPrefix("tr=") }?.dropFirst(3), rest.joined(separator: "&"))
    }
}

/// The steps of an ImageKit transformation, of which one may change the size.
private struct ImageKitSteps {
    private var options = AddressOptions(mark: "-")
    private var effects: [(name: String, value: String)] = []
    private var ignored: [String] = []

    /// Options with a value that are translated.
    private static let translated: Set<String> = [
        "w", "h", "ar", "c", "cm", "fo", "x", "y", "z", "q", "f", "bl", "dpr", "bg", "rt", "fl", "pr", "t", "r",
    ]
    /// The long names that clients also write.
    private static let aliases = [
        "width": "w", "height": "h", "blur": "bl", "quality": "q", "format": "f", "focus": "fo", "crop": "c",
        "cropMode": "cm", "aspectRatio": "ar", "rotate": "rt", "rotation": "rt", "radius": "r", "background": "bg",
        "progressive": "pr", "flip": "fl", "trim": "t", "zoom": "z",
    ]
    /// The long names of options that are not supported.
    private static let unsupported = [
        "l": "layer", "b": "border", "o": "opacity", "xc": "x-center", "yc": "y-center", "vc": "video-codec",
        "so": "start-offset", "eo": "end-offset", "du": "duration", "pg": "page",
    ]
    private static let sizing: Set<String> = ["w", "h", "ar", "c", "cm", "fo", "x", "y"]
    /// Options that change only the bytes of a file; they are reported as ignored.
    private static let ignoredNames: Set<String> = ["lo", "md", "cp", "n", "orig", "di"]

    init(_ steps: [Substring]) throws(Problem) {
        var sized = false
        for step in steps {
            var isSizing = false
            for part in step.bytes.split(separator: ",") {
                let (short, value) = Self.sides(part)
                let name = Self.aliases[short] ?? short
                if name == "e" {
                    effects.append(Self.sides(value[...]))
                } else if Self.translated.contains(name) {
                    try options.set(name, value)
                    isSizing = isSizing || Self.sizing.contains(name)
                } else if Self.ignoredNames.contains(name) {
                    ignored.append(String(part))
                } else {
                    let long = Self.unsupported[name].map { " (\($0))" } ?? ""
                    throw .unsupported(option: "\(part)\(long)")
                }
            }
            if isSizing, sized { throw .unsupported(option: "a second step that changes the size, \(step),") }
            sized = sized || isSizing
        }
    }

    /// The texts before and after the first hyphen.
    private static func sides(_ text: Substring) -> (name: String, value: String) {
        let sides = text.bytes.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (sides[0], sides.count > 1 ? sides[1] : "")
    }

    /// Adds the parameters.
    ///
    /// - Throws: A ``Problem`` with status 501 for an unsupported option, or 400 for an invalid value.
    func add(to result: inout Translation) throws(Problem) {
        for option in ignored { result.ignore(option) }
        for name in ["w", "h"] where options[name] == "auto" { result.ignore(options.text(name)) }
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
        // Without client hints, the side is that of the source.
        if text == "auto" { return nil }
        let ratio = options["dpr"] == "auto" ? 1 : try options.number("dpr", in: 0.1...5) ?? 1
        // A number below 1 is a share of the source.
        if let share = Double(plainDecimal: text), share > 0, share < 1 {
            guard share * ratio <= 1 else {
                throw .unsupported(option: options.text(name), "It is more than the source.")
            }
            return .share(share * ratio)
        }
        guard let number = Int(plainDigits: text), number > 0, let side = RequestedSide(number, times: ratio) else {
            throw options.invalid(name, "a whole number of pixels, at most \(FrameParameters.maxSide) with dpr")
        }
        return side
    }

    private func addShape(to result: inout Translation) throws(Problem) {
        let (width, height) = (try side("w"), try side("h"))
        if let text = options["ar"] {
            let sides = text.bytes.split(separator: "-").map { Double(plainDecimal: $0) }
            guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0 else {
                throw options.invalid("ar", "W-H, such as 16-9")
            }
            result[.aspect] = NumberText.plain(width / height)
        }
        let modes: KeyValuePairs<String, String> = [
            "extract": "extract", "pad_resize": "pad", "pad_extract": "pad_extract",
        ]
        let mode = try word("cm", modes)
        if mode == "extract" { return try addExtract(width?.pixels, height?.pixels, to: &result) }
        if mode == "pad_extract" { throw .unsupported(option: "cm-pad_extract") }
        let crops: KeyValuePairs<String, (fit: String, enlarges: Bool)> = [
            "maintain_ratio": ("cover", true), "force": ("fill", true), "at_max": ("inside", false),
            "at_max_enlarge": ("inside", true), "at_least": ("outside", true),
        ]
        let crop = try word("c", crops) ?? ("cover", true)
        result.set(RequestedSize(width: width, height: height))
        let hasBoth = width != nil && height != nil
        let fit = mode ?? (crop.fit == "fill" && !hasBoth ? "inside" : crop.fit)
        if fit != "cover" { result[.fit] = fit }
        if crop.enlarges, width != nil || height != nil { result[.enlarge] = "true" }
        if fit == "cover", hasBoth || result[.aspect] != nil { try addFocus(to: &result) }
        try addBackground(isPadded: fit == "pad", to: &result)
    }

    private static let places: KeyValuePairs<String, String> = [
        "center": "center", "top": "top", "left": "left", "bottom": "bottom", "right": "right", "top_left": "top-left",
        "top_right": "top-right", "bottom_left": "bottom-left", "bottom_right": "bottom-right", "auto": "faces",
        "face": "faces", "person": "faces",
    ]

    private func addFocus(to result: inout Translation) throws(Problem) {
        let gravity = try word("fo", Self.places) ?? "center"
        result[.gravity] = gravity
        if options["fo"] == "face" || options["fo"] == "person" { result[.fallback] = "center" }
        // As close to the face as z requests, but no closer than the head.
        if options["fo"] == "face", let zoom = try options.number("z", in: 0.01...100) {
            result.setCloseness(1 / zoom)
            if zoom > 1 { result.ignore("z-\(NumberText.plain(zoom))") }
        }
    }

    /// Cuts a rectangle out without scaling.
    private func addExtract(_ width: Int?, _ height: Int?, to result: inout Translation) throws(Problem) {
        guard let width, let height, options["dpr"] == nil else {
            throw .unsupported(option: "cm-extract without w and h")
        }
        let sides = "\(NumberText.pixels(width)),\(NumberText.pixels(height))"
        if options["x"] != nil || options["y"] != nil {
            let (x, y) = (try options.number("x", in: 0...100_000) ?? 0, try options.number("y", in: 0...100_000) ?? 0)
            result[.region] = "\(NumberText.pixels(x)),\(NumberText.pixels(y)),\(sides)"
        } else {
            let place = try word("fo", Self.places) ?? "center"
            guard place != "faces" else { throw .unsupported(option: "cm-extract with \(options.text("fo"))") }
            result[.region] = "\(place),\(sides)"
        }
    }

    private func addBackground(isPadded: Bool, to result: inout Translation) throws(Problem) {
        guard let text = options["bg"] else { return }
        if text.bytes.hasPrefix("blurred") || text == "dominant" {
            if isPadded { result[.background] = "blur" }
            if text == "dominant" || !isPadded { result.ignore("bg-\(text)") }
            return
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
                let amount = effect.value.bytes.split(separator: "-").dropFirst(2).first
                filters.add(.sharpen, amount.flatMap { Double(plainDecimal: $0) } ?? 1)
            case "sharpen": filters.add(.sharpen, (Double(plainDecimal: effect.value) ?? 10) / 10)
            default: throw .unsupported(option: "e-\(effect.name)")
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
            options["q"] == "auto" ? nil : try options.number("q", in: 1...100).map { "\(Int($0.rounded()))" }
        if let text = options["r"] {
            let radius = text == "max" ? nil : try options.number("r", in: 0...100_000)
            let ratio = options["dpr"] == "auto" ? 1 : try options.number("dpr", in: 0.1...5) ?? 1
            if text == "max" {
                result.setMask("circle")
            } else if let radius, radius > 0 {
                result.setMask("rounded:\(NumberText.pixels(radius * ratio))")
            }
        }
        if options["pr"] == "true" { result[.progressive] = "true" }
        if let trim = options["t"], trim != "false" {
            if result[.region] != nil { throw .unsupported(option: "t-\(trim) with cm-extract") }
            result[.trim] = trim == "true" ? "10" : "\(Int((try options.number("t", in: 1...99) ?? 10).rounded()))"
        }
        let turns: KeyValuePairs<String, Int> = ["0": 0, "90": 1, "180": 2, "270": 3, "auto": 0]
        let quarters = try word("rt", turns) ?? 0
        if quarters % 2 == 1, result[.width] != nil || result[.height] != nil || result[.aspect] != nil {
            throw .unsupported(option: "\(options.text("rt")) with a size")
        }
        let flips: KeyValuePairs<String, (Bool, Bool)> = ["h": (true, false), "v": (false, true), "h_v": (true, true)]
        let flip = try word("fl", flips) ?? (false, false)
        result.setTurn(quarters: quarters, mirrorsColumns: flip.0, mirrorsRows: flip.1)
    }
}
