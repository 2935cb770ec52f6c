package import Framing
import UntrustedText

extension Gravity {
    /// Parses a value of the `gravity` parameter; nil for other text.
    package init?(_ text: String) {
        if let gravity = Self.words.first(where: { $0.word == text })?.gravity {
            self = gravity
            return
        }
        let parts = text.bytes.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "face":
            guard let index = Int(plainDigits: parts[1]), index >= 1 else { return nil }
            self = .face(index)
        case "point":
            guard let point = Fraction.pair(String(parts[1])) else { return nil }
            self = .point(x: point.x, y: point.y)
        case "object":
            // bounded: there are two parts
            guard let classes = WantedClass.list(String(parts[1])) else { return nil }
            self = .object(classes)
        default: return nil
        }
    }

    /// All words without an argument, for messages and documentation.
    package static let plainWords = words.map(\.word)

    /// The values for videos and streams, whose frames are not searched for objects, as the end of a message.
    package static let formOfVideos =
        "faces, largest, smallest, centermost, face:N, attention, center, an edge, a corner or point:X,Y"

    private static let words: [(word: String, gravity: Gravity)] = [
        ("faces", .faces), ("largest", .largest), ("smallest", .smallest), ("centermost", .centermost),
        ("subject", .subject), ("attention", .attention),
        ("center", .center), ("top", .top), ("bottom", .bottom), ("left", .left), ("right", .right),
        ("top-left", .topLeft), ("top-right", .topRight), ("bottom-left", .bottomLeft), ("bottom-right", .bottomRight),
    ]
}
