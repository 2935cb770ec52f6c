/// A named block of IP addresses.
package struct IPNetwork: Hashable, Sendable {
    /// The lowest address of the block.
    package let base: IPAddress
    /// The number of leading bits that all addresses of the block share: 0…32 or 0…128.
    package let prefixLength: Int
    /// The purpose of the block, for logs: `private (RFC 1918)`.
    package let name: String

    /// Parses CIDR notation; nil if it is malformed or has bits set after the prefix.
    ///
    /// - Parameters:
    ///   - cidr: For example `10.0.0.0/8` or `fc00::/7`.
    ///   - name: The purpose of the block; by default its notation.
    package init?(_ cidr: String, name: String? = nil) {
        let parts = cidr.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let base = IPAddress(String(parts[0])), let prefixLength = Int(parts[1]) else {
            return nil
        }
        self.base = base
        self.prefixLength = prefixLength
        self.name = name ?? cidr
        switch base {
        case .v4(let value):
            guard 0...32 ~= prefixLength, value & (UInt32.max << (32 - prefixLength)) == value else { return nil }
        case .v6(let value):
            guard 0...128 ~= prefixLength, value & (UInt128.max << (128 - prefixLength)) == value else { return nil }
        }
    }

    /// Whether the address lies in the block; false for another family, see ``IPAddress/embeddedIPv4``.
    package func contains(_ address: IPAddress) -> Bool {
        switch (base, address) {
        case (.v4(let base), .v4(let value)): value & (UInt32.max << (32 - prefixLength)) == base
        case (.v6(let base), .v6(let value)): value & (UInt128.max << (128 - prefixLength)) == base
        default: false
        }
    }
}
