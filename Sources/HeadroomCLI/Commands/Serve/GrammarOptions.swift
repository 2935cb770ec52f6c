import ArgumentParser
import HeadroomAPI

/// The options of `headroom serve` for other services' addresses, as text.
struct GrammarOptions: ParsableArguments {
    @Option(Settings.grammars) var grammars: String?
    @Option(Settings.thumborKey.file) var thumborKeyFile: String?
    @Option(Settings.imgproxyKey.file) var imgproxyKeyFile: String?
    @Option(Settings.imgproxySalt.file) var imgproxySaltFile: String?
    @Option(Settings.imgproxyPresets) var imgproxyPresets: String?
    @Option(Settings.imgixToken.file) var imgixTokenFile: String?
    @Option(Settings.imgixSources) var imgixSources: String?
    @Option(Settings.cloudinarySecret.file) var cloudinarySecretFile: String?
    @Option(Settings.cloudinaryOrigin) var cloudinaryOrigin: String?
    @Option(Settings.cloudflareOrigin) var cloudflareOrigin: String?
    @Option(Settings.imagekitOrigin) var imagekitOrigin: String?
}

extension ServeSettings {
    /// Other services' addresses, their keys and their presets.
    static func grammars(_ options: GrammarOptions, _ reader: inout SettingsReader) -> GrammarConfiguration {
        var grammars = GrammarConfiguration()
        grammars.names = reader.value(Settings.grammars, options.grammars) ?? []
        grammars.thumborKeys = reader.secrets(Settings.thumborKey, file: options.thumborKeyFile)
        grammars.imgproxyKeys = reader.secrets(Settings.imgproxyKey, file: options.imgproxyKeyFile)
        grammars.imgproxySalts = reader.secrets(Settings.imgproxySalt, file: options.imgproxySaltFile)
        grammars.imgproxyPresets = reader.value(Settings.imgproxyPresets, options.imgproxyPresets) ?? [:]
        let sources = reader.value(Settings.imgixSources, options.imgixSources) ?? ImgixSources()
        grammars.imgixTokens = reader.tokens(Settings.imgixToken, file: options.imgixTokenFile, of: sources)
        grammars.imgixSources = sources
        grammars.cloudinarySecrets = reader.secrets(Settings.cloudinarySecret, file: options.cloudinarySecretFile)
        grammars.cloudinaryOrigin = reader.value(Settings.cloudinaryOrigin, options.cloudinaryOrigin)
        grammars.cloudflareOrigin = reader.value(Settings.cloudflareOrigin, options.cloudflareOrigin)
        grammars.imagekitOrigin = reader.value(Settings.imagekitOrigin, options.imagekitOrigin)
        let (keys, salts) = (grammars.imgproxyKeys, grammars.imgproxySalts)
        if keys.count != salts.count {
            reader.refuse(
                "imgproxy-salt has \(salts.count) salts, and imgproxy-key \(keys.count) keys: expected as many."
            )
        } else if !(keys + salts).allSatisfy(\.isHexadecimal) {
            reader.refuse("imgproxy-key or imgproxy-salt is not valid: expected hexadecimal digits in pairs.")
        }
        return grammars
    }
}
