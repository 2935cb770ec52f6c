/// A service whose URLs this one understands.
package enum GrammarName: String, CaseIterable, Sendable {
    /// thumbor and imagor.
    case thumbor
    /// imgproxy.
    case imgproxy
    /// imgix.
    case imgix
    /// Cloudinary.
    case cloudinary
    /// Cloudflare Images: transformations by URL.
    case cloudflare

    /// The beginning of its paths, without a slash at its end.
    package var prefix: String { self == .cloudflare ? "/cdn-cgi/image" : "/\(rawValue)" }

    /// The grammar of a path; nil if it begins with no prefix.
    package static func of(path: String) -> GrammarName? {
        allCases.first { name in
            let prefix = name.prefix.utf8
            return path.utf8.starts(with: prefix) && path.utf8.dropFirst(prefix.count).first == UInt8(ascii: "/")
        }
    }

    /// Parses a list separated by commas; nil for unknown words.
    package static func list(_ text: String) -> [GrammarName]? {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            GrammarName(rawValue: String(part.filter { $0 != " " }))
        }
        return names.contains(nil) ? nil : names.compactMap(\.self)
    }
}
