package import HeadroomAPI
import UntrustedText

/// The services whose URLs Headroom supports.
///
/// A new service is a folder in `Sources/Addresses` and a line in ``all``.
package enum URLFormats {
    /// The URL format of each service, in the order of the documentation.
    package static let all: [any ConfigurableURLFormat.Type] = [
        ThumborURLFormat.self,
        ImgproxyURLFormat.self,
        ImgixURLFormat.self,
        CloudinaryURLFormat.self,
        CloudflareURLFormat.self,
        WeservURLFormat.self,
        ImageKitURLFormat.self,
        NextURLFormat.self,
        ShopifyURLFormat.self,
        SanityURLFormat.self,
    ]

    /// The routes of a service that supports all URL formats.
    package static let routes = RouteTable(urlFormats: URLFormatName.allCases)
}

extension URLFormatName {
    /// The name of each service, in the order of the documentation.
    package static let allCases: [URLFormatName] = URLFormats.all.map { $0.name }

    /// Finds the name of a service; nil for other text.
    package init?(rawValue: String) {
        guard let name = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = name
    }

    /// Returns the URL format of a path; nil if the path does not start with the prefix of a URL format.
    package static func of(path: String) -> URLFormatName? { allCases.first { $0.contains(path: path) } }

    /// Parses a comma-separated list; nil for unknown words.
    package static func list(_ text: String) -> [URLFormatName]? {
        let names = text.bytes.split(separator: ",", omittingEmptySubsequences: false).map { part in
            URLFormatName(rawValue: String(part.bytes.withoutSpaces()))
        }
        return names.contains(nil) ? nil : names.compactMap(\.self)
    }
}
