/// Fixed addresses of a host name, used instead of DNS.
package struct PinnedHost: Sendable {
    /// The name, as in the URL, in lower case.
    package let host: String
    /// The port; the addresses apply only to this port.
    package let port: Int
    /// The addresses, tried in this order; the ``AddressPolicy`` applies to them.
    package let addresses: [IPAddress]

    /// Creates fixed addresses for a name and a port.
    ///
    /// - Parameters:
    ///   - host: The name, as in the URL, in lower case.
    ///   - port: The port of the URL, or the default port of its scheme.
    ///   - addresses: The addresses, tried in this order; the ``AddressPolicy`` applies to them.
    package init(host: String, port: Int, addresses: [IPAddress]) {
        self.host = host
        self.port = port
        self.addresses = addresses
    }
}
