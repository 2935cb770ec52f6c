import Encodings
import UntrustedText

/// The names of parameters that requests without a signature may contain and that are ignored.
///
/// Social networks, newsletters and advertising add parameters of this kind to URLs, such as `utm_source` and `fbclid`.
package struct IgnoredParameters: Hashable, Sendable {
    /// The maximum number of names.
    package static let maxNames = 100
    /// The minimum length of the text before `*`, in bytes; a shorter text would hide typing errors.
    static let minPrefixBytes = 2

    /// The accepted texts, for messages.
    package static let expected =
        "none, or at most \(maxNames) comma-separated names such as fbclid and prefixes such as utm_*, which no "
        + "parameter of this service has"

    private let names: [String]
    /// The texts before `*`.
    private let prefixes: [String]

    /// Creates an empty list.
    package init() { self.init([], prefixes: []) }

    private init(_ names: [String], prefixes: [String]) { (self.names, self.prefixes) = (names, prefixes) }

    /// Parses `none`, or a comma-separated list of names and of prefixes that end with `*`.
    ///
    /// Nil for any other text, and if a parameter of this service has one of the names.
    ///
    /// - Parameters:
    ///   - text: The list.
    ///   - others: Additional names that cannot be ignored, such as signature parameters.
    package init?(_ text: String, besides others: [String]) {
        if text.utf8.elementsEqual("none".utf8) {
            self.init()
            return
        }
        let own = Parameter.all.map(\.name) + DeprecatedName.parameters.map(\.old) + others
        var (names, prefixes): ([String], [String]) = ([], [])
        for part in text.bytes.split(separator: ",", omittingEmptySubsequences: false) {
            let word = part.bytes.trimmed()
            let isPrefix = word.utf8.last == UInt8(ascii: "*")
            let name = String(isPrefix ? Substring(word.utf8.dropLast()) : word)
            guard name.utf8.count >= (isPrefix ? Self.minPrefixBytes : 1), name.utf8.count <= ParameterName.maxBytes,
                name.utf8.allSatisfy(Self.isAllowed),
                !own.contains(where: { isPrefix ? $0.bytes.hasPrefix(name) : $0.bytes == name.bytes })
            else { return nil }
            if isPrefix { prefixes.append(name) } else { names.append(name) }
        }
        guard names.count + prefixes.count <= Self.maxNames else { return nil }
        self.init(names, prefixes: prefixes)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte.isLowerAlphanumeric || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || "_-.".utf8.contains(byte)
    }

    /// The text of the setting.
    package var text: String {
        let all = names + prefixes.map { "\($0)*" }
        return all.isEmpty ? "none" : all.joined(separator: ",")
    }

    /// Whether a name is ignored.
    package func contains(_ name: String) -> Bool {
        names.contains { $0.bytes == name.bytes } || prefixes.contains { name.bytes.hasPrefix($0) }
    }
}
