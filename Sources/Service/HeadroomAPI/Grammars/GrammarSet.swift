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

    /// No grammar is served.
    package init() {}
}

/// The grammars that a service serves.
package struct GrammarSet: Sendable {
    private let grammars: [GrammarName: any URLGrammar]

    /// No grammars: every address is one of this service.
    package init() { grammars = [:] }

    /// The grammars that a configuration names, with its keys and origins.
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
