import UntrustedText

/// Decides which addresses fetches may connect to.
///
/// The decision depends only on the address. It is made for the resolved address of every connection, before its socket
/// is created, so it covers host names, redirects and changing DNS responses.
package struct AddressPolicy: Sendable {
    package let refused: [IPNetwork]
    /// Whether IPv6 addresses outside `2000::/3` are also refused; this block contains all public addresses.
    package let requiresGlobalUnicast: Bool

    /// Creates a policy that refuses the given networks; an IPv4 network also refuses the IPv6 addresses that embed it.
    package init(refusing refused: [IPNetwork], requiresGlobalUnicast: Bool = false) {
        self.refused = refused
        self.requiresGlobalUnicast = requiresGlobalUnicast
    }

    /// Returns the reason why the address must not be contacted; nil if it is allowed.
    ///
    /// - Returns: A text that is only for the log, because it would reveal the private network to the caller.
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
        if address.localTranslations.contains(where: { address in Self.metadata.contains { $0.contains(address) } }) {
            return "link-local or cloud metadata as local NAT64 (RFC 8215)"
        }
        if requiresGlobalUnicast, case .v6(let value) = address, value >> 125 != 0b001 {
            return "outside global unicast (RFC 4291)"
        }
        return nil
    }
}

extension AddressPolicy {
    /// Refuses all addresses that are not public, for a service that accepts URLs from untrusted clients.
    package static let publicOnly = AddressPolicy(refusing: unusable + nonPublic, requiresGlobalUnicast: true)

    /// Allows private, loopback and all other unicast addresses, for a service whose origins are in its own network.
    ///
    /// Link-local addresses and cloud metadata services remain refused: they provide credentials, not images.
    package static let privateAllowed = AddressPolicy(refusing: unusable)

    /// The networks of one organisation: this host, private networks and links.
    private static let local = table([
        ("10.0.0.0/8", "private (RFC 1918)"),
        ("127.0.0.0/8", "loopback (RFC 1122)"),
        ("169.254.0.0/16", "link-local (RFC 3927)"),
        ("172.16.0.0/12", "private (RFC 1918)"),
        ("192.168.0.0/16", "private (RFC 1918)"),
        ("::1/128", "loopback (RFC 4291)"),
        ("fc00::/7", "unique local (RFC 4193)"),
        ("fe80::/10", "link-local (RFC 4291)"),
    ])

    /// Whether an address belongs to this host or to a private network.
    package static func isLocal(_ address: IPAddress) -> Bool {
        let plain = address.embeddedIPv4?.address ?? address
        return local.contains { $0.contains(plain) }
    }

    /// IPv4 addresses of metadata services, which provide credentials, not images.
    private static let metadata = table([
        ("169.254.0.0/16", "link-local, cloud metadata (RFC 3927)"),
        ("168.63.129.16/32", "Azure host agent"),
        ("100.100.100.200/32", "Alibaba Cloud metadata"),
        ("192.0.0.192/32", "Oracle Cloud metadata"),
    ])

    /// Networks that every policy refuses, because a web server never has one of these addresses.
    private static let unusable =
        metadata
        + table([
            ("0.0.0.0/8", "this network, unspecified (RFC 791)"),
            ("224.0.0.0/4", "multicast (RFC 5771)"),
            ("255.255.255.255/32", "broadcast (RFC 919)"),
            ("240.0.0.0/4", "reserved (RFC 1112)"),
            ("::/128", "unspecified (RFC 4291)"),
            ("fe80::/10", "link-local (RFC 4291)"),
            ("fd00:ec2::/32", "AWS metadata and agents"),
            ("fd20:ce::254/128", "Google Cloud metadata"),
            ("fd00:42::42/128", "Scaleway metadata"),
            ("fd00:a9fe:a9fe::1/128", "Linode metadata"),
            ("fd00:c1::a9fe:a9fe/128", "Oracle Cloud metadata"),
            ("ff00::/8", "multicast (RFC 4291)"),
        ])

    /// Networks that are not globally reachable, from the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC
    /// 6890).
    ///
    /// Some anycast services, such as AS112, have public addresses inside a reserved block. They are refused with the
    /// block, because they do not run web servers.
    private static let nonPublic = table([
        ("10.0.0.0/8", "private (RFC 1918)"),
        ("100.64.0.0/10", "carrier-grade NAT (RFC 6598)"),
        ("127.0.0.0/8", "loopback (RFC 1122)"),
        ("172.16.0.0/12", "private (RFC 1918)"),
        ("192.0.0.0/24", "protocol assignments (RFC 6890)"),
        ("192.0.2.0/24", "documentation (RFC 5737)"),
        ("192.88.99.0/24", "6to4 relays (RFC 7526)"),
        ("192.168.0.0/16", "private (RFC 1918)"),
        ("198.18.0.0/15", "benchmarks (RFC 2544)"),
        ("198.51.100.0/24", "documentation (RFC 5737)"),
        ("203.0.113.0/24", "documentation (RFC 5737)"),
        ("::1/128", "loopback (RFC 4291)"),
        ("64:ff9b:1::/48", "local NAT64 (RFC 8215)"),
        ("100::/64", "discard (RFC 6666)"),
        ("2001::/23", "protocol assignments (RFC 2928)"),
        ("2001:db8::/32", "documentation (RFC 3849)"),
        ("3fff::/20", "documentation (RFC 9637)"),
        ("5f00::/16", "segment routing (RFC 9602)"),
        ("fc00::/7", "unique local (RFC 4193)"),
        ("fec0::/10", "site-local (RFC 3879)"),
    ])

    private static func table(_ rows: [(cidr: String, name: String)]) -> [IPNetwork] {
        rows.map { row in
            guard let network = IPNetwork(row.cidr, name: row.name) else {
                // bounded: rows of the tables above
                preconditionFailure("malformed network \(row.cidr)")
            }
            return network
        }
    }
}

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
        let parts = cidr.bytes.split(separator: "/", omittingEmptySubsequences: false)
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
