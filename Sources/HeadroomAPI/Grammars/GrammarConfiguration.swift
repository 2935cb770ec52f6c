/// Which grammars are served, and their settings.
package struct GrammarConfiguration: Sendable {
    /// The grammars that are served.
    package var names: [GrammarName] = []
    /// The keys of thumbor (`SECURITY_KEY`) and imagor (`IMAGOR_SECRET`).
    package var thumborKeys: [Secret] = []
    /// The keys of imgproxy, in hexadecimal digits.
    package var imgproxyKeys: [Secret] = []
    /// The salts of imgproxy, in hexadecimal digits, one for each key.
    package var imgproxySalts: [Secret] = []
    /// The presets of imgproxy: options by name.
    package var imgproxyPresets: [String: String] = [:]
    /// The tokens of imgix.
    package var imgixTokens = ImgixTokens()
    /// The sources of imgix.
    package var imgixSources = ImgixSources()
    /// The API secrets of Cloudinary.
    package var cloudinarySecrets: [Secret] = []
    /// Where uploaded sources of Cloudinary are; nil serves fetched ones only.
    package var cloudinaryOrigin: OriginBase?
    /// The base address of Cloudflare sources that are paths; nil serves whole addresses only.
    package var cloudflareOrigin: OriginBase?

    /// The grammars whose keys were removed or never set: their addresses need no signature.
    package var unsigned: Set<GrammarName> {
        let keys: [(GrammarName, [Secret])] = [
            (.thumbor, thumborKeys), (.imgproxy, imgproxyKeys), (.imgix, imgixTokens.all),
            (.cloudinary, cloudinarySecrets),
        ]
        return Set(keys.filter(\.1.isEmpty).map(\.0))
    }

    /// No grammar.
    package init() {}
}
