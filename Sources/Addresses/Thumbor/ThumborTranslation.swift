import Encodings
import Framing
import Glibc
import HeadroomAPI
import Imaging
import Requests
import TotalFunctions
import UntrustedText

/// Translates the parts of a thumbor URL.
struct ThumborTranslation {
    /// The names of all filters, in alphabetical order.
    static var filterNames: [String] { ThumborFilters.names.map(String.init).sorted() }

    private let path: ThumborPath
    private let filters: ThumborFilters
    private(set) var result: Translation

    /// Translates a URL without its signature.
    ///
    /// - Throws: A ``Problem`` with status 501 for an unsupported option, or 400 for a URL that thumbor rejects.
    init(_ path: ThumborPath) throws(Problem) {
        self.path = path
        filters = try ThumborFilters(path.filters, areDecoded: path.hasDecodedFilters)
        let source = try Self.source(path.source)
        result = Translation(source: source.address, ignored: filters.ignored)
        result.relativeSource = source.relative
        result.expires = filters.expires
        result.maxAge = filters.maxAge
        result[.format] = "source"
        for (name, value) in filters.values { result[name] = value }
        result[.filter] = filters.effects.text
        if let name = filters.attachment { result.setDownload(name) }
        try addArea()
        try addSize()
        addGravity()
        // The sizes apply after the rotation.
        if filters.quarters % 2 == 1 { (result[.width], result[.height]) = (result[.height], result[.width]) }
        result.setTurn(quarters: filters.quarters, mirrorsColumns: path.mirrorsColumns, mirrorsRows: path.mirrorsRows)
        if path.isDebug { result[.format] = "debug" }
        if path.isMeta {
            result[.format] = "json"
            let columns = path.mirrorsColumns ? ["flip_horizontally"] : []
            let mirrors = columns + (path.mirrorsRows ? ["flip_vertically"] : [])
            result.presenter = { [source = result.source, isSmart = path.isSmart] plan in
                let meta = ThumborMeta(plan, source: source, mirrors: mirrors, isSmart: isSmart)
                return JSONDocument.bytes(of: ["thumbor": meta])
            }
        }
    }

    /// The URL of the image: decoded once, with `http://` if it lacks a scheme; and the text without a scheme, as
    /// thumbor's loaders of files and buckets read it.
    private static func source(_ text: Substring) throws(Problem) -> (address: String, relative: String?) {
        var text = text
        if text.bytes.hasPrefix("b64:") {
            // imagor's form of URLs with special characters.
            let decoded = Base64.bytes(text.dropFirst(4).utf8).flatMap { String(validating: $0, as: UTF8.self) }
            guard let decoded else { throw .invalid(option: String(text), expected: "a URL in base 64") }
            text = Substring(decoded)
        } else if let decoded = PercentEncoding.decoded(Array(text.utf8)) {
            text = Substring(decoded)
        }
        guard !text.isEmpty else { throw .missing("The source", expected: "the URL of an image") }
        // Restores a slash if a proxy merged two slashes.
        if let address = SourceText.unencodedAddress(String(text)) ?? storedAddress(text) { return (address, nil) }
        return ("http://\(text)", String(text))
    }

    /// The URL of an object or a local file, with all its slashes; nil for other text.
    private static func storedAddress(_ text: Substring) -> String? {
        for (scheme, slashes) in [("s3:", "//"), ("gs:", "//"), ("abs:", "//"), ("local:", "///")]
        where text.bytes.begins(with: scheme) {
            let rest = text.bytes.dropFirst(scheme.utf8.count)
            guard rest.bytes.hasPrefix("/") else { continue }
            return SourceText.escaped(scheme + slashes + String(rest.bytes.dropping(UInt8(ascii: "/"))))
        }
        return nil
    }

    private mutating func addArea() throws(Problem) {
        if let trim = path.trim {
            if path.crop != nil { throw .unsupported(option: "trim with a crop") }
            // A trimmed border has the same colour at all corners, so the choice of the corner does not matter.
            if trim.first == "bottom-right" { result.ignored.append("bottom-right") }
            // thumbor limits the Euclidean distance of colours over three channels; here the tolerance applies to each
            // channel.
            let distance = trim.last.flatMap { Int(plainDigits: $0) } ?? 0
            result[.trim] = "\(Int(clamping: Double(min(distance, 441)) / 3.0.squareRoot()))"
        }
        guard let crop = path.crop else { return }
        let numbers = crop.compactMap { Double(plainDecimal: $0) }
        guard numbers.count == 4, numbers[0] < numbers[2], numbers[1] < numbers[3] else { return }
        // imagor also accepts fractions of the sides.
        let isShare = numbers.allSatisfy { $0 <= 1 } && crop.contains { $0.bytes.contains(".") }
        let lengths = [numbers[0], numbers[1], numbers[2] - numbers[0], numbers[3] - numbers[1]]
        result[.region] =
            lengths.map { isShare ? NumberText.plain($0) : NumberText.pixels($0) }
            .joined(separator: ",")
    }

    private mutating func addSize() throws(Problem) {
        let mode = filters.stretches ? .stretch : path.mode
        var (width, height) = (path.width, path.height)
        let isFree = (width == .free || width == .original) && (height == .free || height == .original)
        if isFree {
            if width != height { throw .invalid(option: "orig", expected: "a second side") }
            if filters.proportion < 1 {
                result[.width] = NumberText.percent(filters.proportion)
                result[.fit] = "inside"
            }
            return
        }
        if filters.proportion < 1 {
            guard width != .original, height != .original, mode != .inside || filters.enlarges else {
                throw .unsupported(option: "proportion (filter) with orig or fit-in")
            }
            (width, height) = (width.scaled(by: filters.proportion), height.scaled(by: filters.proportion))
        }
        if mode == .inside || mode == .outside {
            // A side with the image's own length does not limit it.
            if width == .original { width = .free }
            if height == .original { height = .free }
        }
        let hasOriginal = width == .original || height == .original
        let maximum = FrameParameters.maxSide
        result[.width] = width == .original ? "\(maximum)" : width.pixels.map { "\($0)" }
        result[.height] = height == .original ? "\(maximum)" : height.pixels.map { "\($0)" }
        let hasBoth = width != .free && height != .free
        if path.isAdaptive, hasBoth { result[.boxOrientation] = "swap" }
        switch mode {
        case .cover:
            let isLimited = filters.neverEnlarges || hasOriginal
            if isLimited { result[.fit] = "limit" } else { result[.enlarge] = "true" }
        case .inside:
            result[.fit] = filters.fill != nil && hasBoth ? "pad" : "inside"
            if filters.enlarges { result[.enlarge] = "true" }
        case .outside:
            result[.fit] = "outside"
            if !filters.neverEnlarges { result[.enlarge] = "true" }
        case .stretch:
            if hasBoth { result[.fit] = "fill" }
            if !filters.neverEnlarges { result[.enlarge] = "true" }
        }
        if result[.fit] == "pad" {
            // JPEG has no transparency.
            let isOpaque = filters.fill == "transparent" && result[.format] == "jpeg"
            result[.background] = isOpaque ? "ffffff" : filters.fill
        }
    }

    /// Adds focal areas and gravity.
    ///
    /// With `smart`, the gravity is faces, with the alignment as the fallback. Otherwise it is the alignment, unless
    /// there are focal areas.
    private mutating func addGravity() {
        guard [nil, "limit"].contains(result[.fit]), result[.width] != nil || result[.height] != nil else { return }
        let names = [
            ["top-left", "top", "top-right"], ["left", "center", "right"], ["bottom-left", "bottom", "bottom-right"],
        ]
        let row = ["top": 0, "bottom": 2][path.valign ?? ""] ?? 1
        let anchor = names[row][["left": 0, "right": 2][path.halign ?? ""] ?? 1]
        let focal = focalAreas()
        if !focal.isEmpty { result[.focus] = focal.joined(separator: ";") }
        if path.isSmart {
            result[.gravity] = "faces"
            result[.fallback] = anchor
        } else if focal.isEmpty {
            result[.gravity] = anchor
        }
    }

    /// The focal areas with their centre in the preceding crop; without `smart`, a single point at their mean, weighted
    /// by area.
    private func focalAreas() -> [String] {
        let numbers = path.crop?.compactMap { Int(plainDigits: $0) } ?? []
        let areas = filters.focal.prefix(FocalArea.maxCount).filter { area in
            guard result[.region] != nil, numbers.count == 4 else { return true }
            let (x, y) = area.middle
            return numbers[0] <= x && x <= max(numbers[0], numbers[2])
                && numbers[1] <= y && y <= max(numbers[1], numbers[3])
        }
        if path.isSmart || areas.isEmpty { return areas.map(\.text) }
        let weight = areas.reduce(0.0) { $0 + $1.weight }
        let x = areas.reduce(0.0) { $0 + Double($1.middle.x) * $1.weight } / weight
        let y = areas.reduce(0.0) { $0 + Double($1.middle.y) * $1.weight } / weight
        return ["\(NumberText.pixels(x.rounded(.down))),\(NumberText.pixels(y.rounded(.down))),1px,1px"]
    }
}

/// A rectangle of the filter `focal`, in pixels.
private struct ThumborFocalArea {
    let left, top, right, bottom: Int

    /// Its value in `focus`.
    var text: String { "\(left)px,\(top)px,\(right - left)px,\(bottom - top)px" }

    var middle: (x: Int, y: Int) { (left + (right - left) / 2, top + (bottom - top) / 2) }

    /// The area, which is the weight in thumbor.
    var weight: Double { Double(right - left) * Double(bottom - top) }
}

/// The supported filters of thumbor and imagor.
private struct ThumborFilters {
    private(set) var values: [(name: Parameter, value: String)] = []
    private(set) var ignored: [String] = []
    /// The colour of bars around an image that does not fill the size.
    private(set) var fill: String?
    private(set) var neverEnlarges = false
    private(set) var enlarges = false
    private(set) var stretches = false
    /// The factor of the output's sides.
    private(set) var proportion = 1.0
    private(set) var quarters = 0
    private(set) var focal: [ThumborFocalArea] = []
    private(set) var expires: Int?
    private(set) var maxAge: Int?
    /// The file name for saving the output in browsers: empty for the source's name, nil for no download.
    private(set) var attachment: String?
    /// Filters of colours and sharpness, in order.
    private(set) var effects = FilterText()

    /// Reads filters; thumbor ignores a filter whose arguments are invalid.
    ///
    /// - Throws: A ``Problem`` with status 501 for an unknown filter, and 400 for an expiry that is not valid.
    init(_ filters: [(name: Substring, arguments: Substring)], areDecoded: Bool) throws(Problem) {
        for (name, text) in filters {
            guard name.bytes.isWord(atMost: ParameterName.maxBytes) else { throw .unsupported(option: String(name)) }
            let decoded = areDecoded ? text : OptionSegment.decoded(text)
            // Only file names may contain characters beyond ASCII.
            let arguments = decoded.bytes.split(separator: ",", omittingEmptySubsequences: false).map {
                name == "attachment" || $0.bytes.isASCII ? $0.bytes.withoutSpaces() : "?"
            }
            guard let isValid = read(name, arguments) else { throw .unsupported(option: "\(name) (filter)") }
            // A URL with an unreadable expiry must not be valid forever.
            guard isValid || name != "expire" else {
                throw .invalid(option: "expire(\(decoded))", expected: "milliseconds since 1970")
            }
            if !isValid { ignored.append(String(name)) }
        }
    }

    /// The names of all filters that are read.
    static let names: Set<Substring> = [
        "quality", "format", "max_bytes", "fill", "background_color", "focal", "rotate", "no_upscale", "upscale",
        "stretch", "cover", "expire", "blur", "sharpen", "hue", "proportion", "max_frames", "page", "grayscale",
        "brightness", "contrast", "saturation", "round_corner", "attachment", "strip_icc", "strip_exif",
        "strip_metadata", "to_colorspace", "preview", "autojpg", "red_eye", "max_age", "dpi", "gifv",
    ]

    private static let formats = [
        "png": "png", "jpeg": "jpeg", "jpg": "jpeg", "gif": "gif", "webp": "webp", "avif": "avif", "mp4": "mp4",
        "webm": "webm",
    ]

    /// Reads a filter with at least one argument.
    ///
    /// - Returns: Whether the arguments are valid; nil for an unknown filter.
    private mutating func read(_ name: Substring, _ arguments: [String]) -> Bool? {
        guard Self.names.contains(name) else { return nil }
        let first = arguments.first ?? ""
        switch name {
        case "quality": return set(.quality, Int(plainDigits: first).map { "\(min(max($0, 1), 100))" })
        case "format": return set(.format, Self.formats[first.bytes.lowercased()])
        case "gifv": return set(.format, first.isEmpty || first == "mp4" ? "mp4" : first == "webm" ? first : nil)
        case "max_bytes":
            let bytes = Int(plainDigits: first).flatMap { (1...FrameParameters.maxBytes).contains($0) ? $0 : nil }
            return set(.maxBytes, bytes.map { "\($0)" })
        case "fill":
            fill = ThumborColor.text(first)
            return fill != nil
        case "background_color":
            let color = ThumborColor.text(first)
            return set(.background, ["blur", "transparent", "average"].contains(color) ? nil : color)
        case "focal":
            guard let area = Self.area(first) else { return false }
            focal.append(area)
        case "rotate":
            // thumbor rotates anticlockwise.
            guard let degrees = Int(first), degrees % 90 == 0 else { return false }
            quarters = (quarters + 4 - (degrees % 360 + 360) % 360 / 90) % 4
        case "no_upscale": neverEnlarges = true
        case "upscale": enlarges = true
        case "stretch": stretches = true
        case "cover": return set(.animation, "still")
        case "expire":
            // Milliseconds since 1970.
            guard !first.isEmpty, first.isDecimal, let seconds = Int(plainDigits: "0" + first.dropLast(3)) else {
                return false
            }
            expires = seconds
        case "blur":
            // imagor's argument may have a fraction, and is directly the standard deviation.
            if first.bytes.contains("."), arguments.count == 1 {
                guard let deviation = Double(plainDecimal: first) else { return false }
                effects.add(.blur, deviation)
                return true
            }
            guard let radius = Int(plainDigits: first), radius <= Self.maxRadius,
                let sigma = arguments[at: 1].map({ Double(plainDecimal: $0) }) ?? 0
            else { return false }
            effects.add(.blur, Self.deviation(radius: radius, sigma: sigma))
        case "sharpen":
            // The amount and the radius of an unsharp mask; the restriction to luminance makes little difference.
            guard let amount = Double(plainDecimal: first),
                let radius = arguments[at: 1].map({ Double(plainDecimal: $0) }) ?? ImageFilter.standardRadius
            else { return false }
            effects.addSharpening(amount, radius: radius)
        case "hue":
            guard let degrees = NumberText.read(first) else { return false }
            effects.addHue(degrees)
        case "proportion":
            guard let share = Double(plainDecimal: first), share > 0, share <= 1 else { return false }
            proportion = share
        case "max_frames":
            guard let count = Int(plainDigits: first) else { return false }
            return count == 1 ? set(.animation, "still") : false
        case "page":
            guard first == "1" else { return nil }
        case "grayscale": effects.add("mono")
        case "brightness":
            guard let amount = Self.percentage(first) else { return false }
            effects.addOffset(amount)
        case "contrast":
            guard let amount = Self.percentage(first) else { return false }
            effects.add(.contrast, (1 + amount) * (1 + amount))
        case "saturation":
            guard let factor = Double(plainDecimal: first) else { return false }
            effects.add(.saturation, factor)
        case "round_corner":
            guard let (mask, color) = Self.corners(arguments) else { return false }
            set(.mask, mask)
            if let color { set(.background, color) }
        case "attachment": attachment = first
        // All metadata are dropped, and colours are converted.
        case "strip_icc", "strip_exif", "strip_metadata", "to_colorspace", "preview": break
        case "max_age":
            guard let seconds = Int(plainDigits: first), seconds <= Freshness.maxSeconds else { return false }
            maxAge = seconds
        // Reported as ignored, because they affect only the looks.
        case "autojpg", "red_eye", "dpi": return false
        default: return nil
        }
        return true
    }

    /// The maximum radius of a blur in thumbor.
    private static let maxRadius = 150

    /// The standard deviation of thumbor's blur in pixels.
    ///
    /// Its kernel is a Gaussian of `sigma`, by default equal to the radius, and is cut off at the radius.
    private static func deviation(radius: Int, sigma: Double) -> Double {
        guard radius > 0 else { return 0 }
        let sigma = sigma > 0 ? sigma : Double(radius)
        var (sum, squares) = (1.0, 0.0)
        // bounded: the radius is positive
        for distance in 1...radius {
            let square = Double(distance * distance)
            let weight = 2 * exp(-square / (2 * sigma * sigma))
            sum += weight
            squares += weight * square
        }
        return (squares / sum).squareRoot()
    }

    /// A whole number from -100 to 100 as a fraction; nil for other text.
    private static func percentage(_ text: String) -> Double? {
        let digits = text.bytes.hasPrefix("-") ? text.dropFirst() : text[...]
        guard let number = Int(plainDigits: digits), number <= 100 else { return nil }
        return Double(text.bytes.hasPrefix("-") ? -number : number) / 100
    }

    /// Sets a parameter; returns false if the value is nil.
    @discardableResult
    private mutating func set(_ name: Parameter, _ value: String?) -> Bool {
        guard let value else { return false }
        values.removeAll { $0.name == name }
        values.append((name, value))
        return true
    }

    /// A focal area, from `LxT:RxB` in pixels.
    private static func area(_ text: String) -> ThumborFocalArea? {
        let corners = text.bytes.split(separator: ":").map {
            $0.bytes.split(separator: "x").map { Int(plainDigits: $0) }
        }
        let numbers = corners.flatMap(\.self)
        guard corners.count == 2, corners.allSatisfy({ $0.count == 2 }), numbers.count == 4, let left = numbers[0],
            let top = numbers[1], let right = numbers[2], let bottom = numbers[3], left < right, top < bottom,
            max(right, bottom) <= Length.maxPixels
        else { return nil }
        return ThumborFocalArea(left: left, top: top, right: right, bottom: bottom)
    }

    /// A radius such as `20` or `20|20`, and the colour outside the corners.
    private static func corners(_ arguments: [String]) -> (mask: String, color: String?)? {
        let radii = Set((arguments.first ?? "").bytes.split(separator: "|").map { Int(plainDigits: $0) })
        guard radii.count == 1, case let radius?? = radii.first, radius > 0 else { return nil }
        let samples = arguments.dropFirst().prefix(3).compactMap { Int(plainDigits: $0) }.filter { $0 <= 255 }
        let isTransparent = ["1", "true", "True"].contains(arguments[at: 4])
        let color = samples.count == 3 && !isTransparent ? Hexadecimal.text(samples.map { UInt8(clamping: $0) }) : nil
        return ("rounded:\(NumberText.pixels(radius))", color ?? (isTransparent ? nil : "ffffff"))
    }
}

/// The colours of thumbor: CSS names, and hexadecimal digits without `#`.
private enum ThumborColor {
    /// The value of `background`; nil for an unknown name.
    static func text(_ text: String) -> String? {
        let word = text.bytes.lowercased()
        if word == "blur" || word == "transparent" { return word }
        if word == "auto" { return "average" }
        if let digits = ColorName.digits(word) { return digits }
        guard [3, 6].contains(word.utf8.count), word.utf8.allSatisfy({ Hexadecimal.value($0) != nil }) else {
            return nil
        }
        return word
    }
}
