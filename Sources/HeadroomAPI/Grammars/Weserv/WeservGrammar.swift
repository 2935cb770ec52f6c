import UntrustedText
import Encodings
import HTTPTypes
package import Requests

/// The addresses of weserv (wsrv.nl, images.weserv.nl): `/?url=SOURCE&w=…`.
package struct WeservGrammar: URLGrammar {
    /// The grammar, whose addresses are never signed.
    package init() {}

    package func translate(_ address: GrammarAddress) throws(Problem) -> Translation {
        guard address.path == "/" || address.path.isEmpty else {
            throw .invalid(option: address.path, expected: "/?url=SOURCE", .notFound)
        }
        return try WeservOptions(query: address.query).translation()
    }
}

/// The parameters of one weserv address.
struct WeservOptions {
    private var values = AddressOptions(unicode: ["url", "filename"])
    private var ignored: [String] = []

    /// Parameters that are translated.
    private static let translated: Set<String> = [
        "url", "w", "h", "dpr", "fit", "we", "a", "fpx", "fpy", "cx", "cy", "cw", "ch", "trim", "flip", "flop", "ro",
        "bg", "cbg", "blur", "sharp", "con", "filt", "mod", "sat", "output", "q", "il", "n", "mask", "mbg", "filename",
        "default", "t", "crop",
    ]

    /// Parameters that are accepted without an effect, and reported as ignored.
    private static let silent: Set = [
        "maxage", "encoding", "errorredirect", "l", "af", "ll", "page", "precrop", "fsol",
    ]

    /// Parses a query; the first of two equal parameters counts.
    ///
    /// - Throws: A ``Problem`` for a parameter that is not supported, or not percent-encoded.
    init(query: String?) throws(Problem) {
        for pair in try Problem.checked(QueryString.pairs(query)) {
            if Self.translated.contains(pair.name) {
                if values[pair.name] == nil { try values.set(pair.name, pair.value) }
            } else if Self.silent.contains(pair.name) {
                ignored.append(pair.name)
            } else {
                throw .unsupported(option: pair.name)
            }
        }
    }

    /// The translation.
    ///
    /// - Throws: A ``Problem`` with status 501 for an unsupported option, or 400 for an invalid value.
    func translation() throws(Problem) -> Translation {
        guard let url = values["url"], let source = Self.source(url) else {
            throw values.invalid("url", "the address of a picture")
        }
        var result = Translation(source: source, ignored: ignored)
        if let text = values["default"] {
            // weserv redirects to the source itself with 1.
            if text == "1" {
                result.ignore("default")
            } else {
                guard let address = Self.source(text) else {
                    throw values.invalid("default", "the address of a picture")
                }
                result.standIn = address
            }
        }
        try addArea(to: &result)
        try addShape(to: &result)
        try addFilters(to: &result)
        try addOutput(to: &result)
        return result
    }

    /// An address; without a scheme it is http, and `ssl:` is https.
    private static func source(_ text: String) -> String? {
        if text.isEmpty { return nil }
        if SourceText.isEncoded(text) == false { return SourceText.unencodedAddress(text) }
        if text.bytes.hasPrefix("ssl:") { return SourceText.unencodedAddress("https://\(text.bytes.dropFirst(4))") }
        return SourceText.unencodedAddress("http://\(text.bytes.dropping(UInt8(ascii: "/")))")
    }

    // MARK: Values

    private func pixels(_ name: String) throws(Problem) -> Int? {
        try values.value(name, expected: "a whole number of pixels above 0") { text in
            Int(plainDigits: text).flatMap { $0 > 0 ? $0 : nil }
        }
    }

    /// Whether a flag is present, with any value except `0` and `false`.
    private func flag(_ name: String) -> Bool { values[name].map { $0 != "0" && $0 != "false" } ?? false }

    // MARK: Parts

    private func addArea(to result: inout Translation) throws(Problem) {
        if let crop = values["crop"] {
            // The older form: width, height, x and y.
            let numbers = crop.bytes.split(separator: ",", omittingEmptySubsequences: false).map {
                Int(plainDigits: $0)
            }
            guard numbers.count == 4,
                case let (width?, height?, x?, y?) = (numbers[0], numbers[1], numbers[2], numbers[3]),
                width > 0, height > 0
            else { throw values.invalid("crop", "width,height,x,y in pixels") }
            result[.region] = [x, y, width, height].map(NumberText.pixels).joined(separator: ",")
        } else if let width = try pixels("cw"), let height = try pixels("ch") {
            let (x, y) = (try values.number("cx", in: 0...100_000) ?? 0, try values.number("cy", in: 0...100_000) ?? 0)
            let corner = "\(NumberText.pixels(x)),\(NumberText.pixels(y))"
            result[.region] = "\(corner),\(NumberText.pixels(width)),\(NumberText.pixels(height))"
        } else if let name = ["cx", "cy", "cw", "ch"].first(where: { values[$0] != nil }) {
            throw .invalid(option: name, expected: "cx, cy, cw and ch")
        }
        if values["trim"] != nil {
            if result[.region] != nil { throw .unsupported(option: "trim with cw and ch") }
            let tolerance = values["trim"] == "" ? 10 : try values.number("trim", in: 1...254) ?? 10
            result[.trim] = "\(Int(tolerance.rounded()))"
        }
    }

    private static let anchors: KeyValuePairs<String, String> = [
        "center": "center", "top": "top", "right": "right", "bottom": "bottom", "left": "left", "top-left": "top-left",
        "top-right": "top-right", "bottom-left": "bottom-left", "bottom-right": "bottom-right", "attention": "faces",
        "entropy": "attention", "focal": "focal",
    ]

    private func addShape(to result: inout Translation) throws(Problem) {
        let ratio = try values.number("dpr", in: 1...8) ?? 1
        result.set(RequestedSize(width: try side("w", ratio), height: try side("h", ratio)))
        let fits: KeyValuePairs<String, String> = [
            "inside": "inside", "outside": "outside", "cover": "cover", "fill": "fill", "contain": "pad",
        ]
        // The older names, of which some never enlarge.
        let modes: KeyValuePairs<String, (fit: String, enlarges: Bool)> = [
            "fit": ("inside", false), "fitup": ("inside", true), "square": ("cover", true),
            "squaredown": ("cover", false),
            "absolute": ("fill", true), "letterbox": ("pad", true),
        ]
        let mode = try values.word("t", modes)
        let fit = try values.word("fit", fits) ?? mode?.fit ?? "inside"
        result[.fit] = fit
        if !flag("we"), mode?.enlarges != false { result[.enlarge] = "true" }
        if fit == "cover" {
            let place = Self.point(values["a"])
            let anchor = try place == nil ? values.word("a", Self.anchors) ?? "center" : "center"
            let (x, y) = (try values.number("fpx", in: 0...1) ?? 0.5, try values.number("fpy", in: 0...1) ?? 0.5)
            result[.gravity] = place ?? (anchor == "focal" ? NumberText.point(x, y) : anchor)
        }
        if fit == "pad" {
            result[.background] = "transparent"
            var fill = try color("cbg")
            if fill == nil { fill = try color("bg") }
            if let fill { result.setBackground(fill, isPadded: true, option: "cbg") }
        } else if let color = try color("bg") {
            result.setBackground(color, isPadded: false, option: "bg")
        }
    }

    /// The gravity of `focal-X-Y` in shares, and of the older `crop-X-Y` in percent; nil for other text.
    private static func point(_ text: String?) -> String? {
        let parts = text?.bytes.split(separator: "-", omittingEmptySubsequences: false) ?? []
        guard parts.count == 3, parts[0] == "focal" || parts[0] == "crop", let x = Double(plainDecimal: parts[1]),
            let y = Double(plainDecimal: parts[2])
        else { return nil }
        let whole = parts[0] == "crop" ? 100.0 : 1.0
        return x <= whole && y <= whole ? NumberText.point(x / whole, y / whole) : nil
    }

    private func side(_ name: String, _ ratio: Double) throws(Problem) -> RequestedSide? {
        guard let number = try pixels(name) else { return nil }
        guard let side = RequestedSide(number, times: ratio) else {
            throw .invalid(option: name, expected: "at most \(FrameParameters.maxSide) pixels")
        }
        return side
    }

    private func color(_ name: String) throws(Problem) -> CSSColor? {
        // Hexadecimal digits have their alpha first.
        try values.value(name, expected: "hexadecimal digits or a colour of CSS") { text in
            let digits = text.bytes.hasPrefix("#") ? text.dropFirst() : text[...]
            return CSSColor(hexadecimal: digits, alpha: .first) ?? CSSColor(css: text)
        }
    }

    private func addFilters(to result: inout Translation) throws(Problem) {
        var filters = FilterText()
        let words: KeyValuePairs<String, String> = [
            "greyscale": "mono", "grayscale": "mono", "sepia": "sepia", "negate": "invert",
        ]
        if values["filt"] == "duotone" { throw .unsupported(option: "filt=duotone") }
        if let filter = try values.word("filt", words) { filters.add(filter) }
        if let text = values["mod"] {
            let numbers = text.bytes.split(separator: ",", omittingEmptySubsequences: false).map {
                Double(plainDecimal: $0)
            }
            guard (1...3).contains(numbers.count), !numbers.contains(nil) else {
                throw values.invalid("mod", "brightness,saturation, each a number from 0")
            }
            if numbers.count == 3, numbers[2] != 0 { throw .unsupported(option: "mod with a hue") }
            filters.add(.brightness, numbers[0] ?? 1)
            if numbers.count > 1 { filters.add(.saturation, numbers[1] ?? 1) }
        }
        if let factor = try values.number("sat", in: 0...100_000) { filters.add(.saturation, factor) }
        let contrast = try values.value("con", expected: "-100 to 100") { text in
            Int(text).flatMap { (-100...100).contains($0) ? $0 : nil }
        }
        if let contrast { filters.add(.contrast, 1 + Double(contrast) / 100) }
        if values["blur"] != nil {
            // Without a value, weserv applies a fast, mild blur.
            filters.add(.blur, values["blur"] == "" ? 1 : try values.number("blur", in: 0.3...1000) ?? 0)
        }
        if values["sharp"] != nil {
            filters.add(.sharpen, values["sharp"] == "" ? 1 : try values.number("sharp", in: 0...10_000) ?? 0)
        }
        result[.filter] = filters.text
    }

    /// Adds an ellipse, or a circle in a square.
    private func addMask(to result: inout Translation) throws(Problem) {
        guard let mask = values["mask"] else { return }
        let isSquare = result[.width] != nil && result[.width] == result[.height]
        guard mask == "ellipse" || mask == "circle" && isSquare && result[.fit] != "inside" else {
            throw .unsupported(option: "mask=\(mask)")
        }
        if let color = try color("mbg") { result.setBackground(color, isPadded: false, option: "mbg") }
        result.setMask("circle")
    }

    private func addOutput(to result: inout Translation) throws(Problem) {
        let formats: KeyValuePairs<String, String> = [
            "jpg": "jpeg", "jpeg": "jpeg", "png": "png", "gif": "gif", "webp": "webp", "avif": "avif",
            "json": "json",
        ]
        if values["output"] == "tiff" { throw .unsupported(option: "output=tiff") }
        result[.format] = try values.word("output", formats) ?? "source"
        result[.quality] = try values.number("q", in: 1...100).map { "\(Int($0.rounded()))" }
        if flag("il"), result[.format] == "jpeg" { result[.progressive] = "true" }
        // `n=-1` selects all pages of an animation; the default is the first page.
        if values["n"] != "-1" { result[.animation] = "still" }
        let turns: KeyValuePairs<String, Int> = ["0": 0, "90": 1, "180": 2, "270": 3]
        if let text = values["ro"], !turns.contains(where: { $0.key == text }) {
            throw .unsupported(option: "ro=\(text)")
        }
        let quarters = try values.word("ro", turns) ?? 0
        try addMask(to: &result)
        if let name = values["filename"] { result.setDownload(name) }
        result.setTurn(quarters: quarters, mirrorsColumns: flag("flop"), mirrorsRows: flag("flip"))
    }
}
