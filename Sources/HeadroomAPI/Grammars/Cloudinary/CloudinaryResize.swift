import UntrustedText
import Geometry
import Requests

/// A component that scales or crops.
struct CloudinaryResize {
    let mode: CloudinaryMode
    private(set) var size: RequestedSize
    /// The shape that `ar_` requests; nil if the sides determine it.
    private var aspect: String?
    private let gravity: CloudinaryGravity
    private let zoom: Double?

    init(_ component: CloudinaryComponent) throws(Problem) {
        let word = component["c"] ?? CloudinaryMode.scale.rawValue
        guard let mode = CloudinaryMode(rawValue: word) else {
            if Self.known.contains(word) { throw .unsupported(option: "c_\(word)") }
            throw .invalid(option: "c_\(word)", expected: "a crop mode of Cloudinary")
        }
        self.mode = mode
        gravity = try CloudinaryGravity(component, mode: mode)
        if mode == .crop, gravity.anchor != nil || component["x"] != nil || component["y"] != nil {
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
        if let shape = aspect.flatMap({ AspectRatio($0) }), mode == .scale || mode == .fit || mode == .limit {
            // A box, or a distorted picture, needs both sides.
            let most = FrameParameters.maxSide
            switch (size.width?.pixels, size.height?.pixels) {
            case (let width?, nil): size.height = .pixels(min(shape.height(forWidth: width), most))
            case (nil, let height?): size.width = .pixels(min(shape.width(forHeight: height), most))
            case (nil, nil): throw .unsupported(option: component.text)
            default: break
            }
            aspect = nil
        }
        if size.width != nil, size.height != nil { aspect = nil }
    }

    private static let known = ["mfit", "mpad", "imagga_scale", "imagga_crop", "mfill"]

    /// A side in pixels, or as a share of the source's.
    private static func side(_ key: String, _ component: CloudinaryComponent) throws(Problem) -> RequestedSide? {
        guard let text = component[key] else { return nil }
        let option = component.options.text(key)
        // Without client hints, the width is that of the source.
        if key == "w", text.bytes == "auto" { return nil }
        if ["iw", "ih", "auto"].contains(where: text.bytes.hasPrefix) { throw .unsupported(option: option) }
        let side = RequestedSide(cloudinary: text)
        switch side {
        case .pixels(let pixels) where (1...FrameParameters.maxSide).contains(pixels): return side
        case .share(let share) where share > 0 && share <= 1: return side
        case .share: throw .unsupported(option: option, "It is more than the source.")
        default:
            throw .invalid(option: option, expected: "a whole number of pixels from 1 to \(FrameParameters.maxSide)")
        }
    }

    /// The part of the source that `c_crop` cuts out without scaling, as a value of `region`; nil for other modes.
    ///
    /// - Throws: A ``Problem`` with status 501 for a rectangle around faces.
    func area(_ component: CloudinaryComponent) throws(Problem) -> String? {
        // Around faces, the place is known only after they are found.
        guard mode == .crop, size.width == nil, size.height == nil else { return nil }
        func length(_ key: String, _ fallback: String) throws(Problem) -> String {
            let isStart = key == "x" || key == "y"
            let length = try component.options.value(key, expected: "pixels or a share of the source") { text in
                let length = RequestedSide(cloudinary: text)?.region
                return isStart || length != "0px" && length != "0" ? length : nil
            }
            return length ?? fallback
        }
        guard let anchor = gravity.anchor, component["ar"] == nil else { throw .unsupported(option: component.text) }
        let (width, height) = (try length("w", "1"), try length("h", "1"))
        guard component["x"] != nil || component["y"] != nil else { return "\(anchor),\(width),\(height)" }
        let (x, y) = (try length("x", "0"), try length("y", "0"))
        // With x or y the default gravity is the upper left corner; with another gravity they are distances from it.
        guard let given = component["g"], given != "north_west" else { return "\(x),\(y),\(width),\(height)" }
        return "\(anchor):\(x):\(y),\(width),\(height)"
    }

    /// The single resize that is equivalent to this one followed by `next`; nil if there is none.
    func folding(_ next: CloudinaryResize) -> CloudinaryResize? {
        // The size after the first resize is known only if both sides are given and the mode makes exactly this size.
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
        case (.limit, let most?, nil): if width > most { setWidth(most) }
        case (.limit, nil, let most?): if height > most { setHeight(most) }
        default: return nil
        }
        return folded
    }

    func add(to translation: inout Translation, output: CloudinaryOutput) throws(Problem) {
        let isDistorted = size.width != nil && size.height != nil
        translation[.fit] = mode == .scale && !isDistorted ? "inside" : mode.fit
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
enum CloudinaryMode: String {
    case scale, fit, limit, fill, lfill, thumb, crop, pad, lpad, auto
    case fillPad = "fill_pad"
    case autoPad = "auto_pad"

    /// The value of the parameter `fit`; for `scale`, the value if both sides are given.
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

    /// Whether a small picture is enlarged.
    var enlarges: Bool { ![.limit, .lpad, .lfill, .crop].contains(self) }

    /// Whether the picture is cropped, so that gravity has an effect.
    var crops: Bool { ["cover", "limit", "auto", "crop"].contains(fit) }
}
