extension AccessPolicy {
    /// Returns a signer for the URLs in the response to a request; nil if the service does not require signatures.
    func linkSigner(for authorization: Authorization) -> LinkSigner? {
        // A tenant's limits also apply to its links.
        let keys = authorization.tenant?.signingKeys ?? signingKeys
        return keys.first.map { LinkSigner(key: $0, expires: authorization.limits?.expires) }
    }
}
