import Cryptography
import Encodings
package import HeadroomAPI
import HTTPTypes
import Requests
import UntrustedText

/// imgix' URLs: `/SOURCE/PATH?PARAMETERS` or `/ADDRESS?PARAMETERS`.
package struct ImgixURLFormat: ConfigurableURLFormat {
    package static let name = URLFormatName.imgix
    package static let title = "imgix"
    package static let settings: [URLFormatSetting<Self>] = [
        .secrets(
            "imgix-token",
            "File with imgix tokens, as name=token for each source. With it, URLs below /imgix require a signature.",
            all: \.tokens.all
        ) { text, format throws(Secret.ListError) in
            format.tokens = try ImgixTokens(text, of: format.sources)
        },
        .text(
            "imgix-sources",
            "Sources for imgix URLs: name=base URL, or * to also accept absolute URLs; a comma-separated list.",
            default: "*",
            expected: "name=https://host/path or *, separated by commas, with a-z, 0-9 and - in names",
            \.sources,
            parse: { ImgixSources($0) }
        ),
    ]

    /// The available sources.
    package var sources = ImgixSources()
    /// The tokens for signatures; without tokens, URLs need no signature.
    package var tokens = ImgixTokens()

    package init() {}

    /// A URL format of named sources and of absolute URLs.
    ///
    /// - Parameters:
    ///   - sources: The available sources.
    ///   - tokens: The tokens for signatures. Without tokens, URLs need no signature.
    package init(sources: ImgixSources = ImgixSources(), tokens: ImgixTokens = ImgixTokens()) {
        self.sources = sources
        self.tokens = tokens
    }

    package var signing: Signing { .keys(tokens.all) }

    package static var optionNames: [String] { ImgixParameter.all }

    package func translate(_ address: ForeignURL) throws(Problem) -> Translation {
        let resolved = try sources.resolve(address.path)
        var result = try ImgixTranslation(ImgixOptions(query: address.query), source: resolved.source).result
        result.namesOrigin = resolved.name == ImgixSources.wholeAddresses
        return result
    }

    /// Checks `s`, the MD5 of the source's token, path and query.
    ///
    /// An MD5 can be extended without the token, but only by zero bytes, which no URL contains.
    ///
    /// - Returns: The position of the token among the tokens of its source, from 1.
    /// - Throws: A ``Problem`` with status 403.
    @discardableResult
    package func verify(_ address: ForeignURL) throws(Problem) -> Int {
        let pairs = address.query?.bytes.split(separator: "&", omittingEmptySubsequences: false) ?? []
        let given = Array((pairs.last { $0.bytes.hasPrefix("s=") }?.dropFirst(2) ?? "").utf8)
        let query = pairs.filter { !$0.bytes.hasPrefix("s=") }.joined(separator: "&")
        let resolved = try sources.resolve(address.path)
        let path = resolved.signedPath
        let signed = Array((query.isEmpty ? path : "\(path)?\(query)").utf8)
        let expected = tokens[resolved.name].map { token in
            [Array(Hexadecimal.text(token.withBytes { MessageDigest.md5.digest(of: $0 + signed) }).utf8)]
        }
        return try position(of: given, among: expected, of: "token, then \(path)", .forbidden)
    }
}

/// The parameters of one imgix URL.
struct ImgixOptions {
    private(set) var values = AddressOptions(unicode: ["dl"])
    private(set) var ignored: [String] = []

    /// Options that a service with the same parameters has read.
    init(_ values: AddressOptions, ignored: [String]) { (self.values, self.ignored) = (values, ignored) }

    /// Parses a query; if a parameter is repeated, the first one applies.
    ///
    /// - Throws: A ``Problem`` for a parameter that is not supported, or not percent-encoded.
    init(query: String?) throws(Problem) {
        for pair in try Problem.checked(QueryString.pairs(query)) {
            let (name, value) = try Self.decoded(pair)
            // A parameter without a value has no effect.
            if ImgixParameter.silent.contains(name) || value.isEmpty { continue }
            if ImgixParameter.translated.contains(name) {
                if values[name] == nil { try values.set(name, value) }
            } else if let long = ImgixParameter.missing[name] {
                guard (["", "0", "false", "none"] as [ByteText]).contains(value.bytes) else {
                    throw .unsupported(option: long == name ? name : "\(name) (\(long))")
                }
            } else if !ImgixParameter.missingPrefixes.contains(where: name.bytes.hasPrefix) {
                ignored.append(name)
            }
        }
    }

    /// The usual name and the value of a parameter; `txt64=…` is `txt` in URL-safe base 64 (RFC 4648 §5).
    private static func decoded(_ pair: (name: String, value: String)) throws(Problem) -> (String, String) {
        let isEncoded = pair.name.bytes.hasSuffix("64") && pair.name.utf8.count > 2
        let name = isEncoded ? String(pair.name.dropLast(2)) : pair.name
        let value = isEncoded ? Self.text(inBase64: pair.value) : pair.value
        guard let value else { throw .invalid(option: pair.name, expected: "text in URL-safe base 64") }
        return (ImgixParameter.aliases[name] ?? name, value)
    }

    private static func text(inBase64 text: String) -> String? {
        Base64.bytes(text.utf8).flatMap { String(validating: $0, as: UTF8.self) }
    }
}

/// The supported, silent and unsupported parameters of imgix' URLs.
private enum ImgixParameter {
    /// The names of all parameters.
    static var all: [String] {
        translated.sorted() + silent.sorted() + missing.keys.sorted() + aliases.keys.sorted()
    }

    /// Parameters that are translated.
    static let translated: Set<String> = [
        "w", "h", "fit", "crop", "facepad", "faceindex", "fp-x", "fp-y", "fp-z", "ar", "rect", "dpr", "q", "fm", "auto",
        "bg", "fill", "fill-color", "trim", "trim-md", "trim-tol", "trim-color", "rot", "flip", "chromasub", "mask",
        "corner-radius",
        "dl", "min-w", "min-h", "max-w", "max-h", "expires", "blur", "bri", "con", "sat", "sepia", "invert",
        "exp", "vib", "hue", "gam", "sharp", "usm", "usmrad", "iptc", "page", "frame", "or", "upscale",
    ]

    /// Parameters about the URL itself, without an effect on the image.
    static let silent: Set<String> = ["s", "ixlib", "ixid"]

    /// Unsupported parameters and their long names; they are accepted only if their value has no effect.
    static let missing = [
        "bg-remove": "background removal", "bg-replace": "background replacement", "blend": "blend", "border": "border",
        "duotone": "duotone", "drop-shadow": "drop shadow", "fade": "fade", "fp-debug": "fp-debug",
        "gradient": "gradient", "grid-colors": "grid colors", "high": "highlights", "htn": "halftone",
        "mark": "watermark", "monochrome": "monochrome", "nd": "nd", "object-removal-rect": "object removal",
        "pad": "padding", "pad-top": "padding", "pad-bottom": "padding", "pad-left": "padding", "pad-right": "padding",
        "palette": "palette", "pdf-page-number": "page", "px": "pixellate", "shad": "shadows",
        "super-resolution": "super resolution", "time": "time", "transparency": "transparency", "txt": "text",
        "video": "video",
    ]

    /// Prefixes of parameters that modify unsupported parameters.
    ///
    /// Parameters with these prefixes are dropped without a report.
    static let missingPrefixes = [
        "blend-", "border-", "mark-", "mask-", "txt-", "grid-", "duotone-", "video-", "object-", "drop-shadow-",
        "gradient-", "fade-", "monochrome-",
    ]

    /// Other names of parameters.
    static let aliases = [
        "width": "w", "height": "h", "f": "fit", "fpx": "fp-x", "fpy": "fp-y", "fpz": "fp-z",
        "fillcolor": "fill-color", "fill-clr": "fill-color", "fillclr": "fill-color", "faceidx": "faceindex",
        "fi": "faceindex", "fp": "facepad", "mono": "monochrome", "m": "mark", "t": "txt", "b": "blend", "orient": "or",
        "minw": "min-w", "minh": "min-h", "maxw": "max-w", "maxh": "max-h", "max-width": "max-w", "max-height": "max-h",
        "min-width": "min-w", "min-height": "min-h", "trimtol": "trim-tol", "trimmd": "trim-md", "download": "dl",
        "format": "fm", "quality": "q", "background": "bg", "trimcolor": "trim-color", "exposure": "exp",
        "vibrance": "vib", "gamma": "gam", "brightness": "bri", "contrast": "con", "saturation": "sat", "rotate": "rot",
        "sharpen": "sharp", "highlight": "high", "shadow": "shad", "pixellate": "px", "halftone": "htn",
        "cornerradius": "corner-radius",
    ]
}

extension URLFormatName {
    /// imgix.
    package static let imgix = URLFormatName("imgix")
}
