import UntrustedText
import CCurl
import Encodings

/// The URL of an image on the web, in a bucket, or in the folder of local files.
///
/// The configuration determines whether it may be fetched: see ``FetchConfiguration/refusal(of:)``.
package enum SourceURL: Hashable, Sendable, CustomStringConvertible {
    case web(WebURL)
    case object(S3URL)
    case file(LocalURL)

    /// The maximum length of an accepted URL, in bytes.
    package static let maxLength = URLText.maxLength

    /// Validates and normalises an absolute URL that was percent-decoded at most once; `//host/path` means https.
    ///
    /// - Throws: ``FetchError/invalidURL(_:)`` with a text for the caller.
    package init(_ text: String) throws(FetchError) {
        if let scheme = ObjectScheme.allCases.first(where: { text.bytes.begins(with: "\($0.rawValue):") }) {
            self = .object(try S3URL(text, scheme: scheme))
        } else if text.bytes.begins(with: "local:") {
            self = .file(try LocalURL(text))
        } else {
            self = .web(try WebURL(text))
        }
    }

    /// The URL in normal form.
    ///
    /// Two URLs are equal if these strings are equal.
    package var string: String {
        switch self {
        case .web(let url): url.string
        case .object(let url): url.string
        case .file(let url): url.string
        }
    }

    /// `http`, `https`, `s3`, `gs`, `abs` or `local`.
    package var scheme: String {
        switch self {
        case .web(let url): url.scheme
        case .object(let url): url.scheme.rawValue
        case .file: "local"
        }
    }

    /// The host or the bucket, for logs; nil for a local file.
    ///
    /// The host includes its port unless it is the scheme's default port.
    package var place: String? {
        switch self {
        case .web(let url): url.port == (url.scheme == "https" ? 443 : 80) ? url.host : "\(url.host):\(url.port)"
        case .object(let url): url.bucket
        case .file: nil
        }
    }

    /// The name of the file: the last part of the path, decoded; nil if it is empty or not UTF-8.
    package var fileName: String? {
        let path = string.bytes.prefix(before: "?")
        let parts = path.bytes.split(separator: "/", omittingEmptySubsequences: false)
        // The parts before the path are the scheme, an empty part, and the host or bucket.
        guard parts.count > 3, let last = parts.last, !last.isEmpty else { return nil }
        return PercentEncoding.decoded(Array(last.utf8))
    }

    /// The URL without its query, which may contain signatures and keys; suitable for logs.
    package var description: String { URLText.withoutQuery(string) }
}

/// A handle of libcurl's URL parser.
///
/// The transfer uses the same parser, so the check and the transfer interpret a URL in the same way.
struct URLParser: ~Copyable {
    private let handle: OpaquePointer

    init() {
        // bounded: does not depend on input
        guard let handle = curl_url() else { preconditionFailure("out of memory") }
        self.handle = handle
    }

    deinit { curl_url_cleanup(handle) }

    /// Parses an absolute URL, or a URL relative to the parser's current URL.
    ///
    /// Throws libcurl's error message.
    func parse(_ url: String) throws(URLParserError) {
        let flags = CURLU_DISALLOW_USER | CURLU_URLENCODE
        // bounded: constants
        try check(curl_url_set(handle, CURLUPART_URL, url, UInt32(flags)))
    }

    func set(_ part: CURLUPart, to value: String?) throws(URLParserError) {
        try check(curl_url_set(handle, part, value, 0))
    }

    /// Returns a part of the URL; nil if the part is missing.
    func get(_ part: CURLUPart, flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        // bounded: constants
        guard curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    private func check(_ code: CURLUcode) throws(URLParserError) {
        guard code != CURLUE_OK else { return }
        throw URLParserError(code: code, message: String(cString: curl_url_strerror(code)))
    }
}

/// An error of libcurl's URL parser.
struct URLParserError: Error {
    let code: CURLUcode
    let message: String
}

/// The URL of a file below the folder of local files: `local:///path`.
///
/// The path is percent-encoded and is decoded once. Its bytes need not be valid UTF-8.
package struct LocalURL: Hashable, Sendable {
    /// The maximum length of a path and of a name in bytes, the same as in Linux.
    static let maxPathBytes = 4095, maxNameBytes = 255

    /// The path of the file relative to the folder, percent-encoded except for unreserved characters and slashes.
    private let encodedPath: String

    /// Parses `local:///path`.
    ///
    /// Throws ``FetchError/invalidURL(_:)`` with a text for the caller.
    init(_ text: String) throws(FetchError) {
        try URLText.check(text, allowsSpaces: true)
        let beginning = "local:///"
        guard text.bytes.begins(with: beginning) else {
            throw .invalidURL("the URL of a local file must begin with local:///")
        }
        let rest = text.bytes.dropFirst(beginning.count)
        guard !rest.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
            throw .invalidURL("the URL of a local file must not have a query or fragment: write ? as %3F and # as %23")
        }
        guard rest.bytes.firstRange(of: "%2f") == nil, rest.bytes.firstRange(of: "%2F") == nil else {
            throw .invalidURL("the path contains an encoded slash: write it unencoded")
        }
        guard let path = PercentEncoding.bytes(of: Array(rest.utf8)) else {
            throw .invalidURL("the path is not percent-encoded: write % as %25")
        }
        guard !path.isEmpty else { throw .invalidURL("the path is empty") }
        guard path.count <= Self.maxPathBytes else {
            throw .invalidURL("the path has more than \(Self.maxPathBytes) bytes")
        }
        guard !path.contains(0) else { throw .invalidURL("the path contains a NUL") }
        let names = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard names.allSatisfy({ 1...Self.maxNameBytes ~= $0.count }) else {
            throw .invalidURL("the path contains an empty name, or a name of more than \(Self.maxNameBytes) bytes")
        }
        guard !names.contains(where: { $0.first == UInt8(ascii: ".") }) else {
            throw .invalidURL("the path contains a name that starts with a dot")
        }
        encodedPath = PercentEncoding.encoded(path, keepsSlashes: true)
        try URLText.checkLength(string)
    }

    /// The URL in normal form: ASCII, percent-encoded except for unreserved characters and slashes.
    package var string: String { "local:///\(encodedPath)" }

    /// The path of the file relative to the folder, in the form of ``FileName``.
    var path: String {
        // This path was encoded here, so decoding cannot fail.
        FileName.text(of: PercentEncoding.bytes(of: Array(encodedPath.utf8)) ?? [])
    }
}
