extension SubjectClass {
    /// The name in parameters and plans: ``rawValue`` with hyphens instead of spaces, such as `traffic-light`.
    package var word: String { String(rawValue.map { $0 == " " ? "-" : $0 }) }

    /// Creates the class of a ``word``; nil for other text.
    package init?(word: String) {
        guard let kind = Self.byWord[word] else { return nil }
        self = kind
    }

    private static let byWord = Dictionary(uniqueKeysWithValues: allCases.map { ($0.word, $0) })
}
