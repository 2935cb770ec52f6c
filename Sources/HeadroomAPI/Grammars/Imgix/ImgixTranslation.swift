import Framing
import Geometry

/// Size and fit of imgix' addresses.
extension ImgixOptions {
    /// Adds size, fit, gravity and background.
    func addShape(to translation: inout Translation) throws(Problem) {
        let fit = try fit()
        translation[.fit] = fit.fit
        translation[.enlarge] = fit.enlarges ? "true" : "false"
        let size = try size()
        translation.set(size)
        try addAspect(to: &translation, size: size, fit: fit)
        if fit == .facearea {
            try addFaceArea(to: &translation)
        } else if fit.crops {
            try addGravity(to: &translation)
        }
        try addBackground(to: &translation, fit: fit)
    }

    private func fit() throws(Problem) -> ImgixFit {
        let words = list("fit")
        if words.first == ImgixFit.facearea.rawValue { return .facearea }
        let expected = "one of \(ImgixFit.allCases.map(\.rawValue).joined(separator: ", "))"
        return try value("fit", expected: expected, ImgixFit.init) ?? .clip
    }

    private func size() throws(Problem) -> RequestedSize {
        let ratio = try number("dpr", in: 0.01...100).map { min($0, Self.mostPixelRatio) } ?? 1
        return RequestedSize(
            width: try side("w", least: "min-w", most: "max-w", ratio),
            height: try side("h", least: "min-h", most: "max-h", ratio)
        )
    }

    /// Device pixels per pixel; imgix caps them.
    private static let mostPixelRatio = 5.0

    /// A side in pixels; 1 is the whole side of the source, which is no limit.
    private func side(_ name: String, least: String, most: String, _ ratio: Double) throws(Problem) -> Int? {
        let limit = "a whole number of pixels"
        let leastSide = try value(least, expected: limit) { Int(plainDigits: $0) }
        let mostSide = try value(most, expected: limit) { Int(plainDigits: $0) }
        guard let text = self[name] else {
            // The limits would apply to a size that is known only after decoding.
            if leastSide != nil || mostSide != nil {
                throw .unsupported(option: "\(leastSide == nil ? most : least) without \(name)")
            }
            return nil
        }
        if let share = Double(plainDecimal: text), share <= 1 {
            throw .unsupported(option: "\(name)=\(text), a share of the source,")
        }
        let expected = "a whole number of pixels from 2 to \(FrameParameters.maxSide), or a share from 0 to 1"
        return try value(name, expected: expected) { text in
            guard let side = Int(plainDigits: text) else { return nil }
            return NumberText.side(min(max(side, leastSide ?? side), mostSide ?? .max), times: ratio)
        }
    }

    /// Adds the aspect ratio if one side at most is given, as imgix demands.
    private func addAspect(to translation: inout Translation, size: RequestedSize, fit: ImgixFit) throws(Problem) {
        let aspect = try value("ar", expected: "W:H, such as 16:9") { text in
            text.contains(":") ? AspectRatio(text)?.text : nil
        }
        guard let aspect else { return }
        if fit.hasShape, size.width == nil || size.height == nil {
            translation[.aspect] = aspect
        } else {
            translation.ignore("ar")
        }
    }

    private func addBackground(to translation: inout Translation, fit: ImgixFit) throws(Problem) {
        let background = try color("bg")
        guard fit.pads else {
            if let background { translation.setBackground(background, isPadded: false, option: "bg") }
            return
        }
        let fill = self["fill"] ?? "solid"
        if fit == .clamp || fill == "blur" {
            translation[.background] = "blur"
            if fit == .clamp { translation.ignore("fit=clamp") }
            return
        }
        if fill == "gradient" { translation.ignore("fill=gradient") }
        guard fill == "solid" || fill == "gradient" else {
            throw .unsupported(option: "fill=\(fill)")
        }
        let color = try color("fill-color") ?? background
        if let color { translation.setBackground(color, isPadded: true, option: "fill-color") }
    }

    private func color(_ name: String) throws(Problem) -> CSSColor? {
        try value(name, expected: "3 or 6 hexadecimal digits, 4 or 8 with alpha first, or a colour name of CSS") {
            text in
            CSSColor(hexadecimal: text, alpha: .first) ?? CSSColor(name: text)
        }
    }
}

/// The values of imgix' `fit`.
enum ImgixFit: String, CaseIterable {
    case clip, max, crop, min, fill, fillmax, scale, clamp, facearea

    /// The value of the parameter `fit`.
    var fit: String {
        switch self {
        case .clip, .max: "inside"
        case .crop, .min, .facearea: "cover"
        case .fill, .fillmax, .clamp: "pad"
        case .scale: "fill"
        }
    }

    /// Whether a small picture is enlarged.
    var enlarges: Bool {
        switch self {
        case .max, .min, .fillmax: false
        case .clip, .crop, .fill, .scale, .clamp, .facearea: true
        }
    }

    /// Whether something may be cut off.
    var crops: Bool { fit == "cover" }

    /// Whether there may be bars.
    var pads: Bool { fit == "pad" }

    /// Whether `ar` has an effect.
    var hasShape: Bool { crops || pads }
}

/// Where imgix' addresses crop.
extension ImgixOptions {
    /// Adds the gravity of `crop`, a list of which the first that works counts.
    func addGravity(to translation: inout Translation) throws(Problem) {
        let words = list("crop")
        let known = ["faces", "entropy", "edges", "focalpoint", "center"] + Self.sides
        if let unknown = words.first(where: { !known.contains($0) }) {
            throw .invalid(option: "crop=\(unknown)", expected: "one of \(known.joined(separator: ", "))")
        }
        guard words.first == "faces" else {
            translation[.gravity] = try place(words)
            return
        }
        translation[.gravity] = "faces"
        let rest = try place(Array(words.dropFirst()))
        guard Fallback(rawValue: rest) != nil else {
            throw .unsupported(option: "crop=\(words.joined(separator: ","))")
        }
        translation[.fallback] = rest
    }

    private static let sides = ["top", "bottom", "left", "right"]

    /// The gravity of a list without faces; the default is the middle.
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
        let x = try number("fp-x", in: 0...1) ?? 0.5
        let y = try number("fp-y", in: 0...1) ?? 0.5
        if let zoom = try number("fp-z", in: 1...100), zoom > 1 {
            throw .unsupported(option: "fp-z")
        }
        return "point:\(NumberText.plain(x)),\(NumberText.plain(y))"
    }

    /// The height of a head in heights of a face's box.
    private static let headHeight = 1.82

    /// Adds the gravity of `fit=facearea`: as close to the faces as `facepad` allows, but no closer than their heads.
    func addFaceArea(to translation: inout Translation) throws(Problem) {
        let index = try value("faceindex", expected: "a whole number from 1") { text in
            Int(plainDigits: text).flatMap { $0 > 0 ? $0 : nil }
        }
        translation[.gravity] = index.map { "face:\($0)" } ?? "faces"
        switch list("fit").dropFirst().first {
        case nil, "crop": translation[.fallback] = "center"
        case "clip", "max": translation[.fallback] = "original"
        case let fallback?: throw .unsupported(option: "fit=facearea,\(fallback)")
        }
        translation[.zoom] = "1"
        let faces = try number("facepad", in: 0...100_000) ?? 1
        translation[.padding] = NumberText.plain(min(max(0, (faces / Self.headHeight - 1) / 2), 10))
    }
}

/// What imgix' addresses cut off before anything else.
extension ImgixOptions {
    /// The default of `trim-md`: the largest difference from the border's colour.
    private static let trimTolerance = 11

    /// Adds the rectangle of the source that is used, and whether plain borders are cut off.
    func addArea(to translation: inout Translation) throws(Problem) {
        let form = "x,y,w,h: each pixels or a share such as 0.25; x and y also left, center, top, middle; w and h full"
        let region = try value("rect", expected: form) { text -> String?? in
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            return parts.count == 4 ? Self.region(parts.map(String.init)) : nil
        }
        if let region {
            guard let region else { throw .unsupported(option: "rect=\(self["rect"] ?? "")") }
            translation[.region] = region
        }
        try addTrim(to: &translation)
    }

    /// A region; nil for invalid parts, and nil inside for a word beside a number, which depends on the source's size.
    private static func region(_ parts: [String]) -> String?? {
        guard let width = length(parts[2]), let height = length(parts[3]), width != "0px", height != "0px" else {
            return nil
        }
        let across = ["left": "left", "center": "", "right": "right", "0": "left"][parts[0]]
        let down = ["top": "top", "middle": "", "bottom": "bottom", "0": "top"][parts[1]]
        if let across, let down {
            let place = [down, across].filter { !$0.isEmpty }.joined(separator: "-")
            return "\(place.isEmpty ? "center" : place),\(width),\(height)"
        }
        let isPlace = (across != nil && parts[0] != "0") || (down != nil && parts[1] != "0")
        let (x, y) = (length(parts[0]), length(parts[1]))
        if isPlace { return (across != nil || x != nil) && (down != nil || y != nil) ? .some(nil) : nil }
        guard let x, let y else { return nil }
        return "\(x),\(y),\(width),\(height)"
    }

    /// A length in the form of the parameter `region`: a number with a point is a share.
    private static func length(_ text: String) -> String? {
        if let share = share(text) { return NumberText.plain(share) }
        return Int(plainDigits: text).map { "\(min($0, 100_000))px" }
    }

    private static func share(_ text: String) -> Double? {
        if text == "full" { return 1 }
        guard text.contains("."), let share = Double(plainDecimal: text), share <= 1 else { return nil }
        return share
    }

    private func addTrim(to translation: inout Translation) throws(Problem) {
        guard let trim = self["trim"], trim != "0", trim != "false" else { return }
        guard trim == "auto" else { throw .unsupported(option: "trim=\(trim)") }
        if self["trim-tol"] != nil { translation.ignore("trim-tol") }
        let tolerance = try number("trim-md", in: 0...255).map { Int($0.rounded()) }
        translation[.trim] = "\(tolerance ?? Self.trimTolerance)"
    }
}

/// Format, quality and turn of imgix' addresses.
extension ImgixOptions {
    private static let formats = [
        "jpg": "jpeg", "jpeg": "jpeg", "pjpg": "jpeg", "png": "png", "png8": "png", "png32": "png", "webp": "webp",
        "avif": "avif", "gif": "gif", "json": "json",
    ]

    /// Adds turn, format and quality.
    func addOutput(to translation: inout Translation) throws(Problem) {
        try addTurn(to: &translation)
        let automatic = list("auto")
        for word in automatic where word == "enhance" || word == "redeye" { translation.ignore("auto=\(word)") }
        if let word = self["fm"] {
            guard let format = Self.formats[word] else { throw .unsupported(option: "fm=\(word)") }
            translation[.format] = format
            if word == "pjpg" { translation[.progressive] = "true" }
        } else {
            translation[.format] = automatic.contains("format") ? "auto" : "source"
        }
        let quality = try number("q", in: 0...100)
        translation[.quality] = quality.map { "\(max(1, Int($0.rounded())))" }
        switch self["chromasub"] {
        case "444": translation[.chroma] = "444"
        case "420": translation[.chroma] = "420"
        case nil: break
        default: translation.ignore("chromasub")
        }
    }

    private func addTurn(to translation: inout Translation) throws(Problem) {
        if let text = self["rot"] {
            guard let turn = ["0": "0", "90": "90", "180": "180", "270": "270"][text] else {
                throw .unsupported(option: "rot=\(text)")
            }
            if turn != "0" { translation[.rotate] = turn }
        }
        let flips = ["h": "horizontal", "v": "vertical", "hv": "both"]
        translation[.flip] = try value("flip", expected: "h, v or hv") { flips[$0] }
    }
}
