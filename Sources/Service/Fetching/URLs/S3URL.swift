import UntrustedText
import Encodings

/// The URL of an object in a bucket.
///
/// It is `s3://bucket/key`, with `?versionId=…` for one of its versions; `gs://bucket/key` for Google Cloud Storage; or
/// `abs://container/name` for Azure Blob Storage. Only S3 has versions.
///
/// The key is percent-encoded: `%20` for a space, `%3F` for a question mark, `%23` for a number sign, `%25` for a
/// percent sign. A plus sign represents itself.
package struct S3URL: Hashable, Sendable {
    /// The maximum length of a key in bytes, the same as in S3.
    static let maxKeyBytes = 1024

    /// The kind of service.
    package let scheme: ObjectScheme
    /// The name of the bucket: 1 to 63 ASCII letters, digits, dots, hyphens and underscores.
    package let bucket: String
    /// The key as the path of a request: a slash and the key, percent-encoded except for unreserved characters and
    /// slashes.
    package let path: String
    /// The version, percent-encoded in the same way; nil for the latest version.
    package let versionID: String?

    /// Parses `s3://bucket/key`, or a URL of the same form with another scheme.
    ///
    /// Throws ``FetchError/invalidURL(_:)`` with a text for the caller.
    init(_ text: String, scheme: ObjectScheme = .s3) throws(FetchError) {
        try URLText.check(text, allowsSpaces: true)
        let start = "\(scheme.rawValue)://"
        guard text.bytes.begins(with: start) else {
            throw .invalidURL(scheme == .s3 ? "an S3 URL must begin with s3://" : "the URL must begin with \(start)")
        }
        self.scheme = scheme
        let (location, query) = text.bytes.dropFirst(start.utf8.count).bytes.halves(at: "?")
        guard !text.utf8.contains(UInt8(ascii: "#")) else {
            throw .invalidURL(
                "an \(scheme == .s3 ? "S3" : scheme.rawValue) URL must not have a fragment: write # in a key as %23"
            )
        }
        let bucket = location.bytes.prefix(before: "/")
        guard Self.isBucket(bucket) else {
            throw .invalidURL("the bucket name must have 1 to 63 letters, digits, dots, hyphens or underscores")
        }
        guard location.utf8.count > bucket.utf8.count + 1 else {
            throw .invalidURL("the key is missing: \(start)bucket/key")
        }
        // Servers and proxies shorten paths, so a key that contains `..` could lead to another bucket.
        let key = try PathText.decoded(location.bytes.dropFirst(bucket.utf8.count + 1), atMost: Self.maxKeyBytes)
        self.bucket = String(bucket)
        path = "/" + PercentEncoding.encoded(key, keepsSlashes: true)
        guard scheme == .s3 || query == nil else {
            throw .invalidURL("the URL must not have a query: write ? in a key as %3F")
        }
        if let query { versionID = try Self.version(query) } else { versionID = nil }
        try URLText.checkLength(string)
    }

    /// The URL in normal form: ASCII, percent-encoded like ``path``.
    package var string: String {
        "\(scheme.rawValue)://\(bucket)\(path)" + (versionID.map { "?versionId=\($0)" } ?? "")
    }

    static func isBucket(_ name: Substring) -> Bool {
        guard 1...63 ~= name.utf8.count, let first = name.utf8.first else { return false }
        return first != UInt8(ascii: ".") && first != UInt8(ascii: "-")
            && name.utf8.allSatisfy { $0.isAlphanumeric || ".-_".utf8.contains($0) }
    }

    private static func version(_ query: Substring) throws(FetchError) -> String {
        let name = "versionId="
        guard query.bytes.hasPrefix(name),
            let version = PercentEncoding.decoded(Array(query.utf8.dropFirst(name.utf8.count))),
            1...maxKeyBytes ~= version.utf8.count,
            version.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "&") })
        else {
            throw .invalidURL("the query of an S3 URL may only be versionId=…: write ? in a key as %3F")
        }
        return PercentEncoding.encoded(version)
    }
}
