import Encodings
package import HeadroomAPI
import HTTPTypes
import Imaging
import Requests
import TotalFunctions
import UntrustedText

/// The URLs of weserv (wsrv.nl, images.weserv.nl): `/?url=SOURCE&w=…`.
package struct WeservURLFormat: ConfigurableURLFormat {
    package static let name = URLFormatName.weserv
    package static let title = "weserv"

    /// The URL format, whose URLs are never signed.
    package init() {}

    package var signing: Signing { .none }

    package static var optionNames: [String] { WeservOptions.names }

    package func translate(_ address: ForeignURL) throws(Problem) -> Translation {
        guard address.path == "/" || address.path.isEmpty else {
            throw .invalid(option: address.path, expected: "/?url=SOURCE", .notFound)
        }
        return try WeservOptions(query: address.query).translation()
    }
}

/// The parameters of one weserv URL.
struct WeservOptions {
    /// The names of all parameters.
    static var names: [String] { translated.sorted() + aliases.keys.sorted() + unsupported.keys.sorted() }

    private var values = AddressOptions(unicode: ["url", "filename"])
    private var ignored: [String] = []

    /// Parameters that are translated.
    private static let translated: Set<String> = [
        "url", "w", "h", "dpr", "fit", "we", "a", "fpx", "fpy", "cx", "cy", "cw", "ch", "trim", "flip", "flop", "ro",
        "bg", "cbg", "blur", "sharp", "con", "filt", "mod", "sat", "hue", "gam", "bri", "output", "q", "il", "n",
        "mask",
        "mtrim", "mbg", "filename", "default", "t", "crop", "precrop", "page", "encoding",
        "maxage",
    ]

    /// The names of older versions.
    private static let aliases = [
        "shape": "mask", "strim": "mtrim", "or": "ro", "circle": "mask", "errorredirect": "default",
    ]

    /// Unsupported parameters, with their long names.
    private static let unsupported = ["tint": "tint"]

    /// Parses a query; if a parameter is repeated, the first one applies.
    ///
    /// weserv ignores unknown parameters, because they often belong to an unencoded URL.
    ///
    /// - Throws: A ``Problem`` for a parameter that is not supported, or not percent-encoded.
    init(query: String?) throws(Problem) {
        for pair in try Problem.checked(QueryString.pairs(query)) {
            let name = pair.name.bytes.isWord(atMost: 16) ? Self.aliases[pair.name] ?? pair.name : pair.name
            if Self.translated.contains(name) {
                let value = pair.name == "circle" ? "circle" : pair.value
                if values[name] == nil { try values.set(name, value) }
            } else if Self.unsupported[name] != nil {
                throw .unsupported(option: name)
            } else {
                ignored.append(pair.name)
            }
        }
    }

    /// The translation.
    ///
    /// - Throws: A ``Problem`` with status 501 for an unsupported option, or 400 for an invalid value.
    func translation() throws(Problem) -> Translation {
        let url = values["url"] ?? ""
        guard !url.isEmpty else { throw .missing("url", expected: "the URL of an image") }
        guard let source = Self.source(url) else { throw values.invalid("url", "the URL of an image") }
        var result = Translation(source: source, ignored: ignored)
        if let text = values["maxage"] {
            result.maxAge = WeservTime.seconds(text)
            if result.maxAge == nil { result.ignore("maxage") }
        }
        if let text = values["default"] {
            // weserv redirects to the source itself with 1.
            if text == "1" {
                result.ignore("default")
            } else {
                guard let address = Self.source(text) else {
                    throw values.invalid("default", "the URL of an image")
                }
                result.fallbackImage = address
            }
        }
        try addArea(to: &result)
        try addShape(to: &result)
        try addFilters(to: &result)
        try addOutput(to: &result)
        return result
    }

    /// A URL; without a scheme, it is http; with `ssl:` or `//`, it is https.
    private static func source(_ text: String) -> String? {
        if text.isEmpty { return nil }
        if SourceText.isEncoded(text) == false { return SourceText.unencodedAddress(text) }
        if text.bytes.hasPrefix("ssl:") { return SourceText.unencodedAddress("https://\(text.bytes.dropFirst(4))") }
        if text.bytes.hasPrefix("//") { return SourceText.unencodedAddress("https:\(text)") }
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

    /// The rectangle that is cut out, in pixels; nil for none.
    ///
    /// Missing sides extend to the edge of the image.
    private func rectangle() throws(Problem) -> (x: Double, y: Double, width: Int?, height: Int?)? {
        if let crop = values["crop"] {
            // The older form: width, height, x and y.
            let numbers = crop.bytes.split(separator: ",", omittingEmptySubsequences: false).map {
                Int(plainDigits: $0)
            }
            guard numbers.count == 4,
                case let (width?, height?, x?, y?) = (numbers[0], numbers[1], numbers[2], numbers[3]),
                width > 0, height > 0
            else { throw values.invalid("crop", "width,height,x,y in pixels") }
            return (Double(x), Double(y), width, height)
        }
        guard ["cx", "cy", "cw", "ch"].contains(where: { values[$0] != nil }) else { return nil }
        let (x, y) = (try values.number("cx", in: 0...100_000) ?? 0, try values.number("cy", in: 0...100_000) ?? 0)
        return (x, y, try pixels("cw"), try pixels("ch"))
    }

    private func addArea(to result: inout Translation) throws(Problem) {
        if let part = try rectangle() {
            // Without `precrop`, the part belongs to the resized image.
            guard flag("precrop") || values["w"] == nil && values["h"] == nil else {
                let option = values["crop"] == nil ? "cx, cy, cw and ch (rectangle crop)" : "crop (rectangle crop)"
                throw .unsupported(option: "\(option) after a resize", "Use precrop, which cuts first.")
            }
            let corner = [NumberText.pixels(part.x), NumberText.pixels(part.y)]
            let sides = [part.width, part.height].map { $0.map { NumberText.pixels($0) } ?? "1" }
            result[.region] = (corner + sides).joined(separator: ",")
        } else if flag("precrop") {
            result.ignore("precrop")
        }
        if values["trim"] != nil {
            if result[.region] != nil { throw .unsupported(option: "trim with cw and ch") }
            let tolerance = values["trim"] == "" ? 10 : try values.number("trim", in: 1...254) ?? 10
            result[.trim] = "\(Int(clamping: tolerance.rounded()))"
        }
    }

    private static let anchors: KeyValuePairs<String, String> = [
        "center": "center", "top": "top", "right": "right", "bottom": "bottom", "left": "left", "top-left": "top-left",
        "top-right": "top-right", "bottom-left": "bottom-left", "bottom-right": "bottom-right", "attention": "faces",
        "entropy": "attention", "focal": "focal", "t": "top", "r": "right", "b": "bottom", "l": "left",
    ]

    private func addShape(to result: inout Translation) throws(Problem) {
        let ratio = try values.number("dpr", in: 1...8) ?? 1
        result.set(RequestedSize(width: try side("w", ratio), height: try side("h", ratio)))
        let fits: KeyValuePairs<String, String> = [
            "inside": "inside", "outside": "outside", "cover": "cover", "fill": "fill", "contain": "pad",
        ]
        // Older names of modes. Some of these modes never enlarge an image.
        let modes: KeyValuePairs<String, (fit: String, enlarges: Bool)> = [
            "fit": ("inside", false), "fitup": ("inside", true), "square": ("cover", true),
            "squaredown": ("cover", false),
            "absolute": ("fill", true), "letterbox": ("pad", true),
        ]
        let mode = modes.first { $0.key == values["t"] }?.value
        // Other values are time stamps against caches.
        if mode == nil, values["t"] != nil { result.ignore("t") }
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
            if let anchor = try values.word("a", Self.anchors), Self.compass.contains(anchor) {
                result[.gravity] = anchor
            }
            result[.background] = "transparent"
            var fill = try color("cbg")
            if fill == nil { fill = try color("bg") }
            if let fill { result.setBackground(fill, isPadded: true, option: "cbg") }
        } else if let color = try color("bg") {
            result.setBackground(color, isPadded: false, option: "bg")
        }
    }

    /// The positions of an image with `fit=contain`.
    private static let compass: Set = [
        "top", "right", "bottom", "left", "top-left", "top-right", "bottom-left", "bottom-right",
    ]

    /// The gravity of `focal-X-Y` in fractions, and of the older `crop-X-Y` in percent; nil for other text.
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
        // Hexadecimal digits start with their alpha.
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
                NumberText.read($0)
            }
            guard (1...3).contains(numbers.count), !numbers.contains(nil),
                !numbers.prefix(2).contains(where: { $0 ?? 0 < 0 })
            else { throw values.invalid("mod", "brightness,saturation,hue: two numbers from 0, and degrees") }
            let (brightness, saturation, hue) = (numbers[at: 0] ?? nil, numbers[at: 1] ?? nil, numbers[at: 2] ?? nil)
            filters.add(.brightness, brightness ?? 1)
            filters.add(.saturation, saturation ?? 1)
            filters.addHue(hue ?? 0)
        }
        if let amount = try values.signedNumber("bri", in: -100...100) { filters.add(.brightness, 1 + amount / 100) }
        if let factor = try values.number("sat", in: 0...100_000) { filters.add(.saturation, factor) }
        if let degrees = try values.signedNumber("hue", in: -100_000...100_000) { filters.addHue(degrees) }
        if let gamma = values["gam"].map({ Double(plainDecimal: $0) ?? 2.2 }), gamma != 0 {
            // Other values mean 2.2.
            filters.add(.gamma, (1...3).contains(gamma) ? gamma : 2.2)
        }
        if let contrast = try values.signedNumber("con", in: -100...100) { filters.add(.contrast, 1 + contrast / 100) }
        if values["blur"] != nil {
            // Without a value, weserv applies a fast, mild blur.
            filters.add(.blur, values["blur"] == "" ? 1 : try values.number("blur", in: 0...1000) ?? 0)
        }
        if let text = values["sharp"] {
            // Older URLs contain the levels of flat and jagged areas before the deviation.
            let levels = text.bytes.split(separator: ",").map { Double(plainDecimal: $0) }
            guard !levels.contains(nil), levels.count <= 3 else { throw values.invalid("sharp", "a number from 0") }
            if levels.count > 1 { result.ignore("sharp: flat, jagged") }
            filters.add(.sharpen, (levels.last ?? 1) ?? 1)
        }
        result[.filter] = filters.text
    }

    /// Adds an ellipse, or a circle in a square.
    private func addMask(to result: inout Translation) throws(Problem) {
        guard let mask = values["mask"] else { return }
        let isSquare = result[.width] != nil && result[.width] == result[.height]
        let isExact = ["cover", "fill", "pad"].contains(result[.fit])
        guard mask == "ellipse" || mask == "circle" && isSquare && isExact else {
            let reason = mask == "circle" ? " (circle) of an image that may not be square" : ""
            throw .unsupported(option: "mask=\(mask)\(reason)")
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
        result[.quality] = try values.number("q", in: 1...100).map { "\(Int(clamping: $0.rounded()))" }
        if flag("il"), result[.format] == "jpeg" { result[.progressive] = "true" }
        // `n=-1` selects all pages of an animation; the default is the first page.
        switch values["n"] {
        case "-1": break
        case nil, "", "1": result[.animation] = "still"
        case let count?: throw .unsupported(option: "n=\(count) (number of pages)")
        }
        if let page = values["page"], page != "0" { throw .unsupported(option: "page=\(page)") }
        if let encoding = values["encoding"] { throw .unsupported(option: "encoding=\(encoding)") }
        // Without an angle, EXIF determines it.
        let degrees = try values.value("ro", expected: "a whole number of degrees") { text in
            text.isEmpty || text == "auto" ? 0 : NumberText.read(text).flatMap { Int(exactly: $0) }
        }
        let turn = ((degrees ?? 0) % 360 + 360) % 360
        guard turn % 90 == 0 else { throw .unsupported(option: "ro=\(turn) (rotation)") }
        let quarters = turn / 90
        try addMask(to: &result)
        if let name = values["filename"] { result.setDownload(name) }
        result.setTurn(quarters: quarters, mirrorsColumns: flag("flop"), mirrorsRows: flag("flip"))
    }
}

extension URLFormatName {
    /// weserv.
    package static let weserv = URLFormatName("weserv")
}
