import Framing
import Geometry
import Glibc
import HeadroomAPI
import Imaging
import Requests
import TotalFunctions
import UntrustedText

/// Translates the options of an imgix URL.
struct ImgixTranslation {
    private let options: AddressOptions
    private(set) var result: Translation

    /// Translates options.
    ///
    /// - Throws: A ``Problem`` with status 501 for an unsupported option, or 400 for an invalid value.
    init(_ options: ImgixOptions, source: String) throws(Problem) {
        self.options = options.values
        result = Translation(source: source, ignored: options.ignored)
        result.expires = try self.options.value("expires", expected: "seconds since 1970") { Int(plainDigits: $0) }
        try addArea()
        try addShape()
        try addOutput()
    }

    /// The elements of a list, such as `auto=format,compress`.
    private func list(_ name: String) -> [String] { options[name]?.bytes.split(separator: ",").map(String.init) ?? [] }

    // MARK: Size and fit

    /// Adds size, fit, gravity and background.
    private mutating func addShape() throws(Problem) {
        let fit = try fit()
        result[.fit] = fit.fit
        result[.enlarge] = fit.enlarges ? "true" : "false"
        let size = try size(fit)
        if options["w"] == nil, options["h"] == nil, size.width != nil || size.height != nil {
            result[.enlarge] = "false"
            // Without a shape, limits reduce the whole image.
            if fit.crops, options["ar"] == nil { result[.fit] = "inside" }
        }
        result.set(size)
        try addAspect(size: size, fit: fit)
        if result[.fit] == "inside", fit.crops { return try addBackground(fit: .max) }
        if fit == .facearea {
            try addFaceArea()
        } else if fit.crops {
            try addGravity()
        }
        try addBackground(fit: fit)
    }

    private func fit() throws(Problem) -> ImgixFit {
        let words = list("fit")
        if words.first == ImgixFit.facearea.rawValue { return .facearea }
        let expected = "one of \(ImgixFit.allCases.map(\.rawValue).joined(separator: ", "))"
        return try options.value("fit", expected: expected, ImgixFit.init) ?? .clip
    }

    private func size(_ fit: ImgixFit) throws(Problem) -> RequestedSize {
        RequestedSize(
            width: try side("w", minimum: "min-w", maximum: "max-w", fit),
            height: try side("h", minimum: "min-h", maximum: "max-h", fit)
        )
    }

    /// Maximum number of device pixels per pixel, as in imgix.
    private static let maxPixelRatio = 5.0

    private func pixelRatio() throws(Problem) -> Double {
        min(try options.number("dpr", in: 0.01...100) ?? 1, Self.maxPixelRatio)
    }

    /// A side of the result times the pixel ratio: in pixels, or for a number up to 1 as a fraction of the source's
    /// side.
    ///
    /// Without the side, a limit is a side of the box that must contain the whole image.
    private func side(
        _ name: String,
        minimum: String,
        maximum: String,
        _ fit: ImgixFit
    ) throws(Problem) -> RequestedSide? {
        let ratio = try pixelRatio()
        let limit = "a whole number of pixels"
        let minSide = try options.value(minimum, expected: limit) { Int(plainDigits: $0) }
        let maxSide = try options.value(maximum, expected: limit) { Int(plainDigits: $0) }
        guard let text = options[name] else {
            let isLimited = ["w", "h"].allSatisfy { options[$0] == nil }
            let isOnly = ["max-w", "max-h"].filter { options[$0] != nil }.count == 1
            let hasShape = options["ar"] != nil && fit.crops
            if minSide == nil, let maxSide, maxSide > 0,
                fit.fit == "inside" || isLimited && fit.crops && (isOnly || !hasShape)
            {
                return RequestedSide(maxSide, times: ratio)
            }
            // These limits require the size of the source, which is unknown before decoding.
            if minSide != nil || maxSide != nil {
                throw .unsupported(option: "\(minSide == nil ? maximum : minimum) without \(name)")
            }
            return nil
        }
        if let share = Double(plainDecimal: text), share > 0, share <= 1 {
            guard minSide == nil, maxSide == nil, share * ratio <= 1 else {
                throw .unsupported(option: "\(name)=\(text), a fraction of the source, with limits or enlarged,")
            }
            return .share(share * ratio)
        }
        let expected = "a whole number of pixels from 2 to \(FrameParameters.maxSide), or a fraction from 0 to 1"
        return try options.value(name, expected: expected) { text in
            guard let side = Int(plainDigits: text) else { return nil }
            return RequestedSide(min(max(side, minSide ?? side), maxSide ?? .max), times: ratio)
        }
    }

    /// Adds the aspect ratio if at most one side is given, as in imgix.
    private mutating func addAspect(size: RequestedSize, fit: ImgixFit) throws(Problem) {
        let aspect = try options.value("ar", expected: "W:H, such as 16:9") { text in
            text.bytes.contains(":") ? AspectRatio(text)?.text : nil
        }
        guard let aspect else { return }
        if fit.hasShape, size.width == nil || size.height == nil {
            result[.aspect] = aspect
        } else {
            result.ignore("ar")
        }
    }

    private mutating func addBackground(fit: ImgixFit) throws(Problem) {
        let background = try color("bg")
        guard fit.pads else {
            if let background { result.setBackground(background, isPadded: false, option: "bg") }
            return
        }
        let fill = options["fill"] ?? "solid"
        if fit == .clamp || fill == "blur" {
            result[.background] = "blur"
            if fit == .clamp { result.ignore("fit=clamp") }
            return
        }
        if fill == "gradient" { result.ignore("fill=gradient") }
        guard fill == "solid" || fill == "gradient" else {
            throw .unsupported(option: "fill=\(fill)", values: ["solid", "blur", "gradient"])
        }
        let color = try color("fill-color") ?? background
        if let color { result.setBackground(color, isPadded: true, option: "fill-color") }
    }

    private func color(_ name: String) throws(Problem) -> CSSColor? {
        let expected = "3 or 6 hexadecimal digits, 4 or 8 with alpha first, or a colour name of CSS"
        return try options.value(name, expected: expected) { text in
            CSSColor(hexadecimal: text, alpha: .first) ?? CSSColor(name: text)
        }
    }

    // MARK: Gravity

    /// Adds the gravity of `crop`, a list in order of preference.
    private mutating func addGravity() throws(Problem) {
        let words = list("crop")
        let known = ["faces", "entropy", "edges", "focalpoint", "center"] + Self.sides
        if let unknown = words.first(where: { !known.contains($0) }) {
            throw .invalid(option: "crop=\(unknown)", expected: "one of \(known.joined(separator: ", "))")
        }
        if words.first == "focalpoint" {
            if let point = try addFocalZoom() {
                result[.gravity] = point
                return
            }
        } else if words.contains(where: { $0 == "focalpoint" }), try options.number("fp-z", in: 1...100) ?? 1 > 1 {
            throw .unsupported(option: "fp-z (focal point zoom) with crop=\(words.joined(separator: ","))")
        }
        guard words.first == "faces" else {
            result[.gravity] = try place(words)
            return
        }
        result[.gravity] = "faces"
        let rest = try place(Array(words.dropFirst()))
        guard Fallback(rest) != nil else { throw .unsupported(option: "crop=\(words.joined(separator: ","))") }
        result[.fallback] = rest
    }

    private static let sides = ["top", "bottom", "left", "right"]

    /// The gravity of a list without faces; the default is the centre.
    private func place(_ words: [String]) throws(Problem) -> String {
        switch words.first {
        case nil, "center": return "center"
        case "entropy", "edges": return "attention"
        case "focalpoint": return try focalPoint()
        case "faces": return try place(Array(words.dropFirst()))
        default:
            let down = words.first { $0 == "top" || $0 == "bottom" }
            let across = words.first { $0 == "left" || $0 == "right" }
            return [down, across].compactMap { $0 }.joined(separator: "-")
        }
    }

    private func focalPoint() throws(Problem) -> String {
        let x = try options.number("fp-x", in: 0...1) ?? 0.5
        let y = try options.number("fp-y", in: 0...1) ?? 0.5
        return NumberText.point(x, y)
    }

    /// Reduces the image to the part around the focal point that `fp-z` enlarges, and returns the position of the point
    /// in this part.
    private mutating func addFocalZoom() throws(Problem) -> String? {
        guard let zoom = try options.number("fp-z", in: 1...100), zoom > 1 else { return nil }
        guard result[.region] == nil, result[.trim] == nil else {
            throw .unsupported(option: "fp-z (focal point zoom) with rect or trim")
        }
        let side = 1 / zoom
        func start(_ middle: Double) -> Double { min(max(0, middle - side / 2), 1 - side) }
        let (x, y) = (try options.number("fp-x", in: 0...1) ?? 0.5, try options.number("fp-y", in: 0...1) ?? 0.5)
        let (left, top) = (start(x), start(y))
        result[.region] = [left, top, side, side].map(NumberText.plain).joined(separator: ",")
        return NumberText.point(min(1, (x - left) / side), min(1, (y - top) / side))
    }

    /// The height of a head, as a multiple of the height of a face's box.
    private static let headHeight = 1.82

    /// Adds the gravity of `fit=facearea`: as close to the faces as `facepad` allows, but no closer than their heads.
    private mutating func addFaceArea() throws(Problem) {
        let index = try options.value("faceindex", expected: "a whole number from 1") { text in
            Int(plainDigits: text).flatMap { $0 > 0 ? $0 : nil }
        }
        result[.gravity] = index.map { "face:\($0)" } ?? "faces"
        switch list("fit").dropFirst().first {
        case nil, "crop": result[.fallback] = "center"
        case "clip", "max": result[.fallback] = "original"
        case let fallback?:
            let values = ["facearea", "facearea,crop", "facearea,clip", "facearea,max"]
            throw .unsupported(option: "fit=facearea,\(fallback)", values: values)
        }
        result.setCloseness((try options.number("facepad", in: 0...100_000) ?? 1) / Self.headHeight)
    }

    // MARK: The part of the source

    /// The default of `trim-md`: the maximum difference from the border's colour.
    private static let trimTolerance = 11

    /// Adds the used rectangle of the source, and whether uniform borders are removed.
    private mutating func addArea() throws(Problem) {
        let form =
            "x,y,w,h: each pixels or a fraction such as 0.25; x and y also left, center, top, middle; w and h full"
        result[.region] = try options.value("rect", expected: form) { text -> String? in
            let parts = text.bytes.split(separator: ",", omittingEmptySubsequences: false)
            return parts.count == 4 ? Self.region(parts.map(String.init)) : nil
        }
        try addTrim()
    }

    /// A value of `region`, such as `top-left:0px:10px,1,1`; nil for invalid parts.
    private static func region(_ parts: [String]) -> String? {
        guard parts.count == 4, let width = length(parts[2]), let height = length(parts[3]), width != "0px",
            height != "0px"
        else { return nil }
        let (column, row) = (parts[0], parts[1])
        func place(_ words: String...) -> String { words.filter { !$0.isEmpty }.joined(separator: "-") }
        let across = ["left": "left", "center": "", "right": "right", "0": "left"][column]
        let down = ["top": "top", "middle": "", "bottom": "bottom", "0": "top"][row]
        if let across, let down {
            let place = place(down, across)
            return "\(place.isEmpty ? "center" : place),\(width),\(height)"
        }
        let isPlace = (across != nil && column != "0") || (down != nil && row != "0")
        let (x, y) = (length(column), length(row))
        guard isPlace else {
            guard let x, let y else { return nil }
            return "\(x),\(y),\(width),\(height)"
        }
        // A word on one axis, and a number on the other.
        if let across, let y { return "\(place("top", across)):0px:\(y),\(width),\(height)" }
        if let down, let x { return "\(place(down, "left")):\(x):0px,\(width),\(height)" }
        return nil
    }

    /// A length in the form of the parameter `region`: a number with a point is a fraction.
    private static func length(_ text: String) -> String? {
        if let share = share(text) { return NumberText.plain(share) }
        return Int(plainDigits: text).map(NumberText.pixels)
    }

    private static func share(_ text: String) -> Double? {
        if text == "full" { return 1 }
        guard text.bytes.contains("."), let share = Double(plainDecimal: text), share <= 1 else { return nil }
        return share
    }

    private mutating func addTrim() throws(Problem) {
        guard let trim = options["trim"], trim != "0", trim != "false" else { return }
        guard trim == "auto" || trim == "color" else {
            throw .unsupported(option: "trim=\(trim)", values: ["auto", "color"])
        }
        // The border's colour is the colour of its corner.
        if trim == "color", options["trim-color"] != nil { result.ignore("trim-color") }
        if options["trim-tol"] != nil { result.ignore("trim-tol") }
        let tolerance = try options.number("trim-md", in: 0...255).map { Int(clamping: $0.rounded()) }
        result[.trim] = "\(tolerance ?? Self.trimTolerance)"
    }

    // MARK: Format, quality and turn

    private static let formats = [
        "jpg": "jpeg", "jpeg": "jpeg", "pjpg": "jpeg", "png": "png", "png8": "png", "png32": "png", "webp": "webp",
        "avif": "avif", "gif": "gif", "json": "json", "auto": "auto", "mp4": "mp4", "webm": "webm",
    ]

    /// The value of imgix' `blur` for a standard deviation of one pixel.
    private static let blurUnits = 20.0
    /// The value of imgix' `sharp` and `usm` for an amount of 1.
    private static let sharpeningUnits = 20.0

    /// Adds filters: imgix' definitions are not public, and the filters here have a similar strength.
    private mutating func addFilters() throws(Problem) {
        var filters = FilterText()
        if try options.number("sepia", in: 0...100) ?? 0 > 0 { filters.add("sepia") }
        for (name, kind) in [("bri", ImageFilter.Name.brightness), ("con", .contrast), ("sat", .saturation)] {
            if let amount = try options.signedNumber(name, in: -100...100) { filters.add(kind, 1 + amount / 100) }
        }
        // Stops of light; one stop is a factor of two for encoded samples.
        if let amount = try options.signedNumber("exp", in: -100...100) { filters.add(.brightness, exp2(amount / 100)) }
        if let amount = try options.signedNumber("vib", in: -100...100) { filters.add(.saturation, 1 + amount / 200) }
        if let degrees = try options.signedNumber("hue", in: -100_000...100_000) { filters.addHue(degrees) }
        if let amount = try options.signedNumber("gam", in: -100...100) { filters.add(.gamma, exp2(amount / 100)) }
        for name in ["sharp", "usm"] {
            let amount = try options.signedNumber(name, in: -100...100) ?? 0
            let radius = name == "usm" ? try options.number("usmrad", in: 0...500) : nil
            if amount > 0 {
                let radius = radius ?? ImageFilter.standardRadius
                filters.addSharpening(amount / Self.sharpeningUnits, radius: radius)
            }
            if amount < 0 { filters.add(.blur, -amount / Self.blurUnits) }
        }
        if options["invert"] == "true" || options["invert"] == "1" { filters.add("invert") }
        if let amount = try options.number("blur", in: 0...2000) { filters.add(.blur, amount / Self.blurUnits) }
        result[.filter] = filters.text
    }

    private mutating func addOutput() throws(Problem) {
        try addTurn()
        try addFilters()
        let automatic = list("auto")
        for word in automatic where word == "enhance" || word == "redeye" { result.ignore("auto=\(word)") }
        if let word = options["fm"] {
            guard let format = Self.formats[word] else {
                throw .unsupported(option: "fm=\(word) (output format)", values: Self.formats.keys.sorted())
            }
            result[.format] = format
            if word == "pjpg" { result[.progressive] = "true" }
        } else {
            result[.format] = automatic.contains { $0.bytes == "format" } ? "auto" : "source"
        }
        try addMask()
        try addPages()
        if options["iptc"] == "allow" { result[.metadata] = "copyright" }
        if let name = options["dl"] { result.setDownload(name) }
        let quality = try options.number("q", in: 0...100)
        result[.quality] = quality.map { "\(max(1, Int(clamping: $0.rounded())))" }
        switch options["chromasub"] {
        case nil: break
        case let chroma? where chroma == "444" || chroma == "420": result[.chroma] = chroma
        default: result.ignore("chromasub")
        }
    }

    /// Adds `mask=ellipse`, and `mask=corners` with equal radii.
    private mutating func addMask() throws(Problem) {
        switch options["mask"] {
        case nil: break
        case "ellipse": result.setMask("circle")
        case "corners":
            let radius = try options.value("corner-radius", expected: "a radius in pixels, or one for each corner") {
                text in
                let radii = text.bytes.split(separator: ",").compactMap { Double(plainDecimal: $0) }
                return radii.isEmpty ? nil : radii
            }
            let radii = Set(radius ?? [0])
            guard radii.count == 1, let radius = radii.first else {
                throw .unsupported(option: "corner-radius (different radii)")
            }
            let ratio = try pixelRatio()
            if radius > 0 { result.setMask("rounded:\(NumberText.pixels(radius * ratio))") }
        case let mask?: throw .unsupported(option: "mask=\(mask)", values: ["ellipse", "corners"])
        }
    }

    /// Checks pages and frames: only the first exists.
    private mutating func addPages() throws(Problem) {
        if let page = options["page"], page != "1" { throw .unsupported(option: "page=\(page)") }
        if let frame = options["frame"] {
            guard frame == "1" else { throw .unsupported(option: "frame=\(frame)") }
            result[.animation] = "still"
        }
        if let orientation = options["or"], orientation != "0" {
            throw .unsupported(option: "or=\(orientation) (orientation)")
        }
        if options["upscale"] == "true" { throw .unsupported(option: "upscale (super resolution)") }
    }

    private mutating func addTurn() throws(Problem) {
        if let text = options["rot"] {
            let degrees = try options.signedNumber("rot", in: -3600...3600).flatMap { Int(exactly: $0) }
            guard let degrees, degrees % 90 == 0 else { throw .unsupported(option: "rot=\(text) (rotation)") }
            // Counter-clockwise, unlike `rotate`.
            let turn = (360 - degrees % 360) % 360
            if turn > 0 { result[.rotate] = "\(turn)" }
        }
        let flips = ["h": "horizontal", "v": "vertical", "hv": "both"]
        result[.flip] = try options.value("flip", expected: "h, v or hv") { flips[$0] }
    }
}

/// The values of imgix' `fit`.
private enum ImgixFit: String, CaseIterable {
    case clip, max, crop, min, fill, fillmax, scale, clamp, facearea

    var fit: String {
        switch self {
        case .clip, .max: "inside"
        case .crop, .min, .facearea: "cover"
        case .fill, .fillmax, .clamp: "pad"
        case .scale: "fill"
        }
    }

    /// Whether a small image is enlarged.
    var enlarges: Bool {
        switch self {
        case .max, .min, .fillmax: false
        case .clip, .crop, .fill, .scale, .clamp, .facearea: true
        }
    }

    /// Whether the image may be cropped.
    var crops: Bool { fit == "cover" }

    var pads: Bool { fit == "pad" }

    /// Whether `ar` has an effect.
    var hasShape: Bool { crops || pads }
}
