import Glibc

/// An IP address as a number, for comparison with networks.
package enum IPAddress: Hashable, Sendable {
    /// An IPv4 address in host byte order: `127.0.0.1` is `0x7F00_0001`.
    case v4(UInt32)
    /// An IPv6 address in host byte order: `::1` is 1.
    case v6(UInt128)

    /// Parses dotted-decimal IPv4 or IPv6 text without brackets, zone or port.
    ///
    /// Shorthand such as `127.1` is refused.
    package init?(_ text: String) {
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            self.init(v4)
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            self.init(v6)
        } else {
            return nil
        }
    }

    /// Reads the address of a `sockaddr` at any alignment; nil if it has another family, or is too short for its
    /// family.
    init?(socketAddress bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= MemoryLayout<sa_family_t>.size else { return nil }
        // bounded: 16 bits
        switch Int32(bytes.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET where bytes.count >= MemoryLayout<sockaddr_in>.size:
            self.init(bytes.loadUnaligned(as: sockaddr_in.self).sin_addr)
        case AF_INET6 where bytes.count >= MemoryLayout<sockaddr_in6>.size:
            self.init(bytes.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        default: return nil
        }
    }

    private init(_ address: in_addr) { self = .v4(UInt32(bigEndian: address.s_addr)) }

    private init(_ address: in6_addr) {
        self = .v6(withUnsafeBytes(of: address) { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) })
    }
}

extension IPAddress: CustomStringConvertible {
    package var description: String {
        func text(_ family: Int32, _ number: some FixedWidthInteger) -> String {
            // bounded: a constant
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            let written = withUnsafeBytes(of: number.bigEndian) {
                inet_ntop(family, $0.baseAddress, &text, socklen_t(text.count))
            }
            return written.map { String(cString: $0) } ?? "?"
        }
        return switch self {
        case .v4(let value): text(AF_INET, value)
        case .v6(let value): text(AF_INET6, value)
        }
    }
}

extension IPAddress {
    /// The IPv4 addresses that an address with the local-use translation prefix `64:ff9b:1::/48` (RFC 8215) may
    /// represent; empty for other addresses.
    ///
    /// There is one for each possible prefix length (RFC 6052 §2.2): 48, 56, 64 and 96 bits.
    var localTranslations: [IPAddress] {
        guard case .v6(let value) = self, value >> 80 == 0x0064_FF9B_0001 else { return [] }
        func bits(_ start: Int, _ count: Int) -> UInt32 {
            UInt32(truncatingIfNeeded: value >> UInt128(128 - start - count)) & (UInt32.max >> UInt32(32 - count))
        }
        // Bits 64 to 71 are zero and are not part of the IPv4 address.
        return [bits(48, 16) << 16 | bits(72, 16), bits(56, 8) << 24 | bits(72, 24), bits(72, 32), bits(96, 32)]
            .map { .v4($0) }
    }

    /// The IPv4 address that receives packets for this address, if the address embeds an IPv4 address.
    ///
    /// A network with a translator or a tunnel delivers these packets to the IPv4 address. A check of the IPv6 prefix
    /// alone would allow 169.254.169.254 in the form `64:ff9b::a9fe:a9fe`. The local-use translation prefix
    /// `64:ff9b:1::/48` (RFC 8215) is not included, because the position of its IPv4 bits depends on the operator: see
    /// ``localTranslations``.
    var embeddedIPv4: EmbeddedIPv4? {
        guard case .v6(let value) = self else { return nil }
        let low = UInt32(truncatingIfNeeded: value)
        switch value >> 32 {
        // `::` and `::1` also have this form, but a different meaning.
        case 0 where value > 1:
            return EmbeddedIPv4(form: "IPv4-compatible (RFC 4291)", address: .v4(low), ownsPrefix: true)
        case 0xFFFF: return EmbeddedIPv4(form: "IPv4-mapped (RFC 4291)", address: .v4(low), ownsPrefix: true)
        case 0xFFFF_0000: return EmbeddedIPv4(form: "IPv4-translated (RFC 2765)", address: .v4(low), ownsPrefix: true)
        case 0x0064_FF9B << 64: return EmbeddedIPv4(form: "NAT64 (RFC 6052)", address: .v4(low), ownsPrefix: true)
        default: break
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

/// An IPv4 address embedded in an IPv6 address.
struct EmbeddedIPv4 {
    /// The name of the transition mechanism, for logs.
    let form: String
    let address: IPAddress
    /// Whether the IPv6 prefix is reserved for this mechanism.
    ///
    /// If so, only the IPv4 address is checked.
    let ownsPrefix: Bool
}
