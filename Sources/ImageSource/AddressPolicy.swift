/// Which addresses a fetch may connect to.
///
/// A pure function of the address. It is asked with the resolved address of every connection, right before the socket
/// is made, so names, redirects and changing DNS answers all end here.
package struct AddressPolicy: Sendable {
    /// The networks that are refused.
    package let refused: [IPNetwork]
    /// Whether IPv6 addresses outside of `2000::/3`, from which all public ones are given out, are refused as well.
    package let requiresGlobalUnicast: Bool

    /// A policy that refuses the given networks and, on request, all IPv6 addresses that were never given out.
    ///
    /// - Parameters:
    ///   - refused: Networks of both families; an IPv4 network also refuses the IPv6 addresses that embed it.
    ///   - requiresGlobalUnicast: See ``requiresGlobalUnicast``.
    package init(refusing refused: [IPNetwork], requiresGlobalUnicast: Bool = false) {
        self.refused = refused
        self.requiresGlobalUnicast = requiresGlobalUnicast
    }

    /// Why the address must not be contacted; nil when it may be.
    ///
    /// - Returns: Words for the log: telling the caller would map the private network for them.
    package func refusal(of address: IPAddress) -> String? {
        if let embedded = address.embeddedIPv4 {
            if let reason = refusal(of: embedded.address) {
                return "\(reason) as \(embedded.form)"
            }
            if embedded.ownsPrefix { return nil }
        }
        if let network = refused.first(where: { $0.contains(address) }) {
            return network.name
        }
        if requiresGlobalUnicast, case .v6(let value) = address, value >> 125 != 0b001 {
            return "outside of global unicast (RFC 4291)"
        }
        return nil
    }
}
