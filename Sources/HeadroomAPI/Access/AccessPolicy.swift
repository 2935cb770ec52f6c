import Glibc
import HTTPServer
import HTTPTypes

/// Who may ask for pictures: everyone, or only those with a signature or a bearer secret.
///
/// Either is enough where both are set: a bearer secret is for a server that is trusted with every request, a signature
/// for one request that such a server has made and gives to others. What tells of the service itself, ``Route`` knows
/// which, is open in any case.
package struct AccessPolicy: Sendable {
    /// Keys to sign requests with: every one is accepted, the first signs what the service itself links to.
    package var signingKeys: [Secret]

    /// Tokens that a client may send in `Authorization: Bearer` (RFC 6750).
    package var bearerSecrets: [Secret]

    /// The time, in seconds since 1970.
    package var now: @Sendable () -> Int

    /// A policy; without any secret it lets everyone in.
    package init(
        signingKeys: [Secret] = [],
        bearerSecrets: [Secret] = [],
        now: @escaping @Sendable () -> Int = { time(nil) }
    ) {
        self.signingKeys = signingKeys
        self.bearerSecrets = bearerSecrets
        self.now = now
    }

    /// Whether everyone is let in.
    package var isOpen: Bool { signingKeys.isEmpty && bearerSecrets.isEmpty }

    /// Why a request may be answered, as far as its head tells: ``Grant/check(body:)`` looks at the body.
    ///
    /// The query is read only where a signature may be in it, for that costs as much as the rest of a kept answer.
    ///
    /// - Throws: A ``Problem`` that says which credentials are missing or wrong: 401, 403, or 400 for a query that cannot
    ///   be read, or terms of a valid signature that cannot be understood.
    func grant(_ request: ServerRequest) throws(Problem) -> Grant {
        if isOpen { return .everyone }
        let token = BearerToken.read(request.headers)
        if let token, let index = place(of: token) { return .bearer(secret: index) }
        if !signingKeys.isEmpty {
            let query = try SignedQuery(of: request)
            if let signature = query[.signature] { return try grant(request, query: query, signature: signature) }
        }
        throw .missingCredentials(self, hasToken: token != nil)
    }

    private func place(of token: String) -> Int? {
        // All are compared, so that the time does not tell which one fits.
        let matches = bearerSecrets.map { $0.isEqual(to: token) }
        return matches.firstIndex(of: true).map { $0 + 1 }
    }

    private func grant(
        _ request: ServerRequest,
        query: SignedQuery,
        signature: String
    ) throws(Problem) -> Grant {
        let canonical = CanonicalRequest(request.method, path: request.path, pairs: query.signedPairs)
        let given = Hexadecimal.bytes(signature) ?? []
        let matches = signingKeys.map { SHA256.areEqual($0.authenticationCode(of: canonical.message), given) }
        // Only who holds a key learns more than this.
        guard let index = matches.firstIndex(of: true) else {
            throw Problem(.forbidden, .forbidden, "The signature does not fit this request.")
        }
        let terms: SignatureTerms
        do {
            terms = try SignatureTerms(query, method: request.method)
        } catch {
            throw Problem(error)
        }
        if let expires = terms.expires, now() > expires {
            throw Problem(.forbidden, .forbidden, "The signature has expired.")
        }
        return .signature(key: index + 1, terms)
    }
}
