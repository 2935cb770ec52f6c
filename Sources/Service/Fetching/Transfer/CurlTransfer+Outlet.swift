import CCurl

extension CurlTransfer {
    /// Makes the transfer use a network route.
    ///
    /// Must be called after ``restrictToPlainHTTP()``.
    func use(_ outlet: FetchOutlet, for url: WebURL) {
        if let authorities = outlet.authorities {
            set(CURLOPT_CAINFO_BLOB, to: authorities)
            set(CURLOPT_PROXY_CAINFO_BLOB, to: authorities)
        }
        if let identity = outlet.identity, identity.hosts.contains(where: { $0.matches(url) }) {
            set(CURLOPT_SSLCERT_BLOB, to: identity.certificate)
            set(CURLOPT_SSLKEY_BLOB, to: identity.key)
        }
        guard let proxy = outlet.proxy(for: url) else { return }
        set(CURLOPT_NOPROXY, to: "")
        set(CURLOPT_PROXY, to: proxy.url)
        // Otherwise the header of the proxy's response to CONNECT would be taken for an interim response.
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, to: 1)
        if let credentials = proxy.credentials {
            set(CURLOPT_PROXYAUTH, to: 1)
            set(CURLOPT_PROXYUSERPWD, to: credentials)
        }
    }
}
