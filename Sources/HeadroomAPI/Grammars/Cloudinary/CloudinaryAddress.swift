/// The parts of a Cloudinary address: `/CLOUD/image/fetch/SIGNATURE/TRANSFORMATION/VERSION/SOURCE`.
///
/// Cloud, signature, transformation and version are optional.
struct CloudinaryAddress: Hashable {
    /// How the source is named.
    enum Delivery: String {
        /// By its address.
        case fetch
        /// By its public ID.
        case upload
    }

    let delivery: Delivery
    /// The text between `s--` and `--`; nil without a signature.
    let signature: String?
    /// The components of the transformation, as sent.
    let components: [String]
    /// The source, as sent.
    let source: String

    /// Whether a version, which is not signed, stands between transformation and source.
    private let hasVersion: Bool

    /// The text of the path that the signature covers.
    var signedText: String { (components + [source]).joined(separator: "/") }

    /// Whether a signature does not determine the meaning, because another address has the same signed text.
    ///
    /// A version may be all that divides the transformation from a folder with the name of an option, and an uploaded
    /// source with the name of an address could be fetched.
    var isAmbiguous: Bool {
        guard delivery == .upload else { return false }
        let parts = source.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let isDividedByVersion = hasVersion && parts.count > 1 && CloudinaryComponent.isComponent(parts[0])
        return isDividedByVersion || SourceText.isEncoded(source) != nil
    }

    /// Splits a raw path.
    ///
    /// - Throws: A ``Problem`` with status 400, or 501 for other kinds of sources.
    init(path: String) throws(Problem) {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)[...]
        parts.removeFirst()
        // A cloud name is there unless it is part of the host name.
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
        guard part.hasPrefix("s--"), part.hasSuffix("--"), part.utf8.count > 5 else { return nil }
        return String(part.dropFirst(3).dropLast(2))
    }

    private static func isVersion(_ part: String) -> Bool {
        part.utf8.count > 1 && part.hasPrefix("v") && part.utf8.dropFirst().allSatisfy { (48...57).contains($0) }
    }
}
