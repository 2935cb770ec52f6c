import Encodings
import Fetching
import HTTPTypes
import Requests

/// The reason why a request for a picture is allowed; responses and their caching depend on it.
package enum Grant: Sendable {
    /// The service requires no credentials.
    case everyone
    /// A bearer secret; `secret` is its position in the list, from 1.
    case bearer(secret: Int, tenant: Tenant? = nil)
    /// A signature; `key` is the position of its key in the list, from 1.
    case signature(key: Int, SignatureTerms, tenant: Tenant? = nil)

    /// Whether a signature covers every parameter of the request.
    package var isSigned: Bool {
        if case .signature = self { true } else { false }
    }

    /// The key or the secret in words; nil without credentials.
    package var credential: String? {
        switch self {
        case .everyone: nil
        case .bearer(_, let tenant?), .signature(_, _, let tenant?): "tenant \(tenant.name)"
        case .bearer(let secret, nil): "secret \(secret)"
        case .signature(let key, _, nil): "key \(key)"
        }
    }

    /// The tenant whose key or secret it was; nil for everyone else.
    package var tenant: Tenant? {
        switch self {
        case .everyone: nil
        case .bearer(_, let tenant), .signature(_, _, let tenant): tenant
        }
    }

    /// The terms of the signature; nil without one.
    package var terms: SignatureTerms? {
        if case .signature(_, let terms, _) = self { terms } else { nil }
    }

    /// Whether a body may contain parameters: not if the signature leaves the body open, because they would be
    /// unsigned.
    var allowsParametersInBody: Bool { terms.map { $0.digest != nil } ?? true }

    /// Checks the announced length of a body against the signature's terms, and the tenant's limit.
    func check(bodyLength: Int) throws(Problem) {
        if let most = tenant?.fetchTerms.maxBytes, bodyLength > most {
            throw .tooLargeForTenant(bodyLength, limit: most)
        }
        guard let most = terms?.maxUpload, bodyLength > most else { return }
        throw Problem(
            .tooLarge,
            .contentTooLarge,
            "The body has \(bodyLength) bytes, and the signature allows \(most)."
        )
    }

    /// Checks a body against the signature's terms.
    func check(body: [UInt8]) throws(Problem) {
        try check(bodyLength: body.count)
        guard let digest = terms?.digest, !MessageDigest.areEqual(digest, SHA256.digest(of: body)) else { return }
        throw Problem(.forbidden, .forbidden, "The body is not the one that the signature was made for.")
    }
}
