import Encodings
package import HeadroomAPI
import HTTPTypes
package import Requests
import UntrustedText

/// The URLs of Sanity's image pipeline: `/images/PROJECT/DATASET/ASSET-WxH.EXT?w=…&fit=…`.
///
/// Most parameters have the names and the meanings of imgix' parameters.
package struct SanityURLFormat: ConfigurableURLFormat {
    package static let name = URLFormatName.sanity
    package static let title = "Sanity"
    package static let settings: [URLFormatSetting<Self>] = [
        .origin("sanity-origin", "Base URL of Sanity sources that are paths.", \.origin)
    ]

    /// The base URL of sources in the form of a path; nil rejects them.
    package var origin: OriginBase?

    package init() {}

    /// A URL format of absolute URLs, and of paths below an origin.
    ///
    /// - Parameter origin: The base URL of sources in the form of a path; nil serves only absolute URLs.
    package init(origin: OriginBase?) { self.origin = origin }

    package var signing: Signing { .none }

    package static var optionNames: [String] { shared.sorted() + own.sorted() + unsupported.keys.sorted() }

    /// Parameters with the meaning of imgix' parameters.
    private static let shared: Set<String> = [
        "w", "h", "max-w", "max-h", "min-w", "min-h", "fit", "crop", "fp-x", "fp-y", "rect", "dpr", "q", "fm", "auto",
        "bg", "dl", "flip", "blur", "invert", "sat", "sharp", "frame",
    ]

    /// Parameters that imgix lacks, or defines with another meaning.
    private static let own: Set<String> = ["or"]

    /// Unsupported parameters, with their long names.
    private static let unsupported = ["pad": "padding", "dlRaw": "download of the stored file", "fp-debug": "fp-debug"]

    package func translate(_ address: ForeignURL) throws(Problem) -> Translation {
        let path = address.path.bytes.dropping(UInt8(ascii: "/"))
        guard !path.isEmpty else { throw .invalid(option: address.path, expected: "a source") }
        var options = AddressOptions(unicode: ["dl"])
        var own = AddressOptions()
        var ignored: [String] = []
        for pair in try Problem.checked(QueryString.pairs(address.query)) {
            // Sanity ignores a parameter without a value.
            if Self.shared.contains(pair.name) {
                if options[pair.name] == nil, !pair.value.isEmpty { try options.set(pair.name, pair.value) }
            } else if Self.own.contains(pair.name) {
                if own[pair.name] == nil, !pair.value.isEmpty { try own.set(pair.name, pair.value) }
            } else if let long = Self.unsupported[pair.name] {
                guard (["", "0", "false"] as [ByteText]).contains(pair.value.bytes) else {
                    throw .unsupported(option: long == pair.name ? long : "\(pair.name) (\(long))")
                }
            } else {
                ignored.append(pair.name)
            }
        }
        try check(options)
        let source = try Translation(path: path, "", below: origin, of: Self.name, otherwise: "an absolute URL")
        var result = try ImgixTranslation(ImgixOptions(options, ignored: ignored), source: source.source).result
        result.namesOrigin = source.namesOrigin
        try addOrientation(own, to: &result)
        return result
    }

    /// Rejects values that only imgix has.
    private func check(_ options: AddressOptions) throws(Problem) {
        let values: KeyValuePairs<String, [String]> = [
            "fit": ["clip", "crop", "fill", "fillmax", "max", "min", "scale"],
            "crop": ["bottom", "center", "entropy", "focalpoint", "left", "right", "top"],
            "fm": ["avif", "jpg", "pjpg", "png", "webp"],
        ]
        for (name, words) in values {
            _ = try options.value(name, expected: "one of \(words.joined(separator: ", "))") { text -> Bool? in
                let parts = text.bytes.split(separator: ",", omittingEmptySubsequences: false)
                let isKnown = parts.allSatisfy { part in words.contains { $0.bytes == part.bytes } }
                return isKnown && (parts.count == 1 || name == "crop") ? true : nil
            }
        }
    }

    /// Adds `or`, a clockwise rotation in degrees; in both services, the size applies after it.
    ///
    /// The sides of a crop and a rectangle belong to the rotated image in Sanity, and to the upright image here.
    private func addOrientation(_ options: AddressOptions, to result: inout Translation) throws(Problem) {
        let degrees = try options.value("or", expected: "0, 90, 180 or 270") { text in
            [0, 90, 180, 270].first { "\($0)".bytes == text.bytes }
        }
        guard let degrees, degrees > 0 else { return }
        let isCentred = [nil, "center", "attention"].contains(result[.gravity])
        guard isCentred, result[.region] == nil else {
            throw .unsupported(option: "or (orientation) with crop or rect")
        }
        result[.rotate] = "\(degrees)"
    }
}

extension URLFormatName {
    /// Sanity.
    package static let sanity = URLFormatName("sanity")
}
