import Geometry
import HeadroomAPI
import Requests
import UntrustedText

/// A component that scales or crops.
struct CloudinaryResize {
    let mode: CloudinaryMode
    private(set) var size: RequestedSize
    /// The aspect ratio that `ar_` requests; nil if the sides determine it.
    private var aspect: String?
    private let gravity: CloudinaryGravity
    private let zoom: Double?

    init(_ component: CloudinaryComponent) throws(Problem) {
        let word = component["c"] ?? CloudinaryMode.scale.rawValue
        guard let mode = CloudinaryMode(rawValue: word) else {
            let modes = CloudinaryMode.allCases.map(\.rawValue)
            if Self.known.contains(word) { throw .unsupported(option: "c_\(word) (crop mode)", values: modes) }
            throw .invalid(option: "c_\(word)", expected: "one of \(modes.joined(separator: ", "))")
        }
        self.mode = mode
        gravity = try CloudinaryGravity(component, mode: mode)
        let isArea = gravity.anchor != nil || component["x"] != nil || component["y"] != nil
        if mode == .crop, isArea, component["ar"] == nil {
            (size, aspect, zoom) = (RequestedSize(), nil, nil)
            return
        }
        size = RequestedSize()
        size.width = try Self.side("w", component)
        size.height = try Self.side("h", component)
        aspect = try component.options.value("ar", expected: "W:H or a number, such as 16:9 or 1.5") { text in
            AspectRatio(text)?.text
        }
        zoom = try component.options.value("z", expected: "a number above 0") { text in
            Double(plainDecimal: text).flatMap { $0 > 0 ? $0 : nil }
        }
        if mode == .crop, let shape = aspect.flatMap({ AspectRatio($0) }) {
            try setCropSides(shape, component)
            return
        }
        if let shape = aspect.flatMap({ AspectRatio($0) }), mode == .scale || mode == .fit || mode == .limit {
            // A box, or a distorted image, needs both sides.
            let maximum = FrameParameters.maxSide
            switch (size.width?.pixels, size.height?.pixels) {
            case (let width?, nil): size.height = .pixels(min(shape.height(forWidth: width), maximum))
            case (nil, let height?): size.width = .pixels(min(shape.width(forHeight: height), maximum))
            case (nil, nil): throw .unsupported(option: component.text)
            default: break
            }
            aspect = nil
        }
        if size.width != nil, size.height != nil { aspect = nil }
    }

    /// Sets the sides of `c_crop` with an aspect ratio: the given side, and the side that follows from it.
    private mutating func setCropSides(_ shape: AspectRatio, _ component: CloudinaryComponent) throws(Problem) {
        let maximum = FrameParameters.maxSide
        switch (size.width, size.height) {
        case (.pixels(let width), nil): size.height = .pixels(min(shape.height(forWidth: width), maximum))
        case (nil, .pixels(let height)): size.width = .pixels(min(shape.width(forHeight: height), maximum))
        case (nil, nil) where component["x"] == nil && component["y"] == nil: return
        default: throw .unsupported(option: component.text)
        }
        guard component["x"] == nil, component["y"] == nil else { throw .unsupported(option: component.text) }
        aspect = nil
    }

    private static let known = ["mfit", "mpad", "imagga_scale", "imagga_crop", "mfill"]

    /// A side in pixels, or as a fraction of the source's side.
    private static func side(_ key: String, _ component: CloudinaryComponent) throws(Problem) -> RequestedSide? {
        guard let text = component[key] else { return nil }
        let option = component.options.text(key)
        // Without client hints, the width is the source's.
        if key == "w", text.bytes == "auto" { return nil }
        if key == "w", text.bytes.hasPrefix("auto:") {
            // The last number is the width without client hints.
            let last = text.bytes.split(separator: ":").dropFirst(2).last.flatMap { Int(plainDigits: $0) }
            guard let last else { return nil }
            return RequestedSide(last, times: 1)
        }
        let expression = RequestedSide(expression: text, of: key)
        if expression == nil, ["iw", "ih", "auto"].contains(where: text.bytes.hasPrefix) {
            throw .unsupported(option: "\(option) (\(key == "w" ? "width" : "height"))")
        }
        let side = expression ?? RequestedSide(cloudinary: text)
        switch side {
        case .pixels(let pixels) where (1...FrameParameters.maxSide).contains(pixels): return side
        case .share(let share) where share > 0 && share <= 1: return side
        case .share: throw .unsupported(option: option, "It exceeds the source.")
        default:
            throw .invalid(option: option, expected: "a whole number of pixels from 1 to \(FrameParameters.maxSide)")
        }
    }

    /// The part of the source that `c_crop` cuts out without scaling, as a value of `region`; nil for other modes.
    ///
    /// - Throws: A ``Problem`` with status 501 for a rectangle around faces.
    func area(_ component: CloudinaryComponent) throws(Problem) -> String? {
        // The position of a face is unknown before detection.
        guard mode == .crop, size.width == nil, size.height == nil, aspect == nil else { return nil }
        func length(_ key: String, _ fallback: String) throws(Problem) -> String {
            let isStart = key == "x" || key == "y"
            let length = try component.options.value(key, expected: "pixels or a fraction of the source") { text in
                let length = RequestedSide(cloudinary: text)?.region
                return isStart || length != "0px" && length != "0" ? length : nil
            }
            return length ?? fallback
        }
        guard let anchor = gravity.anchor, component["ar"] == nil else { throw .unsupported(option: component.text) }
        let (width, height) = (try length("w", "1"), try length("h", "1"))
        guard component["x"] != nil || component["y"] != nil else { return "\(anchor),\(width),\(height)" }
        let (x, y) = (try length("x", "0"), try length("y", "0"))
        // With x or y, the default gravity is the upper left corner. With another gravity, x and y are distances from
        // it.
        guard let given = component["g"], given != "north_west" else { return "\(x),\(y),\(width),\(height)" }
        return "\(anchor):\(x):\(y),\(width),\(height)"
    }

    /// The single resize that is equivalent to this resize followed by `next`; nil if there is none.
    func folding(_ next: CloudinaryResize) -> CloudinaryResize? {
        if let resize = foldingWhole(next) { return resize }
        // A second resize requires the size after the first one: both sides, and a mode that produces exactly this size.
        guard let width = size.width?.pixels, let height = size.height?.pixels,
            [.fill, .thumb, .auto, .pad].contains(mode), let shape = AspectRatio(Double(width), Double(height))
        else { return nil }
        var folded = self
        func setWidth(_ width: Int) {
            folded.size = RequestedSize(width: .pixels(width), height: .pixels(shape.height(forWidth: width)))
        }
        func setHeight(_ height: Int) {
            folded.size = RequestedSize(width: .pixels(shape.width(forHeight: height)), height: .pixels(height))
        }
        switch (next.mode, next.size.width?.pixels, next.size.height?.pixels) {
        case (.scale, let width?, nil), (.fit, let width?, nil): setWidth(width)
        case (.scale, nil, let height?), (.fit, nil, let height?): setHeight(height)
        case (.limit, let maximum?, nil): if width > maximum { setWidth(maximum) }
        case (.limit, nil, let maximum?): if height > maximum { setHeight(maximum) }
        default: return nil
        }
        return folded
    }

    /// The resize that is equivalent to this resize, which keeps the whole image and its aspect ratio, followed by
    /// `next`.
    ///
    /// A mode with an exact size also produces it from a smaller image, which is only less sharp.
    private func foldingWhole(_ next: CloudinaryResize) -> CloudinaryResize? {
        let hasBoth = size.width != nil && size.height != nil
        let isWhole = mode == .fit || mode == .limit || mode == .scale && !hasBoth
        let sides = [next.size.width, next.size.height].compactMap(\.self)
        guard isWhole, size.width?.pixels ?? size.height?.pixels != nil, !sides.isEmpty,
            sides.allSatisfy({ $0.pixels != nil }), !next.gravity.isPoint
        else { return nil }
        switch next.mode {
        case .fill, .thumb, .auto, .pad, .scale, .fit: return next
        case .limit where mode == .limit && !hasBoth && sides.count == 1:
            // If one side has two limits, the smaller one applies.
            if let first = size.width?.pixels, let second = next.size.width?.pixels {
                return first < second ? self : next
            }
            if let first = size.height?.pixels, let second = next.size.height?.pixels {
                return first < second ? self : next
            }
            return nil
        default: return nil
        }
    }

    func add(to translation: inout Translation, output: CloudinaryOutput) throws(Problem) {
        let isDistorted = size.width != nil && size.height != nil
        // Without a size, the largest area with the aspect ratio is cut out.
        let isShapeOnly = mode == .crop && size.width == nil && size.height == nil
        translation[.fit] = isShapeOnly ? "cover" : mode == .scale && !isDistorted ? "inside" : mode.fit
        translation[.enlarge] = mode.enlarges ? "true" : "false"
        translation.set(try output.scaled(size))
        translation[.aspect] = aspect
        if mode.crops {
            gravity.add(to: &translation)
        } else if mode.fit == "pad", let anchor = gravity.anchor {
            translation[.gravity] = anchor
        }
        if mode == .thumb, gravity.isFace {
            // As close to the face as `z_` requests, but no closer than the head.
            let zoom = zoom ?? 1
            translation.setCloseness(1 / zoom)
            if zoom > 1 { translation.ignore("z_\(NumberText.plain(zoom))") }
        }
        try output.addBackground(to: &translation, isPadded: mode.fit == "pad" || mode.fit == "auto")
    }
}

/// The values of Cloudinary's `c_`.
enum CloudinaryMode: String, CaseIterable {
    case scale, fit, limit, fill, lfill, thumb, crop, pad, lpad, auto
    case fillPad = "fill_pad"
    case autoPad = "auto_pad"

    /// The value of the parameter `fit`; for `scale`, the value for two given sides.
    var fit: String {
        switch self {
        case .scale: "fill"
        case .fit, .limit: "inside"
        case .fill, .thumb, .auto: "cover"
        case .crop: "crop"
        case .lfill: "limit"
        case .pad, .lpad: "pad"
        case .fillPad, .autoPad: "auto"
        }
    }

    /// Whether a small image is enlarged.
    var enlarges: Bool { ![.limit, .lpad, .lfill, .crop].contains(self) }

    /// Whether the image is cropped, so that gravity has an effect.
    var crops: Bool { ["cover", "limit", "auto", "crop"].contains(fit) }
}
