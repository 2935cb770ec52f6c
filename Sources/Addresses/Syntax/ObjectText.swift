import Framing
import Requests
import UntrustedText

/// Names of object classes in other services' URLs, and their values of `gravity`.
enum ObjectText {
    /// The name of a class in parameters; nil for other text.
    ///
    /// Case and separators do not matter: `trafficLight`, `traffic_light` and `traffic light` are the same class.
    static func word(_ name: some TextSlice) -> String? { words[compact(name)] }

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

    /// The name in lower case without separators; digits stay, because `cat_30` is a class with a weight.
    private static func compact(_ name: some TextSlice) -> [UInt8] {
        guard name.utf8.count <= 32 else { return [] }
        return name.bytes.lowercased().utf8.filter { !separators.contains($0) }
    }

    private static let separators = [UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "_")]

    private static let words = Dictionary(
        uniqueKeysWithValues: SubjectClass.allCases.map { (compact($0.word), $0.word) }
    )
}
