import Framing
import HTTPTypes
import Requests

/// The options of an imgproxy address; the last one of a name counts.
struct ImgproxyOptions {
    /// The way in which the picture is fitted to the requested size.
    enum ResizingType: String {
        case fit, fill, force, auto
        case fillDown = "fill-down"
    }

    /// A point or an edge to keep.
    enum Anchor: Equatable {
        /// A gravity of this service, and the distances from its edges: pixels from 1 on, shares of the side below 1.
        case word(String, across: Double = 0, down: Double = 0)
        /// A focal point, in shares of the sides.
        case point(Double, Double)
        /// Faces, else attention.
        case faces
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
    /// The standard deviation of the blur in pixels.
    var blur = 0.0
    /// The offset that is added to all samples, as a share of their range.
    var brightness = 0.0
    var contrast = 1.0
    var saturation = 1.0
    /// The value of `place`; nil for the middle.
    var place: String?
    /// The size of the crop around objects, as a multiple of their boxes; nil for the widest crop.
    var objectScale: Double?
    /// The shape of the crop before it is scaled, width by height.
    var cropShape: Double?
    /// Parameters that options set as they are.
    var values: [Parameter: String] = [:]
    /// Options without an effect.
    var ignored: [String] = []
    /// The name of the file.
    var fileName: String?
    /// Whether browsers save the result.
    var isAttachment = false

    private let presets: [String: [ImgproxyPath.Option]]
    private var used: Set<String> = []

    /// No options.
    init(presets: [String: [ImgproxyPath.Option]] = [:]) { self.presets = presets }

    /// Applies the preset `default`, if there is one, as for every address.
    mutating func applyDefault() throws(Problem) {
        if presets["default"] != nil { try applyPreset("default") }
    }

    /// Applies a preset; each preset is applied once only, so presets that contain each other end.
    mutating func applyPreset(_ name: String) throws(Problem) {
        guard let options = presets[name] else {
            throw .invalid(option: "preset \(name)", expected: "a preset of --imgproxy-presets", .notFound)
        }
        guard used.insert(name).inserted else { return }
        for option in options { try apply(option) }
    }

    /// Applies one option.
    ///
    /// - Throws: A ``Problem`` with status 404 for an unknown or invalid option, 501 for one that this service does not
    ///   have, or 403 for one that imgproxy reserves.
    mutating func apply(_ option: ImgproxyPath.Option) throws(Problem) {
        let name = String(option.name)
        let arguments = ImgproxyArguments(option.arguments, of: name)
        if let read = ImgproxyTable.readers[ImgproxyTable.longNames[name] ?? name] {
            return try read(&self, arguments)
        }
        if ImgproxyTable.secured.contains(name) {
            throw Problem(.forbidden, .forbidden, "The option \(name) is not allowed.")
        }
        if ImgproxyTable.unsupported.contains(name) { throw .unsupported(option: name) }
        throw .invalid(option: name, expected: "an option of imgproxy", .notFound)
    }

    /// Sets the format of the result.
    mutating func setFormat(_ word: Substring) throws(Problem) {
        let formats = [
            "jpg": "jpeg", "jpeg": "jpeg", "png": "png", "webp": "webp", "gif": "gif", "avif": "avif",
            "best": "auto",
        ]
        if let format = formats[String(word)] {
            values[.format] = format
        } else if ["jxl", "heic", "tiff", "bmp", "ico", "svg", "mp4", "pdf"].contains(word) {
            throw .unsupported(option: "format \(word)")
        } else {
            throw .invalid(option: "format \(word)", expected: "jpg, png, webp, avif, gif or best", .notFound)
        }
    }
}

/// Translates the options of an imgproxy address.
struct ImgproxyTranslation {
    private let options: ImgproxyOptions
    private(set) var result: Translation

    /// Translates options.
    ///
    /// - Throws: A ``Problem`` with status 501 for a combination that this service does not have.
    init(_ options: ImgproxyOptions, source: String) throws(Problem) {
        self.options = options
        result = Translation(source: source, ignored: options.ignored)
        result.expires = options.expires
        result[.format] = "source"
        for name in Parameter.all where options.values[name] != nil { result[name] = options.values[name] }
        addFilters()
        try addCrop()
        try addSize()
        addGravity()
        try addObjects()
        if options.isAttachment {
            result.setDownload(options.fileName)
        } else if options.fileName != nil {
            result.ignore("filename")
        }
        result.setTurn(
            quarters: options.quarters,
            mirrorsColumns: options.mirrorsColumns,
            mirrorsRows: options.mirrorsRows
        )
    }

    /// Adds the filters, in imgproxy's order.
    private mutating func addFilters() {
        var filters = FilterText()
        filters.addOffset(options.brightness)
        filters.add(.contrast, options.contrast)
        filters.add(.saturation, options.saturation)
        filters.add(.blur, options.blur)
        result[.filter] = filters.text
    }

    /// Adds the parameters of the crop around detected objects.
    private mutating func addObjects() throws(Problem) {
        if let shape = options.cropShape {
            guard options.width == 0 || options.height == 0, result[.region] == nil,
                options.type == .fill || options.width == 0 && options.height == 0
            else { throw .unsupported(option: "crop_aspect_ratio with a size or a crop") }
            result[.fit] = nil
            result[.aspect] = NumberText.plain(shape)
            switch options.gravity {
            case .word(let word, _, _): result[.gravity] = word
            case .point(let x, let y): result[.gravity] = NumberText.point(x, y)
            case .faces: result[.gravity] = "faces"
            }
        }
        if let scale = options.objectScale {
            guard result[.fit] != "inside", result[.fit] != "fill", result[.fit] != "pad" else {
                throw .unsupported(option: "crop_objects without a shape")
            }
            result[.gravity] = "faces"
            result[.zoom] = "1"
            result[.padding] = NumberText.plain(min((scale - 1) / 2, 10))
        }
        if let place = options.place, result[.gravity] == "faces" { result[.place] = place }
    }

    /// Adds the rectangle that is cut out first: 0 is the whole side, less than 1 a share of it, else pixels.
    private mutating func addCrop() throws(Problem) {
        guard let crop = options.crop, crop.width > 0 || crop.height > 0 else { return }
        if result[.trim] != nil { throw .unsupported(option: "crop with trim") }
        func length(_ number: Double) -> String {
            number == 0
                ? "1"
                : number < 1 ? NumberText.plain(number) : NumberText.pixels(number)
        }
        let place: String
        switch crop.gravity ?? options.gravity {
        case .word(let word, let across, let down):
            place = ([word] + Self.distances(word, across, down, half: 0.5)).joined(separator: ":")
        case .point(let x, let y): place = "point:\(NumberText.plain(x)):\(NumberText.plain(y))"
        case .faces: throw .unsupported(option: "crop with the gravity sm")
        }
        result[.region] = "\(place),\(length(crop.width)),\(length(crop.height))"
    }

    /// The distances of a crop from its place, as texts.
    ///
    /// imgproxy centres a crop at half of the rest plus one pixel, rounded to even, so the middle is half a pixel
    /// further.
    private static func distances(_ word: String, _ across: Double, _ down: Double, half: Double) -> [String] {
        func text(_ distance: Double, isMiddle: Bool) -> String {
            if distance != 0, abs(distance) < 1 { return NumberText.signed(distance) }
            return "\(NumberText.signed(distance + (isMiddle ? half : 0)))px"
        }
        return [
            text(across, isMiddle: ["center", "top", "bottom"].contains(word)),
            text(down, isMiddle: ["center", "left", "right"].contains(word)),
        ]
    }

    private mutating func addSize() throws(Problem) {
        let (width, height) = (options.width, options.height)
        guard width > 0 || height > 0 else {
            // Without a size, a pixel ratio below 1 reduces the picture.
            if let ratio = result[.dpr].flatMap({ Double(plainDecimal: $0) }), ratio < 1 {
                result[.width] = NumberText.percent(ratio)
                result[.fit] = "inside"
            }
            result[.dpr] = nil
            return
        }
        if width > 0 { result[.width] = "\(width)" }
        if height > 0 { result[.height] = "\(height)" }
        let hasBoth = width > 0 && height > 0
        if options.enlarges { result[.enlarge] = "true" }
        let extends = options.extends && hasBoth
        let ratio = result[.dpr].flatMap { Double(plainDecimal: $0) } ?? 1
        switch options.type {
        case .fit:
            result[.fit] = extends ? "pad" : "inside"
        case .fill, .auto:
            if options.type == .auto, hasBoth { result[.box] = "inside" }
            if extends, !options.enlarges { throw .unsupported(option: "extend with the type fill") }
            // With a pixel ratio above 1, the ratio is reduced instead of the box.
            if !options.enlarges, hasBoth, ratio <= 1 { result[.fit] = "limit" }
        case .fillDown:
            if extends { throw .unsupported(option: "extend with the type fill-down") }
        case .force:
            if extends { throw .unsupported(option: "extend with the type force") }
            if hasBoth { result[.fit] = "fill" }
        }
    }

    private mutating func addGravity() {
        switch result[.fit] {
        case "inside", "fill": return
        case "pad":
            if case .word(let word, _, _) = options.extendAnchor { result[.gravity] = word }
            if result[.background] == nil { result[.background] = "transparent" }
        default:
            guard options.width > 0, options.height > 0 else { return }
            switch options.gravity {
            case .word(let word, let across, let down):
                result[.gravity] = word
                let ratio = result[.dpr].flatMap { Double(plainDecimal: $0) } ?? 1
                result[.offset] = Self.distances(word, across, down, half: 0.5 / ratio).joined(separator: ",")
            case .point(let x, let y): result[.gravity] = NumberText.point(x, y)
            case .faces: result[.gravity] = "faces"
            }
        }
    }
}
