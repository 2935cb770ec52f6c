import HTTPTypes

/// The arguments of one option.
struct ImgproxyArguments {
    private let texts: [Substring]
    private let name: String

    /// The arguments of an option, as sent.
    init(_ texts: [Substring], of name: String) {
        self.texts = texts
        self.name = name
    }

    /// The number of arguments.
    var count: Int { texts.count }

    /// An argument; empty if it is missing.
    subscript(index: Int) -> Substring { index < texts.count ? texts[index] : "" }

    /// The arguments from a position.
    func dropFirst(_ count: Int) -> ImgproxyArguments { ImgproxyArguments(Array(texts.dropFirst(count)), of: name) }

    /// The whole option, as sent.
    var text: String { ([Substring(name)] + texts).joined(separator: ":") }

    /// A whole number from 0; nil if it is empty.
    func size(_ index: Int) throws(Problem) -> Int? {
        if self[index].isEmpty { return nil }
        guard let number = Int(plainDigits: self[index]), number <= 1_000_000 else {
            throw invalid("a whole number of pixels")
        }
        return number
    }

    /// A number from 0; nil if it is empty.
    func number(_ index: Int) throws(Problem) -> Double? {
        if self[index].isEmpty { return nil }
        guard let number = Double(plainDecimal: self[index]), number <= 1_000_000 else { throw invalid("a number") }
        return number
    }

    /// A boolean; nil if it is empty, and false for other text, as there.
    func boolean(_ index: Int) -> Bool? {
        self[index].isEmpty ? nil : ["1", "t", "T", "true", "TRUE", "True"].contains(self[index])
    }

    /// The place that `g` names, with offsets as ignored; nil if it is empty.
    func anchor(_ index: Int, ignored: inout [String]) throws(Problem) -> ImgproxyOptions.Anchor? {
        let words = [
            "ce": "center", "no": "top", "so": "bottom", "ea": "right", "we": "left", "noea": "top-right",
            "nowe": "top-left", "soea": "bottom-right", "sowe": "bottom-left",
        ]
        let word = self[index]
        switch word {
        case "": return nil
        case "sm", "obj", "objw": return .faces
        case "fp":
            guard let x = try number(index + 1), let y = try number(index + 2), x <= 1, y <= 1 else {
                throw invalid("fp with two numbers from 0 to 1")
            }
            return .point(x, y)
        default:
            guard let gravity = words[String(word)] else { throw invalid("a gravity such as ce, no, sm or fp:x:y") }
            // An offset moves the crop, and does not change its size.
            if [self[index + 1], self[index + 2]].contains(where: { !["", "0"].contains($0) }) {
                ignored.append("\(name) offset")
            }
            return .word(gravity)
        }
    }

    /// The problem of this option: status 404.
    func invalid(_ expected: String) -> Problem { .invalid(option: text, expected: expected, .notFound) }
}
