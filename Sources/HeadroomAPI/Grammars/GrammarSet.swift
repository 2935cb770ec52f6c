/// The grammars that a service serves.
package struct GrammarSet: Sendable {
    private let grammars: [GrammarName: any URLGrammar]

    /// None.
    package init() { grammars = [:] }

    /// The grammars of a configuration.
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
        }
    }

    /// A grammar; nil if it is not served.
    package subscript(name: GrammarName) -> (any URLGrammar)? { grammars[name] }
}
