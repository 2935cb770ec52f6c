/// Fixed addresses of a host name, used instead of DNS.
package struct PinnedHost: Sendable {
    /// The name, as in the URL, in lower case.
    package let host: String
    package let port: Int
    /// Tried in this order; the ``AddressPolicy`` applies.
    package let addresses: [IPAddress]

    package init(host: String, port: Int, addresses: [IPAddress]) {
        self.host = host
        self.port = port
        self.addresses = addresses
    }
}
