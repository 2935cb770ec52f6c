/// What a crop is built around.
package enum Gravity: Hashable, Codable, Sendable {
    /// All faces: the crop keeps as many whole heads as can be kept.
    case faces
    /// The face with the largest box.
    case largest
    /// The face with the smallest box.
    case smallest
    /// One face by its place in the list of faces, largest first; 1 is the first.
    case face(Int)
    /// Whatever there is to look at, without looking for faces.
    case attention
    /// The middle of the image.
    case center
    /// The upper edge of the image.
    case top
    /// The lower edge of the image.
    case bottom
    /// The left edge of the image.
    case left
    /// The right edge of the image.
    case right
    /// A focal point, each coordinate 0…1 from the top left corner of the upright image.
    case point(x: Double, y: Double)

    /// Reads the words of the `gravity` parameter; nil for anything else.
    package init?(_ text: String) {
        if let word = Self.words[text] {
            self = word
            return
        }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "face":
            guard let index = Int(plainDigits: parts[1]), index >= 1 else { return nil }
            self = .face(index)
        case "point":
            let coordinates = parts[1].split(separator: ",", omittingEmptySubsequences: false).map {
                Double(plainDecimal: $0)
            }
            guard coordinates.count == 2, let x = coordinates[0], let y = coordinates[1],
                (0...1).contains(x), (0...1).contains(y)
            else { return nil }
            self = .point(x: x, y: y)
        default:
            return nil
        }
    }

    /// Every word that stands for itself, for messages and documentation.
    package static let plainWords = [
        "faces", "largest", "smallest", "attention", "center", "top", "bottom", "left", "right",
    ]

    /// The word that says in an answer what decided, without coordinates.
    package var decision: String {
        switch self {
        case .faces: "faces"
        case .largest: "largest"
        case .smallest: "smallest"
        case .face(let index): "face:\(index)"
        case .attention: "attention"
        case .center: "center"
        case .top: "top"
        case .bottom: "bottom"
        case .left: "left"
        case .right: "right"
        case .point: "point"
        }
    }

    /// Whether faces must be found before the crop can be placed.
    package var needsFaces: Bool {
        switch self {
        case .faces, .largest, .smallest, .face: true
        case .attention, .center, .top, .bottom, .left, .right, .point: false
        }
    }

    private static let words: [String: Gravity] = [
        "faces": .faces, "largest": .largest, "smallest": .smallest, "attention": .attention,
        "center": .center, "top": .top, "bottom": .bottom, "left": .left, "right": .right,
    ]
}
