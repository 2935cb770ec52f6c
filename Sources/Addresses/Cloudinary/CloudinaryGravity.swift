import HeadroomAPI
import Requests
import UntrustedText

/// The gravity of a crop, from Cloudinary's options `g_`, `x_` and `y_`.
struct CloudinaryGravity {
    /// The value of `gravity`.
    let gravity: String
    /// The value of `fallback`; nil for gravities without faces.
    private let fallback: String?
    /// The value of `focus`, for a point in pixels; otherwise nil.
    private let focus: String?

    private static let compass = [
        "center": "center", "north": "top", "south": "bottom", "west": "left", "east": "right",
        "north_west": "top-left", "north_east": "top-right", "south_west": "bottom-left", "south_east": "bottom-right",
    ]

    init(_ component: CloudinaryComponent, mode: CloudinaryMode) throws(Problem) {
        let text = component["g"] ?? (mode == .auto || mode == .autoPad || mode == .fillPad ? "auto" : "center")
        if text == "xy_center", mode != .crop {
            (gravity, focus) = try Self.point(component)
            fallback = nil
            return
        }
        if mode != .crop, let offset = ["x", "y"].first(where: { component[$0].map { $0 != "0" } ?? false }) {
            throw .unsupported(option: component.options.text(offset))
        }
        focus = nil
        if let anchor = Self.compass[text] {
            (gravity, fallback) = (anchor, nil)
            return
        }
        let parts = text.bytes.split(separator: ":", maxSplits: 1).map(String.init)
        let detail = parts.dropFirst().first
        switch parts.first {
        case "body", "person":
            (gravity, fallback) = ("faces", "center")
        case "custom" where detail?.bytes.hasPrefix("face") == true:
            // There are no custom coordinates here, so the gravity is the faces.
            (gravity, fallback) = (detail?.bytes.hasPrefix("faces") == true ? "faces" : "largest", "center")
        case "auto":
            if mode == .scale { throw .invalid(option: "g_auto", expected: "no g_auto with c_scale") }
            gravity = Self.automatic(detail)
            fallback = gravity == "attention" ? nil : "attention"
        case "face", "adv_face":
            gravity = "largest"
            fallback = try Self.fallback(parts)
        case "faces", "adv_faces":
            gravity = "faces"
            fallback = try Self.fallback(parts)
        default:
            guard let gravity = ObjectText.gravity(Self.classes(text)) else {
                let values = Self.compass.keys.sorted() + ["face", "faces", "person", "auto", "xy_center"]
                throw .unsupported(option: "g_\(text) (gravity)", values: values)
            }
            (self.gravity, fallback) = (gravity, "center")
        }
    }

    /// The gravity of `g_auto` with a detail: `subject`, `classic` or object classes; faces for every other detail.
    private static func automatic(_ detail: String?) -> String {
        guard let detail else { return "faces" }
        let words = detail.bytes.split(separator: ":").map(String.init)
        if words.contains(where: { $0 == "subject" || $0 == "subjects" }) { return "subject" }
        if words.contains(where: { $0 == "classic" }) { return "attention" }
        return ObjectText.gravity(classes(detail)) ?? "faces"
    }

    /// The object classes of a list that is separated by colons, each with an optional weight from 0 to 100, such as
    /// `cat:dog_30`; other words are ignored.
    private static func classes(_ text: String) -> [(word: String, weight: Double)] {
        text.bytes.split(separator: ":").compactMap { part in
            if let word = ObjectText.word(part) { return (word, 1) }
            guard let mark = part.utf8.lastIndex(of: UInt8(ascii: "_")),
                let weight = Int(plainDigits: part[part.index(after: mark)...]), (1...100).contains(weight),
                let word = ObjectText.word(part[..<mark])
            else { return nil }
            return (word, Double(weight) / 100)
        }
    }

    /// Without a face, Cloudinary crops at the top, where portraits show people.
    private static func fallback(_ parts: [String]) throws(Problem) -> String {
        guard let detail = parts.dropFirst().first else { return "top" }
        let word = detail == "auto" ? "attention" : compass[detail]
        guard let word else { throw .unsupported(option: "g_\(parts.joined(separator: ":"))") }
        return word
    }

    private static func point(_ component: CloudinaryComponent) throws(Problem) -> (gravity: String, focus: String?) {
        guard let x = component["x"].flatMap(RequestedSide.init(cloudinary:)),
            let y = component["y"].flatMap(RequestedSide.init(cloudinary:))
        else {
            throw .invalid(option: component.text, expected: "x_ and y_ with g_xy_center")
        }
        if case .share(let x) = x, case .share(let y) = y, x <= 1, y <= 1 {
            return (NumberText.point(x, y), nil)
        }
        guard let left = x.region, let top = y.region else {
            throw .invalid(option: component.text, expected: "fractions from 0 to 1")
        }
        // The crop is centred on a focal area if the image is large enough.
        return ("focus", "\(left),\(top),1px,1px")
    }

    /// Whether the gravity is a point in pixels.
    var isPoint: Bool { focus != nil }

    /// Whether the crop is around faces or objects.
    var isFace: Bool { fallback != nil }

    /// One of the nine compass points; nil for other gravities.
    var anchor: String? { Self.compass.values.contains(gravity) ? gravity : nil }

    func add(to translation: inout Translation) {
        if let focus {
            translation[.focus] = focus
        } else {
            translation[.gravity] = gravity
            translation[.fallback] = fallback
        }
    }
}
