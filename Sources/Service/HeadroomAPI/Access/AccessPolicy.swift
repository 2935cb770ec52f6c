import Cryptography
import UntrustedText
import Encodings
import Glibc
import HTTPServer
import HTTPTypes
import Requests

/// Who may request images: everyone, or clients with a signature or a bearer secret.
///
/// If both are configured, either one suffices. A trusted server uses a bearer secret. A signature permits one request,
/// so that server can give a signed URL to a client without credentials. Routes about the service itself are always
/// open (``Route/credentials``).
package struct AccessPolicy: Sendable {
    /// Signing keys: every key verifies, the first key signs the service's own links.
    package var signingKeys: [Secret]

    /// Bearer tokens (RFC 6750).
    package var bearerSecrets: [Secret]

    /// Clients with their own keys and limits.
    package var tenants = TenantSet()

    /// The clock, in seconds since 1970.
    package var now: @Sendable () -> Int

    /// Creates a policy without tenants; without keys and secrets, everyone may request images.
    ///
    /// - Parameters:
    ///   - signingKeys: Every key verifies, the first key signs the service's own links.
    ///   - bearerSecrets: Bearer tokens; any one of the tokens gives access.
    ///   - now: The clock for expiries, in seconds since 1970.
    package init(
        signingKeys: [Secret] = [],
        bearerSecrets: [Secret] = [],
        now: @escaping @Sendable () -> Int = { time(nil) }
    ) {
        self.signingKeys = signingKeys
        self.bearerSecrets = bearerSecrets
        self.now = now
    }

    /// Whether access needs no credentials.
    package var isOpen: Bool { signingKeys.isEmpty && bearerSecrets.isEmpty && tenants.isEmpty }

    /// Whether a bearer token can be valid.
    var takesBearerTokens: Bool { !bearerSecrets.isEmpty || tenants.hasBearerSecrets }

    /// Whether a signature can be valid.
    var takesSignatures: Bool { !signingKeys.isEmpty || tenants.hasSigningKeys }

    /// Whether credentials can belong to a tenant.
    var hasTenants: Bool { !tenants.isEmpty }

    /// Whether clients can have different keys or secrets.
    var isShared: Bool { signingKeys.count + bearerSecrets.count + tenants.all.count > 1 }

    /// Authorizes a request by its header; ``Authorization/check(body:)`` checks the body.
    ///
    /// Parses the query only if it may contain a signature, because parsing is as expensive as all other work for a
    /// cached response.
    ///
    /// - Throws: A ``Problem`` with status 401 or 403 for missing or wrong credentials, or 400 for an invalid query or
    ///   invalid limits of a valid signature.
    func authorization(_ request: ServerRequest) throws(Problem) -> Authorization {
        if isOpen { return .everyone }
        let token = BearerToken.read(request.headers)
        if let token, let authorization = authorization(ofToken: token) { return authorization }
        if takesSignatures {
            let query = try SignedQuery(of: request)
            if let signature = query[.signature] {
                return try authorization(request, query: query, signature: signature)
            }
        }
        throw .missingCredentials(self, request.headers)
    }

    /// Returns the authorization for a bearer token; nil if the token is not valid.
    func authorization(ofToken token: String) -> Authorization? {
        // All tokens are compared, so that timing does not reveal which one matches.
        let matches = bearerSecrets.map { $0.isEqual(to: token) }
        if let index = matches.firstIndex(of: true) { return .bearer(secret: index + 1) }
        return tenants.owner(ofToken: token).map { .bearer(secret: $0.secret, tenant: $0.tenant) }
    }

    private func authorization(
        _ request: ServerRequest,
        query: SignedQuery,
        signature: String
    ) throws(Problem) -> Authorization {
        let canonical = CanonicalRequest(request.method, path: request.path, pairs: query.signedPairs)
        let given = Hexadecimal.bytes(signature) ?? []
        let matches = signingKeys.map { MessageDigest.areEqual($0.authenticationCode(of: canonical.message), given) }
        let index = matches.firstIndex(of: true).map { $0 + 1 }
        let owner = index == nil ? tenants.owner(ofSignature: given, of: canonical.message) : nil
        // The errors below reveal details, so they are only for the holder of a key.
        guard let key = index ?? owner?.key else { throw invalid(request, query: query, signature: given) }
        let limits = try Problem.checked(SignatureLimits(query, method: request.method))
        if let expires = limits.expires, now() > expires {
            throw .forbidden("The signature has expired.")
        }
        return .signature(key: key, limits, tenant: owner?.tenant)
    }
}

extension AccessPolicy {
    /// Returns the problem for a signature that does not match the request with any key.
    ///
    /// The detail reports a signature made for another method, because only the holder of a key can make one. The
    /// expected text is only logged.
    private func invalid(_ request: ServerRequest, query: SignedQuery, signature: [UInt8]) -> Problem {
        let other: HTTPRequest.Method = request.method == .post ? .get : .post
        let message = CanonicalRequest(other, path: request.path, pairs: query.signedPairs).message
        let matches = signingKeys.map { MessageDigest.areEqual($0.authenticationCode(of: message), signature) }
        let isForOther = matches.contains(true) || tenants.owner(ofSignature: signature, of: message) != nil
        var problem = Problem.forbidden("The signature is invalid for this request.")
        problem.detail +=
            isForOther
            ? " \(SignatureMistake.sentence(ofMethod: other, for: request.method))"
            : " headroom sign --explain shows the text to sign."
        problem.expectedSignedText = CanonicalRequest.loggedMessage(
            request.method,
            path: request.path,
            pairs: query.signedPairs
        )
        return problem
    }
}
