/// The client whose fair shares of queues and budgets are used.
///
/// It is unknown (nil) for clients of a Unix socket and for work without a client. They do not have fair shares.
package enum Client: Hashable, Sendable {
    /// A tenant, by its name.
    case tenant(String)
    /// The network of a client without a tenant: an IPv4 address, or the first 64 bits of an IPv6 address.
    case network(UInt64)

    /// The name of the tenant; nil for a network.
    package var tenant: String? { if case .tenant(let name) = self { name } else { nil } }
}
