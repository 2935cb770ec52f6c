package import HeadroomAPI

/// The grammars that are served, and their settings.
package struct GrammarConfiguration: Sendable {
    /// The services whose addresses are served.
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
    package var unsigned: Set<GrammarName> { Set(GrammarName.allCases.filter { grammar($0).signing.lacksKeys }) }

    /// No grammar is served.
    package init() {}

    /// The grammars that are served, with their keys and origins.
    package var served: GrammarSet {
        GrammarSet(Dictionary(names.map { ($0, grammar($0)) }) { first, _ in first })
    }

    private func grammar(_ name: GrammarName) -> any URLGrammar {
        switch name {
        case .thumbor: ThumborGrammar(keys: thumborKeys)
        case .imgproxy:
            ImgproxyGrammar(
                keys: imgproxyKeys,
                salts: imgproxySalts,
                presets: imgproxyPresets
            )
        case .imgix: ImgixGrammar(sources: imgixSources, tokens: imgixTokens)
        case .cloudinary:
            CloudinaryGrammar(origin: cloudinaryOrigin, secrets: cloudinarySecrets)
        case .cloudflare: CloudflareGrammar(origin: cloudflareOrigin)
        case .weserv: WeservGrammar()
        case .imagekit: ImageKitGrammar(origin: imagekitOrigin)
        }
    }
}
