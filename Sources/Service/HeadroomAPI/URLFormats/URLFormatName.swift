import UntrustedText

/// Another service whose URLs this service supports.
package enum URLFormatName: String, CaseIterable, Sendable {
    case thumbor, imgproxy, imgix, cloudinary
    /// Cloudflare Images: transformations by URL.
    case cloudflare
    /// weserv, at wsrv.nl and images.weserv.nl.
    case weserv
    case imagekit

    /// The path prefix of the URLs, without a trailing slash.
    package var prefix: String { self == .cloudflare ? "/cdn-cgi/image" : "/\(rawValue)" }

    /// Returns the URL format of a path; nil if the path does not start with the prefix of a URL format.
    package static func of(path: String) -> URLFormatName? {
        allCases.first { $0.contains(path: path) }
    }

    /// Whether a path is below the prefix.
    func contains(path: String) -> Bool {
        let prefix = prefix.utf8
        return path.utf8.starts(with: prefix) && path.utf8.dropFirst(prefix.count).first == UInt8(ascii: "/")
    }

    /// Parses a comma-separated list; nil for unknown words.
    package static func list(_ text: String) -> [URLFormatName]? {
        let names = text.bytes.split(separator: ",", omittingEmptySubsequences: false).map { part in
            URLFormatName(rawValue: String(part.bytes.withoutSpaces()))
        }
        return names.contains(nil) ? nil : names.compactMap(\.self)
    }
}
