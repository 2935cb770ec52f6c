/// Fixed addresses of a host name, used instead of DNS.
package struct PinnedHost: Sendable {
    /// The name, as in the URL, in lower case.
    package let host: String
    /// The port for which the addresses apply.
    package let port: Int
    /// Tried in this order; the ``AddressPolicy`` applies.
    package let addresses: [IPAddress]

    /// Creates addresses of a name at one port.
    ///
    /// - Parameters:
    ///   - host: The name, as in the URL, in lower case.
    ///   - port: The port of the URL, or the default port of its scheme.
    ///   - addresses: Tried in this order; the ``AddressPolicy`` applies.
    package init(host: String, port: Int, addresses: [IPAddress]) {
        self.host = host
        self.port = port
        self.addresses = addresses
    }
}
