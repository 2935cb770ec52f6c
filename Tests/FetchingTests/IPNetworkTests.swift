import Fetching
import TestPacing
import Testing

@Suite(.limitedConcurrency)
struct IPNetworkTests {
    @Test(arguments: [
        ("10.0.0.0/8", "10.0.0.0", true), ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
        ("0.0.0.0/0", "255.255.255.255", true), ("1.2.3.4/32", "1.2.3.4", true), ("1.2.3.4/32", "1.2.3.5", false),
        ("fc00::/7", "fdff:ffff::", true), ("fc00::/7", "fe00::", false), ("::/0", "ffff::", true),
        ("::1/128", "::1", true), ("::1/128", "::2", false), ("0.0.0.0/0", "::", false), ("::/0", "0.0.0.0", false),
    ])
    func `a network contains the addresses with its prefix`(cidr: String, address: String, expected: Bool) throws {
        let network = try #require(IPNetwork(cidr))
        #expect(network.contains(try #require(IPAddress(address))) == expected)
    }

    @Test(arguments: [
        "", "/", "10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.1/8", "10/8", "::/129", "::1/64",
        "fc00::/7/7", "name/8",
    ])
    func `malformed notation is rejected`(cidr: String) {
        #expect(IPNetwork(cidr) == nil)
    }

    @Test(arguments: ["0.0.0.0", "127.0.0.1", "255.255.255.255", "::", "::1", "2001:db8::1", "64:ff9b::102:304"])
    func `the text of an address equals the text that was parsed`(text: String) throws {
        #expect(try #require(IPAddress(text)).description == text)
    }

    @Test(arguments: ["", "127.1", "0x7f.0.0.1", "1.2.3.4:80", "[::1]", "fe80::1%eth0", "not-an-ip", "1.2.3.256"])
    func `text that is not an address is rejected`(text: String) {
        #expect(IPAddress(text) == nil)
    }
}
