import Encodings

/// The address of a file below the folder of local files: `local:///path`.
///
/// The path is percent-encoded and decoded once.
package struct LocalURL: Hashable, Sendable {
    /// The longest path and the longest name in bytes, as in Linux.
    static let maxPathBytes = 4095, maxNameBytes = 255

    /// The path of the file relative to the folder, percent-encoded: everything but unreserved characters and slashes.
    private let encodedPath: String

    /// Parses `local:///path`.
    ///
    /// - Throws: ``FetchError/invalidURL(_:)`` with a text for the caller.
    init(_ text: String) throws(FetchError) {
        try URLText.check(text)
        let beginning = "local:///"
        guard text.prefix(beginning.count).lowercased() == beginning else {
            throw .invalidURL("the URL of a local file begins with local:///")
        }
        let rest = text.dropFirst(beginning.count)
        guard !rest.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
            throw .invalidURL("the URL of a local file has no query and no fragment: write ? as %3F and # as %23")
        }
        guard rest.firstRange(of: "%2f") == nil, rest.firstRange(of: "%2F") == nil else {
            throw .invalidURL("the path contains an encoded slash: write it as it is")
        }
        let path = try PathText.decoded(rest, atMost: Self.maxPathBytes)
        let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard names.allSatisfy({ 1...Self.maxNameBytes ~= $0.count }) else {
            throw .invalidURL("the path contains an empty name, or one of more than \(Self.maxNameBytes) bytes")
        }
        guard !names.contains(where: { $0.first == UInt8(ascii: ".") }) else {
            throw .invalidURL("the path contains a name that begins with a dot")
        }
        encodedPath = PercentEncoding.encoded(path, keepsSlashes: true)
        try URLText.checkLength(string)
    }

    /// The URL in normal form: ASCII, everything but unreserved characters and slashes encoded.
    package var string: String { "local:///\(encodedPath)" }

    /// The path of the file relative to the folder.
    var path: String {
        guard let path = PercentEncoding.decoded(Array(encodedPath.utf8)) else {
            preconditionFailure("an encoded path can be decoded")
        }
        return path
    }
}
