import HeadroomAPI

/// Settings of other services' addresses.
extension Settings {
    static let grammars = Setting<[GrammarName]?>.optional(
        "grammars",
        "Other services whose addresses are served below their prefixes: \(grammarWords); a comma-separated list.",
        default: "none",
        expected: "some of \(grammarWords), separated by commas",
        valueName: "list",
        text: { $0?.map(\.rawValue).joined(separator: ",") },
        parse: { GrammarName.list($0) }
    ).reloadable
    static let thumborKey = SecretSetting(
        "thumbor-key",
        "File with thumbor's SECURITY_KEY; addresses below /thumbor then need its signature.",
        lengths: Secret.foreignLengths
    )
    static let imgproxyKey = SecretSetting(
        "imgproxy-key",
        "File with imgproxy's keys in hexadecimal digits; addresses below /imgproxy then need a signature.",
        lengths: Secret.foreignLengths
    )
    static let imgproxySalt = SecretSetting(
        "imgproxy-salt",
        "File with imgproxy's salts in hexadecimal digits, one for each key.",
        lengths: Secret.foreignLengths
    )
    static let imgixToken = SecretSetting(
        "imgix-token",
        "File with imgix' tokens, as name=token for each source; addresses below /imgix then need a signature.",
        lengths: Secret.foreignLengths
    )
    static let cloudinarySecret = SecretSetting(
        "cloudinary-secret",
        "File with Cloudinary's API secrets; addresses below /cloudinary then need a signature.",
        lengths: Secret.foreignLengths
    )
    static let imgproxyPresets = Setting<[String: String]?>.optional(
        "imgproxy-presets",
        "Presets of imgproxy: name=option:arguments/option:arguments; a comma-separated list.",
        default: "none",
        expected: "name=options, separated by commas, such as small=rs:fit:300:300/q:70",
        valueName: "list",
        parse: presets
    ).reloadable
    static let imgixSources = Setting<ImgixSources?>.optional(
        "imgix-sources",
        "Sources of imgix: name=base address; * also serves whole addresses; a comma-separated list.",
        default: "*",
        expected: "name=https://host/path or *, separated by commas; names have a-z, 0-9 and -",
        valueName: "list",
        parse: { ImgixSources($0) }
    ).reloadable
    static let cloudinaryOrigin = origin("cloudinary-origin", "Base address of uploaded sources of Cloudinary.")
    static let cloudflareOrigin = origin("cloudflare-origin", "Base address of Cloudflare sources that are paths.")
    static let imagekitOrigin = origin("imagekit-origin", "Base address of ImageKit's sources that are paths.")

    private static let grammarWords = GrammarName.allCases.map(\.rawValue).joined(separator: ", ")

    private static func origin(_ name: String, _ help: String) -> Setting<OriginBase?> {
        .optional(
            name,
            help,
            default: "none",
            expected: "an http or https address without a query",
            valueName: "url",
            text: { $0?.description },
            parse: { OriginBase($0) }
        ).reloadable
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
