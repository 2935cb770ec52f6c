import Encodings
import Framing
import Glibc
import Requests

/// Translates the parts of a thumbor address.
struct ThumborTranslation {
    private let path: ThumborPath
    private let filters: ThumborFilters
    private(set) var result: Translation

    /// Translates an address without its signature.
    ///
    /// - Throws: A ``Problem`` with status 501 for an unsupported option, or 400 for an address that thumbor refuses.
    init(_ path: ThumborPath) throws(Problem) {
        self.path = path
        filters = try ThumborFilters(path.filters)
        result = Translation(source: try Self.source(path.source), ignored: filters.ignored)
        result.expires = filters.expires
        result[.format] = "source"
        for (name, value) in filters.values { result[name] = value }
        result[.filter] = filters.effects.text
        if let name = filters.attachment { result.setDownload(name) }
        try addArea()
        try addSize()
        addGravity()
        addTurn()
        if path.isDebug { result[.format] = "debug" }
        if path.isMeta {
            result[.format] = "json"
            result.presenter = ThumborMeta.presenter(
                source: result.source,
                mirrorsColumns: path.mirrorsColumns,
                mirrorsRows: path.mirrorsRows,
                isSmart: path.isSmart
            )
        }
    }

    /// The address of the picture: decoded once, and `http://` where it has no scheme.
    private static func source(_ text: Substring) throws(Problem) -> String {
        var text = text
        if text.hasPrefix("b64:") {
            // imagor's form of addresses with special characters.
            let bytes = Base64.bytes(text.dropFirst(4).utf8) ?? []
            text = Substring(String(decoding: bytes, as: UTF8.self))
        } else if let decoded = PercentEncoding.decoded(Array(text.utf8)) {
            text = Substring(decoded)
        }
        guard !text.isEmpty else { throw .invalid(option: "the source", expected: "the address of a picture") }
        let lowercased = text.prefix(8).lowercased()
        let hasScheme = lowercased.hasPrefix("http://") || lowercased.hasPrefix("https://")
        return hasScheme ? String(text) : "http://\(text)"
    }

    private mutating func addArea() throws(Problem) {
        if let trim = path.trim {
            if path.crop != nil { throw .unsupported(option: "trim with a crop") }
            // A border that is trimmed has the same colour at all corners, so the choice of the corner has no effect.
            if trim.first == "bottom-right" { result.ignored.append("bottom-right") }
            // thumbor limits the Euclidean distance of colours over three channels; here the tolerance applies to each
            // channel.
            let distance = trim.dropFirst().first.flatMap { Int(plainDigits: $0) } ?? 0
            result[.trim] = "\(Int(Double(min(distance, 441)) / 3.0.squareRoot()))"
        }
        guard let crop = path.crop else { return }
        let numbers = crop.compactMap { Double(plainDecimal: $0) }
        guard numbers.count == 4, numbers[0] < numbers[2], numbers[1] < numbers[3] else { return }
        // imagor also accepts shares of the sides.
        let isShare = numbers.allSatisfy { $0 <= 1 } && crop.contains { $0.contains(".") }
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
            return
        }
        if mode == .inside || mode == .outside {
            // A side of the picture's own length does not limit it.
            if width == .original { width = .free }
            if height == .original { height = .free }
        }
        let hasOriginal = width == .original || height == .original
        let most = FrameParameters.maxSide
        result[.width] = width == .original ? "\(most)" : width.pixels.map { "\($0)" }
        result[.height] = height == .original ? "\(most)" : height.pixels.map { "\($0)" }
        let hasBoth = width != .free && height != .free
        if path.isAdaptive, hasBoth { result[.box] = "turn" }
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
        if result[.fit] == "pad" { result[.background] = filters.fill }
    }

    /// Adds focal areas and gravity: with `smart`, faces with the alignment as the fallback; else the alignment, unless
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

    /// The focal areas whose middle lies in the preceding crop; without `smart`, a single point at their mean, weighted
    /// by area.
    private func focalAreas() -> [String] {
        let numbers = path.crop?.compactMap { Int(plainDigits: $0) } ?? []
        let areas = filters.focal.prefix(FocalArea.maxCount).filter { area in
            guard result[.region] != nil, numbers.count == 4 else { return true }
            let (x, y) = area.middle
            return (numbers[0]...max(numbers[0], numbers[2])).contains(x)
                && (numbers[1]...max(numbers[1], numbers[3])).contains(y)
        }
        if path.isSmart || areas.isEmpty { return areas.map(\.text) }
        let weight = areas.reduce(0.0) { $0 + $1.weight }
        let x = areas.reduce(0.0) { $0 + Double($1.middle.x) * $1.weight } / weight
        let y = areas.reduce(0.0) { $0 + Double($1.middle.y) * $1.weight } / weight
        return ["\(NumberText.pixels(x.rounded(.down))),\(NumberText.pixels(y.rounded(.down))),1px,1px"]
    }

    /// Adds turn and mirroring; sizes become those after the turn.
    private mutating func addTurn() {
        if filters.quarters % 2 == 1 { (result[.width], result[.height]) = (result[.height], result[.width]) }
        result.setTurn(
            quarters: filters.quarters,
            mirrorsColumns: path.mirrorsColumns,
            mirrorsRows: path.mirrorsRows
        )
    }
}

/// A rectangle of the filter `focal`, in pixels.
private struct ThumborFocalArea {
    let left: Int
    let top: Int
    let right: Int
    let bottom: Int

    /// Its value in `focus`.
    var text: String { "\(left)px,\(top)px,\(right - left)px,\(bottom - top)px" }

    var middle: (x: Int, y: Int) { (left + (right - left) / 2, top + (bottom - top) / 2) }

    /// The area, as thumbor weighs it.
    var weight: Double { Double(right - left) * Double(bottom - top) }
}

/// The filters of thumbor and imagor that have a meaning here.
private struct ThumborFilters {
    /// The parameters that a filter sets.
    private(set) var values: [(name: Parameter, value: String)] = []
    /// Filters without an effect.
    private(set) var ignored: [String] = []
    /// The colour of bars beside a picture that does not fill the size.
    private(set) var fill: String?
    private(set) var neverEnlarges = false
    private(set) var enlarges = false
    private(set) var stretches = false
    private(set) var quarters = 0
    private(set) var focal: [ThumborFocalArea] = []
    private(set) var expires: Int?
    /// The name under which browsers save the result; empty for that of the source, nil for no download.
    private(set) var attachment: String?
    /// Filters of colours and sharpness, in their order.
    private(set) var effects = FilterText()

    private typealias Reader = @Sendable (inout ThumborFilters, [String]) -> Bool

    /// Reads filters.
    ///
    /// - Throws: A ``Problem`` with status 501 for a filter that is not in the table.
    init(_ filters: [(name: Substring, arguments: Substring)]) throws(Problem) {
        for (name, text) in filters {
            guard let read = Self.table[String(name)] else { throw .unsupported(option: String(name)) }
            let decoded = PercentEncoding.decoded(Array(text.utf8)) ?? String(text)
            let arguments = decoded.split(separator: ",", omittingEmptySubsequences: false).map {
                String($0.filter { $0 != " " })
            }
            // thumbor ignores a filter whose arguments are invalid.
            if !read(&self, arguments) { ignored.append(String(name)) }
        }
    }

    private static let table: [String: Reader] = [
        "quality": { filters, arguments in
            guard let quality = Int(plainDigits: arguments[0]) else { return false }
            filters.set(.quality, "\(min(max(quality, 1), 100))")
            return true
        },
        "format": { filters, arguments in
            let formats = ["png": "png", "jpeg": "jpeg", "jpg": "jpeg", "gif": "gif", "webp": "webp", "avif": "avif"]
            guard let format = formats[arguments[0].lowercased()] else { return false }
            filters.set(.format, format)
            return true
        },
        "max_bytes": { filters, arguments in
            guard let bytes = Int(plainDigits: arguments[0]), (1...FrameParameters.mostBytes).contains(bytes) else {
                return false
            }
            filters.set(.maxBytes, "\(bytes)")
            return true
        },
        "fill": { filters, arguments in
            filters.fill = ThumborColor.text(arguments[0])
            return filters.fill != nil
        },
        "background_color": { filters, arguments in
            guard let color = ThumborColor.text(arguments[0]), !["blur", "transparent", "average"].contains(color)
            else {
                return false
            }
            filters.set(.background, color)
            return true
        },
        "focal": { filters, arguments in
            guard let area = area(arguments[0]) else { return false }
            filters.focal.append(area)
            return true
        },
        "rotate": { filters, arguments in
            // thumbor turns anticlockwise.
            guard let degrees = Int(arguments[0]), degrees % 90 == 0 else { return false }
            filters.quarters = (filters.quarters + 4 - (degrees % 360 + 360) % 360 / 90) % 4
            return true
        },
        "no_upscale": { filters, _ in
            filters.neverEnlarges = true
            return true
        },
        "upscale": { filters, _ in
            filters.enlarges = true
            return true
        },
        "stretch": { filters, _ in
            filters.stretches = true
            return true
        },
        "cover": { filters, _ in
            filters.set(.animation, "still")
            return true
        },
        "expire": { filters, arguments in
            // Milliseconds since 1970.
            guard !arguments[0].isEmpty, let seconds = Int(plainDigits: "0" + arguments[0].dropLast(3)) else {
                return false
            }
            filters.expires = seconds
            return true
        },
        "blur": { filters, arguments in
            guard let radius = Int(plainDigits: arguments[0]), radius <= mostRadius else { return false }
            let sigma = arguments.count > 1 ? Double(plainDecimal: arguments[1]) : 0
            guard let sigma else { return false }
            filters.effects.add(.blur, deviation(radius: radius, sigma: sigma))
            return true
        },
        "grayscale": { filters, _ in
            filters.effects.add("mono")
            return true
        },
        "brightness": { filters, arguments in
            guard let amount = percentage(arguments[0]) else { return false }
            filters.effects.addOffset(amount)
            return true
        },
        "contrast": { filters, arguments in
            guard let amount = percentage(arguments[0]) else { return false }
            filters.effects.add(.contrast, (1 + amount) * (1 + amount))
            return true
        },
        "saturation": { filters, arguments in
            guard let factor = Double(plainDecimal: arguments[0]) else { return false }
            filters.effects.add(.saturation, factor)
            return true
        },
        "round_corner": { filters, arguments in
            guard let (mask, color) = corners(arguments) else { return false }
            filters.set(.mask, mask)
            if let color { filters.set(.background, color) }
            return true
        },
        "attachment": { filters, arguments in
            filters.attachment = arguments[0]
            return true
        },
        // All metadata are dropped, and colours are converted.
        "strip_icc": { _, _ in true },
        "strip_exif": { _, _ in true },
        "strip_metadata": { _, _ in true },
        // Without an effect here, so they are reported as ignored; they change only the looks.
        "autojpg": { _, _ in false },
        "sharpen": { _, _ in false },
    ]

    /// The largest radius of a blur in thumbor.
    private static let mostRadius = 150

    /// The standard deviation of thumbor's blur in pixels.
    ///
    /// Its kernel is a Gaussian of `sigma`, by default the radius, which is cut off at the radius.
    private static func deviation(radius: Int, sigma: Double) -> Double {
        guard radius > 0 else { return 0 }
        let sigma = sigma > 0 ? sigma : Double(radius)
        var (sum, squares) = (1.0, 0.0)
        for distance in 1...radius {
            let square = Double(distance * distance)
            let weight = 2 * exp(-square / (2 * sigma * sigma))
            sum += weight
            squares += weight * square
        }
        return (squares / sum).squareRoot()
    }

    /// A whole number from -100 to 100 as a share; nil for other text.
    private static func percentage(_ text: String) -> Double? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard let number = Int(plainDigits: digits), number <= 100 else { return nil }
        return Double(text.hasPrefix("-") ? -number : number) / 100
    }

    private mutating func set(_ name: Parameter, _ value: String) {
        values.removeAll { $0.name == name }
        values.append((name, value))
    }

    /// A focal area, from `LxT:RxB` in pixels.
    private static func area(_ text: String) -> ThumborFocalArea? {
        let corners = text.split(separator: ":").map { $0.split(separator: "x").map { Int(plainDigits: $0) } }
        guard corners.count == 2, corners.allSatisfy({ $0.count == 2 }), let left = corners[0][0],
            let top = corners[0][1], let right = corners[1][0], let bottom = corners[1][1], left < right, top < bottom,
            max(right, bottom) <= Length.mostPixels
        else { return nil }
        return ThumborFocalArea(left: left, top: top, right: right, bottom: bottom)
    }

    /// A radius such as `20` or `20|20`, and the colour beside the corners.
    private static func corners(_ arguments: [String]) -> (mask: String, color: String?)? {
        let radii = Set(arguments[0].split(separator: "|").map { Int(plainDigits: $0) })
        guard radii.count == 1, case let radius?? = radii.first, radius > 0 else { return nil }
        let samples = arguments.dropFirst().prefix(3).compactMap { Int(plainDigits: $0) }.filter { $0 <= 255 }
        let isTransparent = arguments.count > 4 && ["1", "true", "True"].contains(arguments[4])
        let color = samples.count == 3 && !isTransparent ? Hexadecimal.text(samples.map { UInt8($0) }) : nil
        return ("rounded:\(NumberText.pixels(radius))", color ?? (isTransparent ? nil : "ffffff"))
    }
}

/// The colours of thumbor: CSS names, and hexadecimal digits without `#`.
private enum ThumborColor {
    /// The value of `background`; nil for an unknown name.
    static func text(_ text: String) -> String? {
        let word = text.lowercased()
        if word == "blur" || word == "transparent" { return word }
        if word == "auto" { return "average" }
        if let digits = ColorName.digits(word) { return digits }
        guard [3, 6].contains(word.utf8.count), word.utf8.allSatisfy({ Hexadecimal.value($0) != nil }) else {
            return nil
        }
        return word
    }
}
