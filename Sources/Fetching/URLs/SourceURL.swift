/// The URL of an image: on the web, in a bucket, or in the folder of local files.
///
/// Whether it may be fetched depends on the configuration: see ``FetchConfiguration/refusal(of:)``.
package enum SourceURL: Hashable, Sendable {
    case web(WebURL)
    case object(S3URL)
    case file(LocalURL)

    /// The longest accepted URL, in bytes.
    package static let maxLength = URLText.maxLength

    /// Validates and normalises an absolute URL.
    ///
    /// - Parameter text: The caller's text, percent-decoded at most once.
    /// - Throws: ``FetchError/invalidURL(_:)`` with a text for the caller.
    package init(_ text: String) throws(FetchError) {
        switch text.prefix(while: { $0 != ":" }).lowercased() {
        case "s3": self = .object(try S3URL(text))
        case "local": self = .file(try LocalURL(text))
        default: self = .web(try WebURL(text))
        }
    }

    /// The URL in normal form; two URLs are equal if their strings are.
    package var string: String {
        switch self {
        case .web(let url): url.string
        case .object(let url): url.string
        case .file(let url): url.string
        }
    }

    /// `http`, `https`, `s3` or `local`.
    package var scheme: String {
        switch self {
        case .web(let url): url.scheme
        case .object: "s3"
        case .file: "local"
        }
    }

    /// The host, with its port unless it is that of the scheme, or the bucket; nil for a local file.
    ///
    /// Suitable for logs.
    package var place: String? {
        switch self {
        case .web(let url):
            url.port == (url.scheme == "https" ? 443 : 80) ? url.host : "\(url.host):\(url.port)"
        case .object(let url): url.bucket
        case .file: nil
        }
    }
}

extension SourceURL: CustomStringConvertible {
    /// The URL without its query, which may contain signatures and keys; suitable for logs.
    package var description: String {
        guard let query = string.firstIndex(of: "?") else { return string }
        return string[..<query] + "?…"
    }
}
