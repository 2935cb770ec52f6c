import Glibc

/// An IP address as a number, for comparison with networks.
package enum IPAddress: Hashable, Sendable {
    /// An IPv4 address in host byte order: `127.0.0.1` is `0x7F00_0001`.
    case v4(UInt32)
    /// An IPv6 address in host byte order: `::1` is 1.
    case v6(UInt128)

    /// Parses dotted-decimal IPv4 or IPv6 text, without brackets, zone, port or shorthand (`127.1` is refused).
    ///
    /// - Parameter text: A text that `inet_pton` accepts.
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

    /// Reads the address of a socket address; nil if it is of another family or shorter than its family requires.
    ///
    /// - Parameter bytes: The bytes of a `sockaddr`, at any alignment.
    init?(socketAddress bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= MemoryLayout<sa_family_t>.size else { return nil }
        switch Int32(bytes.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET where bytes.count >= MemoryLayout<sockaddr_in>.size:
            self.init(bytes.loadUnaligned(as: sockaddr_in.self).sin_addr)
        case AF_INET6 where bytes.count >= MemoryLayout<sockaddr_in6>.size:
            self.init(bytes.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        default:
            return nil
        }
    }

    private init(_ address: in_addr) {
        self = .v4(UInt32(bigEndian: address.s_addr))
    }

    private init(_ address: in6_addr) {
        self = .v6(withUnsafeBytes(of: address) { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) })
    }
}

extension IPAddress: CustomStringConvertible {
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let written =
            switch self {
            case .v4(let value):
                withUnsafeBytes(of: value.bigEndian) {
                    inet_ntop(AF_INET, $0.baseAddress, &text, socklen_t(text.count))
                }
            case .v6(let value):
                withUnsafeBytes(of: value.bigEndian) {
                    inet_ntop(AF_INET6, $0.baseAddress, &text, socklen_t(text.count))
                }
            }
        return written.map { String(cString: $0) } ?? "?"
    }
}
