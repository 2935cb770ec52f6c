extension IPAddress {
    /// The IPv4 address to which packets for this address are delivered, if the address embeds one.
    ///
    /// A network with a translator or a tunnel delivers such packets to the IPv4 address. A check of the IPv6 prefix
    /// alone would allow 169.254.169.254 as `64:ff9b::a9fe:a9fe`. The local-use translation prefix `64:ff9b:1::/48`
    /// (RFC 8215) is not included: the position of its IPv4 bits depends on the operator (RFC 6052 §2.2), so
    /// ``AddressPolicy`` refuses all of it.
    var embeddedIPv4: EmbeddedIPv4? {
        guard case .v6(let value) = self else { return nil }
        let low = UInt32(truncatingIfNeeded: value)
        switch value >> 32 {
        // `::` and `::1` have this form, too, but another meaning.
        case 0 where value > 1:
            return EmbeddedIPv4(form: "IPv4-compatible (RFC 4291)", address: .v4(low), ownsPrefix: true)
        case 0xFFFF:
            return EmbeddedIPv4(form: "IPv4-mapped (RFC 4291)", address: .v4(low), ownsPrefix: true)
        case 0xFFFF_0000:
            return EmbeddedIPv4(form: "IPv4-translated (RFC 2765)", address: .v4(low), ownsPrefix: true)
        case 0x0064_FF9B << 64:
            return EmbeddedIPv4(form: "NAT64 (RFC 6052)", address: .v4(low), ownsPrefix: true)
        default:
            break
        }
        if value >> 112 == 0x2002 {
            let address = UInt32(truncatingIfNeeded: value >> 80)
            return EmbeddedIPv4(form: "6to4 (RFC 3056)", address: .v4(address), ownsPrefix: true)
        }
        if value >> 96 == 0x2001_0000 {
            // RFC 4380 §4: the client's address is stored with every bit inverted.
            return EmbeddedIPv4(form: "Teredo (RFC 4380)", address: .v4(~low), ownsPrefix: true)
        }
        // RFC 5214 §6.1: the universal/local bit distinguishes public from private addresses, and any host may set it.
        let interfaceIdentifier = UInt32(truncatingIfNeeded: value >> 32)
        if interfaceIdentifier == 0x0000_5EFE || interfaceIdentifier == 0x0200_5EFE {
            return EmbeddedIPv4(form: "ISATAP (RFC 5214)", address: .v4(low), ownsPrefix: false)
        }
        return nil
    }
}
