import Fetching
import TestPacing
import Testing

@Suite(.limitedConcurrency)
struct AddressPolicyTests {
    /// The first and last address of every non-public network.
    static let refused = [
        // This network and the unspecified address.
        "0.0.0.0", "0.255.255.255", "::",
        // Loopback.
        "127.0.0.0", "127.0.0.1", "127.0.0.254", "127.255.255.255", "::1",
        // Link-local and metadata.
        "169.254.0.0", "169.254.0.1", "169.254.169.254", "169.254.255.255", "fe80::", "fe80::1",
        "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "168.63.129.16", "fd00:ec2::254", "100.100.100.200", "192.0.0.192",
        // RFC 1918.
        "10.0.0.0", "10.0.0.1", "10.255.255.255", "172.16.0.0", "172.16.0.1", "172.31.255.255", "192.168.0.0",
        "192.168.1.1", "192.168.255.255",
        // CGNAT.
        "100.64.0.0", "100.64.0.1", "100.127.255.255",
        // Protocol assignments, benchmarks, documentation, 6to4 relays.
        "192.0.0.0", "192.0.0.255", "198.18.0.0", "198.19.255.255", "192.0.2.0", "192.0.2.255", "198.51.100.0",
        "198.51.100.255", "203.0.113.0", "203.0.113.255", "192.88.99.0", "192.88.99.255",
        // Multicast, reserved, broadcast.
        "224.0.0.0", "224.0.0.1", "239.255.255.255", "240.0.0.0", "255.255.255.254", "255.255.255.255", "ff00::",
        "ff02::1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        // Unique local and site-local.
        "fc00::", "fc00::1", "fd00::1", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fec0::", "fec0::1",
        "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        // Discard, documentation, protocol assignments, segment routing.
        "100::", "100::ffff:ffff:ffff:ffff", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "3fff::",
        "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:1::", "2001:2::1", "2001:10::1", "2001:20::1",
        "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "5f00::1",
        // Unassigned.
        "1::1", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "4000::", "8000::1", "fe00::1",
        // IPv4-compatible, IPv4-mapped, IPv4-translated.
        "::127.0.0.1", "::169.254.0.1", "::10.0.0.1", "::100.64.0.1", "::2", "::ffff:127.0.0.1", "::ffff:0.0.0.0",
        "::ffff:169.254.169.254", "::ffff:224.0.0.1", "::ffff:0:127.0.0.1", "::ffff:0:10.0.0.1",
        // 6to4.
        "2002:a00:1::", "2002:c0a8:101::", "2002:6440:1::", "2002:7f00:1::1", "2002:a9fe:a9fe::",
        // NAT64, with the public and the local prefix.
        "64:ff9b::10.0.0.1", "64:ff9b::172.16.0.1", "64:ff9b::100.64.0.1", "64:ff9b::a9fe:101",
        "64:ff9b:1:a00:0:100::", "64:ff9b:1:c0a8:1:100::", "64:ff9b:1::10.0.0.1", "64:ff9b:1::",
        "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", "64:ff9b:2::8.8.8.8",
        // Teredo, which contains the client's address inverted.
        "2001::f5ff:fffe", "2001:0:4136:e378:8000:63bf:80ff:fffe", "2001::",
        // ISATAP under a public prefix.
        "2600::5efe:10.0.0.1", "2600::5efe:192.168.1.1", "2600::200:5efe:10.0.0.1", "2600::200:5efe:192.168.1.1",
        "2600:1:2:3:0:5efe:127.0.0.1",
        // ISATAP with a public address under a private prefix.
        "fd00::5efe:8.8.8.8", "fe80::200:5efe:8.8.8.8",
    ]

    /// Public addresses, including the addresses next to every blocked network.
    static let allowed = [
        "8.8.8.8", "1.1.1.1", "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
        "126.255.255.255", "128.0.0.0", "168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0",
        "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0", "192.0.1.255", "192.0.3.0", "192.88.98.255",
        "192.88.100.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.255",
        "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255",
        "2000::", "2001:200::", "2001:4860::1", "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::",
        "2003::", "2606:4700::1111", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::",
        "::8.8.8.8", "::ffff:8.8.8.8", "::ffff:0:8.8.8.8", "2002:808:808::", "64:ff9b::8.8.8.8", "2001::f7f7:f7f7",
        "2600::5efe:8.8.8.8", "2600::200:5efe:8.8.8.8",
        // The ISATAP pattern at another position of the address has no meaning.
        "2600:0:5efe:a00:1::1",
    ]

    @Test(arguments: refused)
    func `a non-public address is blocked`(address: String) throws {
        #expect(AddressPolicy.publicOnly.refusal(of: try #require(IPAddress(address))) != nil)
    }

    @Test(arguments: allowed)
    func `a public address is allowed`(address: String) throws {
        let address = try #require(IPAddress(address))
        #expect(AddressPolicy.publicOnly.refusal(of: address) == nil)
        #expect(AddressPolicy.privateAllowed.refusal(of: address) == nil)
    }

    @Test(arguments: [
        "127.0.0.1", "::1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "fd00::1", "fec0::1",
        "::ffff:127.0.0.1", "::10.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::10.0.0.1", "2002:a00:1::", "198.18.0.1",
    ])
    func `private and loopback addresses are allowed if configured`(address: String) throws {
        #expect(AddressPolicy.privateAllowed.refusal(of: try #require(IPAddress(address))) == nil)
    }

    @Test(arguments: [
        "0.0.0.0", "0.0.0.1", "::", "::ffff:0.0.0.0", "224.0.0.1", "239.255.255.255", "ff02::1", "255.255.255.255",
        "240.0.0.1", "::ffff:255.255.255.255", "64:ff9b::224.0.0.1", "169.254.169.254", "fe80::1", "168.63.129.16",
        "::ffff:169.254.169.254", "2002:a9fe:a9fe::1", "2001::5601:5601", "fe80::5efe:10.0.0.1",
        // Metadata services inside private networks, and link-local addresses behind address translation.
        "100.100.100.200", "192.0.0.192", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "fd00:42::42",
        "fd00:a9fe:a9fe::1", "fd00:c1::a9fe:a9fe", "::ffff:100.100.100.200",
        "64:ff9b::169.254.169.254", "64:ff9b:1:a9fe:a9:fe00::", "64:ff9b:1::169.254.169.254",
    ])
    func `special addresses stay blocked if private addresses are allowed`(address: String) throws {
        #expect(AddressPolicy.privateAllowed.refusal(of: try #require(IPAddress(address))) != nil)
    }

    @Test func `the reason for blocking contains the network and the embedded form`() throws {
        let plain = try #require(IPAddress("10.1.2.3"))
        let wrapped = try #require(IPAddress("64:ff9b::10.1.2.3"))
        #expect(AddressPolicy.publicOnly.refusal(of: plain) == "private (RFC 1918)")
        #expect(AddressPolicy.publicOnly.refusal(of: wrapped) == "private (RFC 1918) as NAT64 (RFC 6052)")
    }
}
