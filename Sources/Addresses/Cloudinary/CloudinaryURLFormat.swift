import Cryptography
import Encodings
package import HeadroomAPI
package import HTTPTypes
import Requests
import UntrustedText

/// Cloudinary's URLs: `/image/fetch/TRANSFORMATION/SOURCE`.
package struct CloudinaryURLFormat: ConfigurableURLFormat {
    package static let name = URLFormatName.cloudinary
    package static let title = "Cloudinary"
    package static let settings: [URLFormatSetting<Self>] = [
        .secrets(
            "cloudinary-secret",
            "File with Cloudinary's API secrets. With it, URLs below /cloudinary require a signature.",
            \.secrets
        ),
        .origin("cloudinary-origin", "Base URL of uploaded Cloudinary sources.", \.origin),
    ]

    /// The base URL of sources in the form of a public ID; nil rejects them.
    package var origin: OriginBase?
    /// The API secrets for signatures; without secrets, URLs need no signature.
    package var secrets: [Secret] = []

    package init() {}

    /// A URL format of fetched sources, and of uploaded sources below an origin.
    ///
    /// - Parameters:
    ///   - origin: The base URL of uploaded sources; nil serves only fetched sources.
    ///   - secrets: The API secrets. A signature is valid if it was made with any of these secrets. Without secrets, URLs need no signature.
    package init(origin: OriginBase? = nil, secrets: [Secret] = []) {
        self.origin = origin
        self.secrets = secrets
    }

    package var signing: Signing { .keys(secrets) }

    package static var optionNames: [String] { CloudinaryComponent.keys }

    package func translate(_ address: ForeignURL) throws(Problem) -> Translation {
        let parts = try CloudinaryAddress(path: address.path)
        var transformation = CloudinaryTransformation()
        var fallbackImage: String?
        for text in parts.components {
            let component = try CloudinaryComponent(text)
            try transformation.add(component)
            if let name = component["d"] { fallbackImage = try self.fallbackImage(name) }
        }
        var translation = try transformation.translation(of: try source(parts, query: address.query))
        translation.fallbackImage = fallbackImage
        translation.namesOrigin = parts.delivery == .fetch
        return translation
    }

    /// The URL of a default image: an uploaded image; colons separate its folders.
    private func fallbackImage(_ name: String) throws(Problem) -> String {
        guard let origin else {
            throw .unsupported(option: "d_\(name)", "No base URL of uploaded sources is configured.")
        }
        let path = PercentEncoding.encoded(name.bytes.replacing(":", with: "/"), keepsSlashes: true)
        return try origin.address(of: path, option: "d_\(name)")
    }

    private func source(_ parts: CloudinaryAddress, query: String?) throws(Problem) -> String {
        switch parts.delivery {
        case .fetch:
            // Decoded once, because clients encode it once.
            guard let text = PercentEncoding.decoded(Array(parts.source.utf8)).flatMap(SourceText.unencodedAddress)
            else {
                throw .invalid(option: parts.source, expected: "the absolute URL of a source")
            }
            return text + Self.ownQuery(query)
        case .upload:
            guard let origin else {
                throw .invalid(
                    option: "image/upload",
                    expected: "image/fetch, because image/upload requires the setting --cloudinary-origin"
                )
            }
            return try origin.address(of: parts.source)
        }
    }

    /// The query of the source, without the analytics parameters `_a` and `_i` that Cloudinary's clients add.
    private static func ownQuery(_ query: String?) -> String {
        let pairs =
            query?.bytes.split(separator: "&").filter { !$0.bytes.hasPrefix("_a=") && !$0.bytes.hasPrefix("_i=") } ?? []
        return pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }

    /// Checks the signature: the first 8 characters of a SHA-1, or 32 of a SHA-256, in URL-safe base 64.
    ///
    /// Cloudinary's clients encode the source, so that its query is a part of the signed path. A query of the URL also
    /// belongs to a fetched source, so the signature must cover it.
    ///
    /// - Throws: A ``Problem`` with status 401.
    @discardableResult
    package func verify(_ address: ForeignURL) throws(Problem) -> Int {
        let parts = try CloudinaryAddress(path: address.path)
        guard !parts.isAmbiguous else { throw .wrongSignature(.unauthorized) }
        let query = parts.delivery == .fetch ? Self.ownQuery(address.query) : ""
        let texts = [parts.signedText] + [parts.unencodedText].compactMap(\.self)
        let given = Array((parts.signature ?? "").utf8)
        let digest: MessageDigest = given.count == 32 ? .sha256 : .sha1
        let expected = secrets.map { secret in
            texts.map { text in
                let full = secret.withBytes { digest.digest(of: Array((text + query).utf8) + $0) }
                return Array(Base64.text(full).utf8.prefix(digest == .sha256 ? 32 : 8))
            }
        }
        return try position(of: given, among: expected, of: "\(parts.signedText), then the API secret", .unauthorized)
    }

    /// The detail of the problem in Cloudinary's header field, reduced to printable ASCII.
    package func headers(of problem: Problem) -> HTTPFields {
        [.cldError: String(decoding: problem.detail.utf8.filter { (32...126).contains($0) }, as: UTF8.self)]
    }
}

/// The parts of a Cloudinary URL: `/CLOUD/image/fetch/SIGNATURE/TRANSFORMATION/VERSION/SOURCE`.
///
/// Cloud, signature, transformation and version are optional.
private struct CloudinaryAddress: Hashable {
    /// The type of the source's name.
    enum Delivery: String {
        /// By its URL.
        case fetch
        /// By its public ID.
        case upload
    }

    let delivery: Delivery
    /// The text between `s--` and `--`; nil without a signature.
    let signature: String?
    /// The components of the transformation, unchanged.
    let components: [String]
    /// The source, unchanged.
    let source: String

    /// Whether there is a version between transformation and source; the version is not signed.
    private let hasVersion: Bool

    /// The text of the path that the signature covers.
    var signedText: String { (components + [source]).joined(separator: "/") }

    /// The same text with decoded components, because a client or a proxy may encode them after signing.
    ///
    /// Nil if no component is encoded, or if a decoded component could be split differently.
    var unencodedText: String? {
        let decoded = components.map { OptionSegment.decoded($0[...]) }
        let encoded = zip(components, decoded).filter { $0.utf8.count != $1.utf8.count }
        guard !encoded.isEmpty, encoded.allSatisfy({ OptionSegment.isPlain($1) }) else { return nil }
        return (decoded.map(String.init) + [source]).joined(separator: "/")
    }

    /// Whether a signature does not determine the meaning, because another URL has the same signed text.
    ///
    /// Only the unsigned version may separate the transformation from a folder with the name of an option. An uploaded
    /// source with a URL as its name has the same signed text as a fetched source.
    var isAmbiguous: Bool {
        guard delivery == .upload else { return false }
        let (first, rest) = source.bytes.halves(at: "/")
        let isDividedByVersion = hasVersion && rest != nil && CloudinaryComponent.isComponent(String(first))
        return isDividedByVersion || SourceText.isEncoded(source) != nil
    }

    /// Splits a raw path.
    ///
    /// - Throws: A ``Problem`` with status 400, or 501 for other kinds of sources.
    init(path: String) throws(Problem) {
        var parts = path.bytes.split(separator: "/", omittingEmptySubsequences: false).map(String.init).dropFirst()
        // The path starts with a cloud name, unless the cloud name is part of the host name.
        if parts.first != "image" { parts = parts.dropFirst() }
        guard parts.first == "image", let type = parts.dropFirst().first else {
            throw .invalid(option: path, expected: "image/fetch/… or image/upload/…")
        }
        guard let delivery = Delivery(rawValue: type) else { throw .unsupported(option: "image/\(type)") }
        self.delivery = delivery
        parts = parts.dropFirst(2)
        signature = parts.first.flatMap(Self.signature)
        if signature != nil { parts = parts.dropFirst() }
        var components: [String] = []
        while let part = parts.first, delivery == .fetch || CloudinaryComponent.isComponent(part) {
            if delivery == .fetch, SourceText.isEncoded(parts.prefix(2).joined(separator: "/")) != nil { break }
            if Self.isVersion(part) { break }
            components.append(part)
            parts = parts.dropFirst()
        }
        hasVersion = parts.count > 1 && parts.first.map(Self.isVersion) == true
        if hasVersion { parts = parts.dropFirst() }
        guard !parts.isEmpty, parts != [""] else {
            throw .invalid(option: path, expected: "a source after the transformation")
        }
        self.components = components
        source = parts.joined(separator: "/")
    }

    private static func signature(_ part: String) -> String? {
        guard part.bytes.hasPrefix("s--"), part.bytes.hasSuffix("--"), part.utf8.count > 5 else { return nil }
        return String(part.dropFirst(3).dropLast(2))
    }

    private static func isVersion(_ part: String) -> Bool {
        part.utf8.count > 1 && part.bytes.hasPrefix("v") && part.utf8.dropFirst().allSatisfy { (48...57).contains($0) }
    }
}

extension URLFormatName {
    /// Cloudinary.
    package static let cloudinary = URLFormatName("cloudinary", otherStarts: ["/image/upload/", "/image/fetch/"])
}
