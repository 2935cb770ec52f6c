package import HeadroomAPI
import Requests

/// The tokens of imgix' sources.
///
/// imgix signs a path without the name of its source, so a shared token of two sources would make each signature valid
/// for both. Therefore every token belongs to one source.
package struct ImgixTokens: Sendable, Equatable {
    /// The tokens by the name of their source.
    private var tokens: [String: [Secret]] = [:]

    /// No tokens: URLs need no signature.
    package init() {}

    /// Reads `name=token` and `token`, separated by commas, spaces or line ends.
    ///
    /// The name belongs to a source, or is `*` for absolute URLs. Tokens without a name belong to the only source
    /// without a named token.
    ///
    /// - Throws: An error without the text of a token: for an invalid token, for a name without a source, for a source
    ///   without a token, and for tokens without a name that could belong to several sources.
    package init(_ text: String, of sources: ImgixSources) throws(Secret.ListError) {
        // trusted: a setting of the operator.
        let parts = text.split { $0 == "," || $0.isWhitespace }
        guard !parts.isEmpty else { throw Secret.ListError(reason: "contains no secret") }
        var nameless: [Secret] = []
        for (index, part) in parts.enumerated() {
            let place = "number \(index + 1)"
            let (name, token) = Self.sides(part)
            let secret = try Secret(token, place: place, lengths: Secret.foreignLengths)
            guard let name else {
                nameless.append(secret)
                continue
            }
            guard sources.names.contains(name) else {
                throw Secret.ListError(reason: "\(place) names a source that is missing in imgix-sources")
            }
            tokens[name, default: []].append(secret)
        }
        let missing = sources.names.filter { tokens[$0] == nil }
        if !nameless.isEmpty {
            guard missing.count == 1, let only = missing.first else {
                let sources = missing.isEmpty ? "each source has a token" : missing.joined(separator: ", ")
                let reason =
                    "contains tokens without the name of a source (\(sources)): expected name=token"
                throw Secret.ListError(reason: reason)
            }
            tokens[only] = nameless
        } else if !missing.isEmpty {
            throw Secret.ListError(reason: "has no token of \(missing.joined(separator: ", ")): expected name=token")
        }
        if let count = tokens.values.map(\.count).max(), count > Secret.maxSecrets {
            let reason = "contains \(count) tokens of one source; expected at most \(Secret.maxSecrets)"
            throw Secret.ListError(reason: reason)
        }
    }

    /// The name and the token of an entry; `=` at the end of a token is padding.
    private static func sides(_ part: Substring) -> (name: String?, token: Substring) {
        guard let equals = part.utf8.firstIndex(of: UInt8(ascii: "=")) else { return (nil, part) }
        let token = part[part.index(after: equals)...]
        let name = String(part[..<equals])
        guard token.contains(where: { $0 != "=" }), name == ImgixSources.wholeAddresses || ImgixSources.isName(name)
        else { return (nil, part) }
        return (name, token)
    }

    /// Whether URLs need no signature.
    package var isEmpty: Bool { tokens.isEmpty }

    /// All tokens, in the order of the names of their sources.
    package var all: [Secret] { tokens.sorted { $0.key < $1.key }.flatMap(\.value) }

    subscript(name: String) -> [Secret] { tokens[name] ?? [] }
}
