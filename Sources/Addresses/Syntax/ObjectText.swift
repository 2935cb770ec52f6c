import Framing
import Requests
import UntrustedText

/// Names of object classes in other services' URLs, as values of `gravity`.
enum ObjectText {
    /// The name of a class in parameters; nil for other text.
    ///
    /// Case and separators do not matter: `trafficLight`, `traffic_light` and `traffic light` are the same class.
    static func word(_ name: some TextSlice) -> String? { words[letters(name)] }

    /// A value of `gravity` for classes and their weights; nil without classes.
    static func gravity(_ classes: [(word: String, weight: Double)]) -> String? {
        var seen: Set<String> = []
        let texts = classes.compactMap { each -> String? in
            guard each.weight > 0, seen.insert(each.word).inserted else { return nil }
            let weight = min(max(each.weight, 0.01), WantedClass.maximumWeight)
            return weight == 1 ? each.word : "\(each.word):\(NumberText.plain(weight))"
        }
        return texts.isEmpty ? nil : "object:" + texts.joined(separator: ",")
    }

    private static func letters(_ name: some TextSlice) -> [UInt8] {
        guard name.utf8.count <= 32 else { return [] }
        return name.bytes.lowercased().utf8.filter { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }

    private static let words = Dictionary(
        uniqueKeysWithValues: SubjectClass.allCases.map { (letters($0.word), $0.word) }
    )
}
