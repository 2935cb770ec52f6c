import Encodings
import Framing

/// Translates the parts of a thumbor address.
struct ThumborTranslation {
    private let path: ThumborPath
    private let filters: ThumborFilters
    private(set) var result: Translation

    /// Translates an address without its signature.
    ///
    /// - Throws: A ``Problem`` with status 501 for what this service does not have, and 400 for what thumbor refuses.
    init(_ path: ThumborPath) throws(Problem) {
        self.path = path
        filters = try ThumborFilters(path.filters)
        result = Translation(source: try Self.source(path.source), ignored: filters.ignored)
        result.expires = filters.expires
        result[.format] = "source"
        for (name, value) in filters.values { result[name] = value }
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
            // The border has the same colour at all corners, where there is one.
            if trim.first == "bottom-right" { result.ignored.append("bottom-right") }
            // thumbor compares the distance of colours in three channels, which here each have the tolerance.
            let distance = trim.dropFirst().first.flatMap { Int(plainDigits: $0) } ?? 0
            result[.trim] = "\(Int(Double(min(distance, 441)) / 3.0.squareRoot()))"
        }
        guard let crop = path.crop else { return }
        let numbers = crop.compactMap { Double(plainDecimal: $0) }
        guard numbers.count == 4, numbers[0] < numbers[2], numbers[1] < numbers[3] else { return }
        // imagor has shares as well.
        let isShare = numbers.allSatisfy { $0 <= 1 } && crop.contains { $0.contains(".") }
        let lengths = [numbers[0], numbers[1], numbers[2] - numbers[0], numbers[3] - numbers[1]]
        result[.region] =
            lengths.map { isShare ? NumberText.plain($0) : "\(Int(min($0.rounded(), 100_000)))px" }
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

    /// Faces if `smart`, and without faces the alignment.
    private mutating func addGravity() {
        guard [nil, "limit"].contains(result[.fit]), result[.width] != nil || result[.height] != nil else { return }
        let names = [
            ["top-left", "top", "top-right"], ["left", "center", "right"], ["bottom-left", "bottom", "bottom-right"],
        ]
        let row = ["top": 0, "bottom": 2][path.valign ?? ""] ?? 1
        let anchor = names[row][["left": 0, "right": 2][path.halign ?? ""] ?? 1]
        let focal = filters.focal.prefix(FocalArea.maxCount)
        if !focal.isEmpty { result[.focus] = focal.joined(separator: ";") }
        if path.isSmart {
            result[.gravity] = "faces"
            result[.fallback] = anchor
        } else if focal.isEmpty {
            result[.gravity] = anchor
        }
    }

    /// thumbor mirrors before it turns; here the turn is first, and sizes are those after it.
    private mutating func addTurn() {
        var (columns, rows) = (path.mirrorsColumns, path.mirrorsRows)
        if filters.quarters % 2 == 1 {
            swap(&columns, &rows)
            let (width, height) = (result[.width], result[.height])
            result[.width] = height
            result[.height] = width
        }
        if filters.quarters > 0 { result[.rotate] = "\(filters.quarters * 90)" }
        if columns || rows { result[.flip] = columns && rows ? "both" : columns ? "horizontal" : "vertical" }
    }
}
