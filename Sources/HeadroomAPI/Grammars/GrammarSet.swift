import UntrustedText

/// A service whose URLs this one supports.
package enum GrammarName: String, CaseIterable, Sendable {
    case thumbor, imgproxy, imgix, cloudinary
    /// Cloudflare Images: transformations by URL.
    case cloudflare
    /// weserv, as at wsrv.nl and images.weserv.nl.
    case weserv
    case imagekit

    /// The prefix of its paths, without a trailing slash.
    package var prefix: String { self == .cloudflare ? "/cdn-cgi/image" : "/\(rawValue)" }

    /// The grammar of a path; nil if the path has no prefix of a grammar.
    package static func of(path: String) -> GrammarName? {
        allCases.first { name in
            let prefix = name.prefix.utf8
            return path.utf8.starts(with: prefix) && path.utf8.dropFirst(prefix.count).first == UInt8(ascii: "/")
        }
    }

    /// Parses a list separated by commas; nil for unknown words.
    package static func list(_ text: String) -> [GrammarName]? {
        let names = text.bytes.split(separator: ",", omittingEmptySubsequences: false).map { part in
            GrammarName(rawValue: String(part.bytes.withoutSpaces()))
        }
        return names.contains(nil) ? nil : names.compactMap(\.self)
    }
}

/// The grammars that are served, and their settings.
package struct GrammarConfiguration: Sendable {
    package var names: [GrammarName] = []
    /// The keys of thumbor (`SECURITY_KEY`) and imagor (`IMAGOR_SECRET`).
    package var thumborKeys: [Secret] = []
    /// The keys of imgproxy, in hexadecimal digits.
    package var imgproxyKeys: [Secret] = []
    /// The salts of imgproxy, in hexadecimal digits, one for each key.
    package var imgproxySalts: [Secret] = []
    /// The presets of imgproxy: options by name.
    package var imgproxyPresets: [String: String] = [:]
    package var imgixTokens = ImgixTokens()
    package var imgixSources = ImgixSources()
    package var cloudinarySecrets: [Secret] = []
    /// The base address of Cloudinary's uploaded sources; nil serves fetched ones only.
    package var cloudinaryOrigin: OriginBase?
    /// The base address of Cloudflare's sources that are named by a path; nil serves absolute addresses only.
    package var cloudflareOrigin: OriginBase?
    /// The base address of ImageKit's sources that are named by a path; nil serves absolute addresses only.
    package var imagekitOrigin: OriginBase?

    /// The grammars that support signatures and have no key: their addresses need no signature.
    package var unsigned: Set<GrammarName> {
        let keys: [(GrammarName, [Secret])] = [
            (.thumbor, thumborKeys), (.imgproxy, imgproxyKeys), (.imgix, imgixTokens.all),
            (.cloudinary, cloudinarySecrets),
        ]
        return Set(keys.filter(\.1.isEmpty).map(\.0))
    }

    package init() {}
}

/// The grammars that a service serves.
package struct GrammarSet: Sendable {
    private let grammars: [GrammarName: any URLGrammar]

    package init() { grammars = [:] }

    package init(_ configuration: GrammarConfiguration) {
        var grammars: [GrammarName: any URLGrammar] = [:]
        for name in configuration.names {
            grammars[name] = Self.grammar(name, configuration)
        }
        self.grammars = grammars
    }

    private static func grammar(_ name: GrammarName, _ configuration: GrammarConfiguration) -> (any URLGrammar)? {
        switch name {
        case .thumbor: ThumborGrammar(keys: configuration.thumborKeys)
        case .imgproxy:
            ImgproxyGrammar(
                keys: configuration.imgproxyKeys,
                salts: configuration.imgproxySalts,
                presets: configuration.imgproxyPresets
            )
        case .imgix: ImgixGrammar(sources: configuration.imgixSources, tokens: configuration.imgixTokens)
        case .cloudinary:
            CloudinaryGrammar(origin: configuration.cloudinaryOrigin, secrets: configuration.cloudinarySecrets)
        case .cloudflare: CloudflareGrammar(origin: configuration.cloudflareOrigin)
        case .weserv: WeservGrammar()
        case .imagekit: ImageKitGrammar(origin: configuration.imagekitOrigin)
        }
    }

    /// A grammar; nil if it is not served.
    package subscript(name: GrammarName) -> (any URLGrammar)? { grammars[name] }
}
