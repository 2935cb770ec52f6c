import Encodings
import Requests
import UntrustedText

/// The options in the name of a file, such as `a_300x200_crop_top@2x.progressive.jpg`.
struct ShopifyFileName {
    /// The path of the source: the name without its options.
    let path: Substring
    /// The box in pixels before the scale; a nil side is free.
    let width, height: Int?
    /// The factor of the box: 1, 2 or 3.
    let scale: Int
    /// The part to keep: a side or the centre; nil shows the whole image.
    let crop: String?
    /// Whether a JPEG is progressive.
    let isProgressive: Bool

    /// The parts that a crop can keep.
    static let crops = ["top", "center", "bottom", "left", "right"]

    /// The names of sizes, and the sides of their squares in pixels; `master` is the size of the source.
    private static let sizes = [
        "pico": 16, "icon": 32, "thumb": 50, "small": 100, "compact": 160, "medium": 240, "large": 480, "grande": 600,
    ]

    /// Parses the end of a path; nil for a name without a size.
    init?(_ path: Substring) {
        guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")),
            path[dot...].utf8.dropFirst().allSatisfy(\.isAlphanumeric)
        else { return nil }
        var stem = path[..<dot]
        let progressive = Self.removed(".progressive", from: stem)
        stem = progressive ?? stem
        var scale = 1
        for factor in 2...3 {
            guard let rest = Self.removed("@\(factor)x", from: stem) else { continue }
            (stem, scale) = (rest, factor)
        }
        var crop: String?
        for word in Self.crops where crop == nil {
            guard let rest = Self.removed("_crop_\(word)", from: stem) else { continue }
            (stem, crop) = (rest, word)
        }
        guard let mark = stem.utf8.lastIndex(of: UInt8(ascii: "_")),
            let size = Self.size(stem[stem.utf8.index(after: mark)...])
        else { return nil }
        let name = stem[..<mark]
        guard let last = name.utf8.last, last != UInt8(ascii: "/") else { return nil }
        self.path = Substring("\(name)\(path[dot...])")
        (width, height) = size
        (self.scale, self.crop, isProgressive) = (scale, crop, progressive != nil)
    }

    private static func removed(_ ending: String, from text: Substring) -> Substring? {
        text.bytes.hasSuffix(ending) ? Substring(text.utf8.dropLast(ending.utf8.count)) : nil
    }

    /// The sides of a size such as `300x200`, `300x`, `x200`, `small` or `master`; nil for other text.
    private static func size(_ text: Substring) -> (width: Int?, height: Int?)? {
        guard text.bytes.isWord(atMost: 16) else { return nil }
        if text == "master" { return (nil, nil) }
        if let side = sizes[String(text)] { return (side, side) }
        let (before, after) = text.bytes.halves(at: "x")
        guard let after, !before.isEmpty || !after.isEmpty else { return nil }
        let (width, height) = (Int(plainDigits: before), Int(plainDigits: after))
        guard width != nil || before.isEmpty, height != nil || after.isEmpty, width != 0, height != 0 else {
            return nil
        }
        return (width, height)
    }
}
