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
        "File with imgix' tokens; addresses below /imgix then need a signature.",
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
    static let imgixOrigin = origin("imgix-origin", "Base address of imgix sources that are paths.")
    static let cloudinaryOrigin = origin("cloudinary-origin", "Base address of Cloudinary sources that are names.")
    static let cloudflareOrigin = origin("cloudflare-origin", "Base address of Cloudflare sources that are paths.")

    private static let grammarWords = GrammarName.allCases.map(\.rawValue).joined(separator: ", ")

    private static func origin(_ name: String, _ help: String) -> Setting<String?> {
        .optional(
            name,
            help,
            default: "none",
            expected: "an address that begins with http:// or https://",
            valueName: "url",
            text: { $0 },
            parse: { text in
                ["http://", "https://"].contains { text.hasPrefix($0) && text.count > $0.count } ? text : nil
            }
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
