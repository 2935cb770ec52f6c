import Admission
import Cryptography
import UntrustedText
import Fetching
import HTTPServer
package import HTTPTypes
import Requests

/// The reason why a request for an image is allowed; responses and their caching depend on it.
package enum Authorization: Sendable {
    /// The service requires no credentials.
    case everyone
    /// A bearer secret; `secret` is its position in the list, from 1.
    case bearer(secret: Int, tenant: Tenant? = nil)
    /// A signature; `key` is the position of its key in the list, from 1.
    case signature(key: Int, SignatureLimits, tenant: Tenant? = nil)

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

    /// The tenant that owns the key or secret; nil without a tenant.
    package var tenant: Tenant? {
        switch self {
        case .everyone: nil
        case .bearer(_, let tenant), .signature(_, _, let tenant): tenant
        }
    }

    /// Returns the client whose fair shares a request uses: the tenant or, without a tenant, the network of the
    /// address.
    func client(at peer: PeerAddress) -> Client? { tenant.map { .tenant($0.name) } ?? peer.client }

    /// The limits of the signature; nil without a signature.
    package var limits: SignatureLimits? {
        if case .signature(_, let limits, _) = self { limits } else { nil }
    }

    /// Whether a body may contain parameters.
    ///
    /// If the signature does not cover the body, they would be unsigned and are not allowed.
    var allowsParametersInBody: Bool { limits.map { $0.digest != nil } ?? true }

    /// Checks the length of a body, in bytes, against the limits of the signature and of the tenant.
    ///
    /// - Throws: A ``Problem`` with status 413.
    func check(bodyLength: Int) throws(Problem) {
        if let maximum = tenant?.fetchLimits.maxBytes, bodyLength > maximum {
            throw .tooLargeForTenant(bodyLength, limit: maximum)
        }
        guard let maximum = limits?.maxUpload, bodyLength > maximum else { return }
        throw Problem(
            .tooLarge,
            .contentTooLarge,
            "The body of \(bodyLength) bytes exceeds the signed limit of \(maximum) bytes."
        )
    }

    /// Checks a body against the limits of the signature and of the tenant.
    ///
    /// - Throws: A ``Problem`` with status 413 for its length, or 403 for another digest.
    func check(body: [UInt8]) throws(Problem) {
        try check(bodyLength: body.count)
        guard let digest = limits?.digest, !MessageDigest.areEqual(digest, SHA256.digest(of: body)) else { return }
        throw .forbidden("The body does not match the signed digest.")
    }
}

extension Authorization {
    /// Restricts caching to clients with access, and to the duration of their access.
    ///
    /// A response to a bearer secret is private: a shared cache would serve it to everyone, because `public` permits
    /// that (RFC 9111 §3.5). A response to a signature is fresh at most until the signature expires.
    ///
    /// - Parameters:
    ///   - headers: The response's fields, with the `Cache-Control` of an open service.
    ///   - now: Seconds since 1970.
    package func limitCaching(of headers: inout HTTPFields, now: Int) {
        guard let value = headers[.cacheControl], value != "no-store" else { return }
        switch self {
        case .everyone: break
        case .bearer:
            let kept = value.listElements.filter {
                $0 != "public" && $0 != "private" && !$0.bytes.hasPrefix("s-maxage=")
            }
            headers[.cacheControl] = (["private"] + kept).joined(separator: ", ")
        case .signature(_, let limits, _):
            guard let expires = limits.expires else { return }
            let left = UnixTime(clamping: expires) - UnixTime(clamping: now)
            // Stale responses could be served after the expiry.
            headers[.cacheControl] = CacheControlTimes.shortened(value, to: left.count, keepsStale: false)
        }
    }
}
