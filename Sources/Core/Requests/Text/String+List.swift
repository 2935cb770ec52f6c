import UntrustedText

extension String {
    /// Parses the parts between separators; nil if a part is invalid, or if there are too many parts.
    func list<Value>(_ separator: String, atMost limit: Int, _ parse: (Substring) -> Value?) -> [Value]? {
        let parts = bytes.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count <= limit else { return nil }
        let values = parts.compactMap(parse)
        return values.count == parts.count ? values : nil
    }
}
