import HTTPTypes

/// Signs the addresses of this service that an answer contains.
///
/// Who was allowed to ask for markup is given addresses that work, and for no longer than the request itself would.
package struct LinkSigner: Sendable {
    private let key: Secret
    private let expires: Int?

    init(key: Secret, expires: Int?) {
        self.key = key
        self.expires = expires
    }

    /// A path and its parameters with a signature for `GET`.
    func target(_ path: String, _ pairs: [(name: String, value: String)]) -> String {
        let expiry = expires.map { [(name: SignatureParameter.expires.rawValue, value: "\($0)")] } ?? []
        return CanonicalRequest(.get, path: path, pairs: pairs + expiry).signedTarget(key)
    }
}

extension AccessPolicy {
    /// What signs the addresses in the answer to a request; nil while nobody needs a signature.
    func linkSigner(for grant: Grant) -> LinkSigner? {
        signingKeys.first.map { LinkSigner(key: $0, expires: grant.terms?.expires) }
    }
}
