/// The addresses to which a fetch may connect.
///
/// A pure function of the address. It is applied to the resolved address of every connection before its socket is
/// created, so it covers host names, redirects and changing DNS responses.
package struct AddressPolicy: Sendable {
    /// Refused networks.
    package let refused: [IPNetwork]
    /// Whether IPv6 addresses outside of `2000::/3`, from which all public ones are allocated, are refused as well.
    package let requiresGlobalUnicast: Bool

    /// A policy that refuses the given networks and, optionally, all IPv6 addresses that are not allocated.
    ///
    /// - Parameters:
    ///   - refused: Networks of both families; an IPv4 network also refuses the IPv6 addresses that embed it.
    ///   - requiresGlobalUnicast: See ``requiresGlobalUnicast``.
    package init(refusing refused: [IPNetwork], requiresGlobalUnicast: Bool = false) {
        self.refused = refused
        self.requiresGlobalUnicast = requiresGlobalUnicast
    }

    /// The reason why the address must not be contacted; nil if it may be.
    ///
    /// - Returns: A text for the log only, because it would reveal the private network to the caller.
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
