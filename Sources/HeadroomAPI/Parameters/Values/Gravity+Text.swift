package import Framing

extension Gravity {
    /// Parses a value of the `gravity` parameter; nil for other text.
    package init?(_ text: String) {
        if let gravity = Self.words.first(where: { $0.word == text })?.gravity {
            self = gravity
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

    /// All words without an argument, for messages and documentation.
    package static let plainWords = words.map(\.word)

    private static let words: [(word: String, gravity: Gravity)] = [
        ("faces", .faces), ("largest", .largest), ("smallest", .smallest), ("attention", .attention),
        ("center", .center), ("top", .top), ("bottom", .bottom), ("left", .left), ("right", .right),
        ("top-left", .topLeft), ("top-right", .topRight), ("bottom-left", .bottomLeft), ("bottom-right", .bottomRight),
    ]
}
