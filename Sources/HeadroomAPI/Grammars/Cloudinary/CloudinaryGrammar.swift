import Encodings
package import HTTPTypes

/// Cloudinary's addresses: `/image/fetch/TRANSFORMATION/SOURCE`.
package struct CloudinaryGrammar: URLGrammar {
    /// Where sources are that an address names by a public ID; nil refuses them.
    private let origin: OriginBase?
    /// The API secrets, which sign.
    private let secrets: [Secret]

    /// A grammar.
    ///
    /// - Parameters:
    ///   - origin: Where uploaded sources are; nil serves fetched ones only.
    ///   - secrets: The API secrets; without them, addresses need no signature.
    package init(origin: OriginBase? = nil, secrets: [Secret] = []) {
        self.origin = origin
        self.secrets = secrets
    }

    package var hasKeys: Bool { !secrets.isEmpty }

    package func translate(_ address: GrammarAddress) throws(Problem) -> Translation {
        let parts = try CloudinaryAddress(path: address.path)
        var transformation = CloudinaryTransformation()
        for component in parts.components { try transformation.add(try CloudinaryComponent(component)) }
        var translation = try transformation.translation(of: try source(parts, query: address.query))
        translation.namesOrigin = parts.delivery == .fetch
        return translation
    }

    private func source(_ parts: CloudinaryAddress, query: String?) throws(Problem) -> String {
        switch parts.delivery {
        case .fetch:
            // Decoded once, as clients encode it once.
            guard let text = PercentEncoding.decoded(Array(parts.source.utf8)).flatMap(SourceText.unencodedAddress)
            else {
                throw .invalid(option: parts.source, expected: "the absolute address of a source")
            }
            return text + Self.ownQuery(query)
        case .upload:
            guard let origin else {
                throw .invalid(
                    option: "image/upload",
                    expected: "image/fetch, because no base address of uploaded sources is configured"
                )
            }
            guard let text = origin.address(of: parts.source) else {
                throw .invalid(option: parts.source, expected: "a path without . and .. segments and backslashes")
            }
            return text
        }
    }

    /// The query that belongs to the source: all but the numbers that Cloudinary's clients add about themselves.
    private static func ownQuery(_ query: String?) -> String {
        let pairs = query?.split(separator: "&").filter { !$0.hasPrefix("_a=") && !$0.hasPrefix("_i=") } ?? []
        return pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }

    /// Checks the signature: the first 8 characters of a SHA-1, or 32 of a SHA-256, in URL-safe base 64.
    ///
    /// Cloudinary's clients encode the source, so that its query is a part of the signed path. A query of the address
    /// belongs to a fetched source as well, so the signature must cover it.
    ///
    /// - Throws: A ``Problem`` with status 401.
    package func verify(_ address: GrammarAddress) throws(Problem) {
        let parts = try CloudinaryAddress(path: address.path)
        guard !parts.isAmbiguous else { throw .wrongSignature(.unauthorized) }
        let query = parts.delivery == .fetch ? Self.ownQuery(address.query) : ""
        let signed = Array((parts.signedText + query).utf8)
        let given = Array((parts.signature ?? "").utf8)
        let digest: MessageDigest = given.count == 32 ? .sha256 : .sha1
        // All secrets are compared, so that timing does not reveal which one matches.
        let matches = secrets.map { secret in
            let full = secret.withBytes { digest.digest(of: signed + $0) }
            let text = Base64.text(full).utf8.prefix(digest == .sha256 ? 32 : 8)
            return MessageDigest.areEqual(given, Array(text))
        }
        guard matches.contains(true) else { throw .wrongSignature(.unauthorized) }
    }

    /// The problem's sentences, as Cloudinary has them.
    package func headers(of problem: Problem) -> HTTPFields {
        [.cldError: String(decoding: problem.detail.utf8.filter { (32...126).contains($0) }, as: UTF8.self)]
    }
}
