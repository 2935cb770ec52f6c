import Encodings
import HTTPTypes
package import Requests

/// imgix' addresses: `/SOURCE/PATH?PARAMETERS` or `/ADDRESS?PARAMETERS`.
package struct ImgixGrammar: URLGrammar {
    /// The sources that may be named.
    private let sources: ImgixSources
    /// The tokens, which sign.
    private let tokens: ImgixTokens

    /// A grammar.
    ///
    /// - Parameters:
    ///   - sources: The sources that may be named.
    ///   - tokens: The tokens; without them, addresses need no signature.
    package init(sources: ImgixSources = ImgixSources(), tokens: ImgixTokens = ImgixTokens()) {
        self.sources = sources
        self.tokens = tokens
    }

    package var hasKeys: Bool { !tokens.isEmpty }

    package func translate(_ address: GrammarAddress) throws(Problem) -> Translation {
        let resolved = try sources.resolve(address.path)
        var result = try ImgixTranslation(ImgixOptions(query: address.query), source: resolved.source).result
        result.namesOrigin = resolved.name == ImgixSources.wholeAddresses
        return result
    }

    /// Checks `s`, the MD5 of the source's token, path and query.
    ///
    /// An MD5 can be extended without the token, but only by zero bytes, which no address contains.
    ///
    /// - Throws: A ``Problem`` with status 403.
    package func verify(_ address: GrammarAddress) throws(Problem) {
        let pairs = address.query?.split(separator: "&", omittingEmptySubsequences: false) ?? []
        let given = Array((pairs.last { $0.hasPrefix("s=") }?.dropFirst(2) ?? "").utf8)
        let query = pairs.filter { !$0.hasPrefix("s=") }.joined(separator: "&")
        let resolved = try sources.resolve(address.path)
        let path = resolved.signedPath
        let signed = Array((query.isEmpty ? path : "\(path)?\(query)").utf8)
        let expected = tokens[resolved.name].map { token in
            Array(Hexadecimal.text(token.withBytes { MessageDigest.md5.digest(of: $0 + signed) }).utf8)
        }
        try check(given, isOneOf: expected, .forbidden)
    }
}
