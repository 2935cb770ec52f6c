import Encodings

/// The options of one Cloudflare address, such as `width=80,fit=cover`.
struct CloudflareOptions {
    private var values: [CloudflareOption: String] = [:]
    /// The options that are accepted without effect.
    private(set) var ignored: [String] = []

    /// Parses the options as sent; the last of two equal ones counts.
    init(_ text: some StringProtocol) throws(Problem) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let pair = PercentEncoding.decoded(Array(part.utf8)), let equals = pair.firstIndex(of: "="),
                let option = CloudflareOption(name: String(pair[..<equals]))
            else {
                throw .invalid(option: String(part), expected: "an option of Cloudflare with a value, such as width=80")
            }
            let value = String(pair[pair.index(after: equals)...])
            if let neutral = option.neutralValues {
                guard neutral.contains(value) else { throw .unsupported(option: option.rawValue) }
            } else if option.isIgnored {
                ignored.append(pair)
            } else {
                values[option] = value
            }
        }
    }

    subscript(_ option: CloudflareOption) -> String? { values[option] }

    /// The value that `parse` returns; nil for an absent option.
    ///
    /// - Throws: A ``Problem`` if `parse` returns nil.
    func value<Value>(
        _ option: CloudflareOption,
        expected: String,
        _ parse: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = values[option] else { return nil }
        guard let value = parse(text) else { throw .invalid(option: "\(option.rawValue)=\(text)", expected: expected) }
        return value
    }

    /// A value out of a table.
    func word<Value>(_ option: CloudflareOption, _ table: KeyValuePairs<String, Value>) throws(Problem) -> Value? {
        let expected = "one of \(table.map(\.key).joined(separator: ", "))"
        return try value(option, expected: expected) { text in table.first { $0.key == text }?.value }
    }
}
