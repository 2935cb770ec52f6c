extension AddressPolicy {
    /// Refuses all addresses that are not public; for a service whose URLs come from untrusted clients.
    package static let publicOnly = AddressPolicy(refusing: unusable + nonPublic, requiresGlobalUnicast: true)

    /// Allows private, loopback and all other unicast addresses; for a service whose origins are in its own network.
    ///
    /// Link-local addresses and cloud metadata services remain refused: they hold credentials and no images.
    package static let privateAllowed = AddressPolicy(refusing: unusable)

    /// Refused by every policy: never the address of a web server.
    private static let unusable = table([
        ("0.0.0.0/8", "this network, unspecified (RFC 791)"),
        ("169.254.0.0/16", "link-local, cloud metadata (RFC 3927)"),
        ("168.63.129.16/32", "Azure host agent"),
        ("100.100.100.200/32", "Alibaba Cloud metadata"),
        ("192.0.0.192/32", "Oracle Cloud metadata"),
        ("224.0.0.0/4", "multicast (RFC 5771)"),
        ("255.255.255.255/32", "broadcast (RFC 919)"),
        ("240.0.0.0/4", "reserved (RFC 1112)"),
        ("::/128", "unspecified (RFC 4291)"),
        ("fe80::/10", "link-local (RFC 4291)"),
        ("fd00:ec2::/32", "AWS metadata and agents"),
        ("fd20:ce::254/128", "Google Cloud metadata"),
        // The two positions of 169.254.0.0/16 below the local NAT64 prefix.
        ("64:ff9b:1:a9fe::/64", "link-local as local NAT64 (RFC 8215)"),
        ("64:ff9b:1::a9fe:0/112", "link-local as local NAT64 (RFC 8215)"),
        ("ff00::/8", "multicast (RFC 4291)"),
    ])

    /// Not globally reachable, after the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890).
    ///
    /// Anycast services without web servers inside a reserved block (such as AS112) are refused with the block.
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
                preconditionFailure("malformed network \(row.cidr)")
            }
            return network
        }
    }
}
