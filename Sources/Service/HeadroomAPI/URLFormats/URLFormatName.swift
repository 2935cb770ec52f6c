import UntrustedText

/// The name of another service whose URLs this one supports, and the paths of these URLs.
///
/// Each folder of `Sources/Addresses` declares one name.
package struct URLFormatName: Sendable {
    /// The name in settings, logs and metrics.
    package let rawValue: String
    /// The prefix of its paths, without a trailing slash.
    package let prefix: String
    /// The starts of paths without the prefix, which the problem of an unknown path recognises.
    let otherStarts: [String]

    /// Declares a name.
    ///
    /// - Parameters:
    ///   - rawValue: The name in settings, logs and metrics.
    ///   - prefix: The prefix of its paths, without a trailing slash; nil for the name after a slash.
    ///   - otherStarts: The starts of paths without the prefix, which the problem of an unknown path recognises.
    package init(_ rawValue: String, prefix: String? = nil, otherStarts: [String] = []) {
        self.rawValue = rawValue
        self.prefix = prefix ?? "/\(rawValue)"
        self.otherStarts = otherStarts
    }

    /// Whether a path is below the prefix.
    package func contains(path: String) -> Bool {
        let prefix = prefix.utf8
        return path.utf8.starts(with: prefix) && path.utf8.dropFirst(prefix.count).first == UInt8(ascii: "/")
    }
}

extension URLFormatName: Hashable {
    package static func == (left: URLFormatName, right: URLFormatName) -> Bool {
        left.rawValue.bytes == right.rawValue.bytes
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
