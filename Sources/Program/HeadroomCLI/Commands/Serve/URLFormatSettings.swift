#if Addresses
import Addresses
import ArgumentParser
import HeadroomAPI

/// The options of `headroom serve` for other services' URL formats, as text.
struct URLFormatOptions: ParsableArguments {
    @Option("url-formats") var urlFormats: String?
    @Option(Settings.thumborKey.file) var thumborKeyFile: String?
    @Option(Settings.imgproxyKey.file) var imgproxyKeyFile: String?
    @Option(Settings.imgproxySalt.file) var imgproxySaltFile: String?
    @Option(Settings.imgproxyEncryptionKey.file) var imgproxyEncryptionKeyFile: String?
    @Option("imgproxy-presets") var imgproxyPresets: String?
    @Option(Settings.imgixToken.file) var imgixTokenFile: String?
    @Option("imgix-sources") var imgixSources: String?
    @Option(Settings.cloudinarySecret.file) var cloudinarySecretFile: String?
    @Option("cloudinary-origin") var cloudinaryOrigin: String?
    @Option("cloudflare-origin") var cloudflareOrigin: String?
    @Option("imagekit-origin") var imagekitOrigin: String?
}

/// The options of URL formats with old names, as in ``DeprecatedName``.
struct DeprecatedURLFormatOptions: ParsableArguments {
    @Option(name: .customLong("grammars")) var grammars: String?

    /// The given values, by the old name of the setting.
    var values: [String: String] { grammars.map { ["grammars": $0] } ?? [:] }
}

extension ServeSettings {
    /// The URL formats of a service without this setting.
    static let noURLFormats = URLFormatConfiguration()

    /// Whether URLs of other services are served.
    var servesURLFormats: Bool { !urlFormats.names.isEmpty }

    /// Reads the services whose URL formats are served, and their keys.
    mutating func readURLFormats(_ options: ServeOptions, _ reader: inout SettingsReader) {
        read(ServeRows.urlFormats, options, &reader)
        Self.readKeys(options.urlFormats, of: &urlFormats, &reader)
        service.reloadable.urlFormats = urlFormats.served
    }

    private static func readKeys(
        _ options: URLFormatOptions,
        of urlFormats: inout URLFormatConfiguration,
        _ reader: inout SettingsReader
    ) {
        urlFormats.thumborKeys = reader.secrets(Settings.thumborKey, file: options.thumborKeyFile)
        urlFormats.imgproxyKeys = reader.secrets(Settings.imgproxyKey, file: options.imgproxyKeyFile)
        urlFormats.imgproxySalts = reader.secrets(Settings.imgproxySalt, file: options.imgproxySaltFile)
        urlFormats.imgproxyEncryptionKeys = reader.secrets(
            Settings.imgproxyEncryptionKey,
            file: options.imgproxyEncryptionKeyFile
        )
        urlFormats.imgixTokens = reader.tokens(
            Settings.imgixToken,
            file: options.imgixTokenFile,
            of: urlFormats.imgixSources
        )
        urlFormats.cloudinarySecrets = reader.secrets(Settings.cloudinarySecret, file: options.cloudinarySecretFile)
        checkEncryption(urlFormats, &reader)
        let (keys, salts) = (urlFormats.imgproxyKeys, urlFormats.imgproxySalts)
        if keys.count != salts.count {
            reader.refuse(
                "imgproxy-salt contains \(salts.count) salts, but imgproxy-key contains \(keys.count) keys: expected one salt "
                    + "per key."
            )
        } else if !(keys + salts).allSatisfy(\.isHexadecimal) {
            reader.refuse("imgproxy-key or imgproxy-salt is not valid: expected hexadecimal digits in pairs.")
        }
    }

    /// Checks the keys of imgproxy's encrypted sources.
    private static func checkEncryption(_ urlFormats: URLFormatConfiguration, _ reader: inout SettingsReader) {
        let keys = urlFormats.imgproxyEncryptionKeys
        guard !keys.isEmpty else { return }
        let areKeys = keys.allSatisfy { key in key.isHexadecimal && key.withBytes { [32, 48, 64].contains($0.count) } }
        if !areKeys {
            reader.refuse(
                "imgproxy-encryption-key is not valid: expected 32, 48 or 64 hexadecimal digits for each key."
            )
        }
        if urlFormats.imgproxyKeys.isEmpty, reader.errors.isEmpty {
            reader.refuse(
                "imgproxy-encryption-key requires imgproxy-key: without a signature, clients could change encrypted sources."
            )
        }
    }

    /// The reason why a reload must not apply these URL formats; nil if it may.
    func refusalOfURLFormats(after old: ServeSettings) -> String? {
        let opened = urlFormats.unsigned.subtracting(old.urlFormats.unsigned)
        guard !opened.isEmpty else { return nil }
        let names = opened.map(\.rawValue).sorted().joined(separator: ",")
        return
            "a reload cannot remove all keys of \(names), because every client could then use these URLs; restart to do that"
    }
}

extension SettingsReader {
    /// Reads the tokens of imgix' sources like ``secrets(_:file:)``.
    fileprivate mutating func tokens(
        _ setting: SecretSetting,
        file option: String?,
        of sources: ImgixSources
    ) -> ImgixTokens {
        secrets(setting, file: option, default: ImgixTokens(), \.all) { text throws(Secret.ListError) in
            try ImgixTokens(text, of: sources)
        }
    }
}

extension ServeRows {
    private static let urlFormatWords = URLFormatName.allCases.map(\.rawValue).joined(separator: ", ")

    /// The rows of other services' URL formats.
    static let urlFormats: [ServeSetting] = [
        ServeSetting(
            Setting(
                "url-formats",
                "URL formats of other services to accept, each below its prefix (/thumbor, /imgproxy, …): \(urlFormatWords); a "
                    + "comma-separated list.",
                default: [],
                words: "none",
                expected: "one or more of \(urlFormatWords), separated by commas",
                valueName: "list",
                text: { $0.isEmpty ? nil : $0.map(\.rawValue).joined(separator: ",") },
                parse: { URLFormatName.list($0) }
            ).reloadable,
            \.urlFormats.urlFormats,
            \.urlFormats.names
        ),
        ServeSetting(
            Setting(
                "imgproxy-presets",
                "Presets for imgproxy URLs: name=option:arguments/option:arguments; a comma-separated list.",
                default: [:],
                words: "none",
                expected: "name=options, separated by commas, such as small=rs:fit:300:300/q:70",
                valueName: "list",
                text: { _ in nil },
                parse: presets
            ).reloadable,
            \.urlFormats.imgproxyPresets,
            \.urlFormats.imgproxyPresets
        ),
        ServeSetting(
            Setting(
                "imgix-sources",
                "Sources for imgix URLs: name=base URL, or * to also accept absolute URLs; a comma-separated list.",
                default: ImgixSources(),
                words: "*",
                expected: "name=https://host/path or *, separated by commas, with a-z, 0-9 and - in names",
                valueName: "list",
                text: { _ in nil },
                parse: { ImgixSources($0) }
            ).reloadable,
            \.urlFormats.imgixSources,
            \.urlFormats.imgixSources
        ),
        origin(
            "cloudinary-origin",
            "Base URL of uploaded Cloudinary sources.",
            \.urlFormats.cloudinaryOrigin,
            \.urlFormats.cloudinaryOrigin
        ),
        origin(
            "cloudflare-origin",
            "Base URL of Cloudflare sources that are paths.",
            \.urlFormats.cloudflareOrigin,
            \.urlFormats.cloudflareOrigin
        ),
        origin(
            "imagekit-origin",
            "Base URL of ImageKit sources that are paths.",
            \.urlFormats.imagekitOrigin,
            \.urlFormats.imagekitOrigin
        ),
    ]

    private static func origin(
        _ name: String,
        _ help: String,
        _ option: ServeSetting.OptionPath,
        _ place: ServeSetting.Place<OriginBase?>
    ) -> ServeSetting {
        let setting = Setting<OriginBase?>.optional(
            name,
            help,
            default: "none",
            expected: "an http or https URL without a query",
            valueName: "url",
            text: { $0?.description },
            parse: { OriginBase($0) }
        )
        return ServeSetting(setting.reloadable, option, place)
    }

    private static func presets(_ text: String) -> [String: String]? {
        var presets: [String: String] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
            guard sides.count == 2, presets.updateValue(sides[1], forKey: sides[0]) == nil else { return nil }
        }
        return presets
    }
}
#endif
