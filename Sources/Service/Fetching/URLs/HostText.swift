import Encodings
import UntrustedText

/// The canonical form of a host, which checks, proxies and connections use.
///
/// Programs parse different texts as addresses: some parse `127.1`, `0x7f.1`, `2130706433`, `0177.0.0.1` and
/// `127.0.0.1.` as 127.0.0.1. Therefore, before any rule is applied, every text that any program could parse as an
/// address is converted to this address or refused.
enum HostText {
    /// Converts a host to its normal form in lower-case ASCII.
    ///
    /// The normal form is a dotted decimal IPv4 address, an IPv6 address in brackets in its shortest form (RFC 5952),
    /// or a name without a dot at its end.
    ///
    /// - Throws: ``FetchError/invalidURL(_:)`` for a name with an empty label, and for a host whose last label is a
    ///   number but that is not an IPv4 address. DNS names never end in a number (WHATWG URL §3.5), and programs
    ///   interpret these hosts differently.
    static func normalised(_ host: String) throws(FetchError) -> String {
        if host.bytes.hasPrefix("[") {
            guard host.bytes.hasSuffix("]"), let address = IPAddress(String(host.dropFirst().dropLast())) else {
                throw .invalidURL("the host is not an IPv6 address in brackets")
            }
            return "[\(address)]"
        }
        // A dot at the end only makes a name absolute (RFC 1034 §3.1), and the name refers to the same host.
        let name = host.bytes.hasSuffix(".") ? host.dropLast() : host[...]
        let labels = name.bytes.split(separator: ".", omittingEmptySubsequences: false)
        guard let last = labels.last, labels.allSatisfy({ !$0.isEmpty }) else {
            throw .invalidURL("the host has an empty label")
        }
        guard isNumber(last) else { return String(name) }
        guard let address = address(labels) else {
            throw .invalidURL("the host ends in a number but is not an IPv4 address")
        }
        return "\(IPAddress.v4(address))"
    }

    /// Whether a program could parse a label as a number: decimal digits, or `0x` with hexadecimal digits.
    private static func isNumber(_ label: Substring) -> Bool {
        label.isDecimal
            || label.bytes.hasPrefix("0x") && label.utf8.dropFirst(2).allSatisfy { Hexadecimal.value($0) != nil }
    }

    /// Parses an IPv4 address in the same way as inet_aton(3): one to four numbers.
    ///
    /// The last number fills the remaining bytes.
    private static func address(_ labels: [Substring]) -> UInt32? {
        let numbers = labels.compactMap(number)
        guard let last = numbers.last, numbers.count == labels.count, numbers.count <= 4 else { return nil }
        var address: UInt32 = 0
        for number in numbers.dropLast() {
            guard number <= 0xFF else { return nil }
            address = address << 8 | number
        }
        let bits = UInt32(8 * (5 - numbers.count))
        guard bits == 32 || last >> bits == 0 else { return nil }
        return bits == 32 ? last : address << bits | last
    }

    /// Parses a decimal number, an octal number after `0`, or a hexadecimal number after `0x`.
    private static func number(_ label: Substring) -> UInt32? {
        if label.bytes.hasPrefix("0x") {
            let digits = label.utf8.dropFirst(2)
            // bounded: other text returns nil
            return digits.isEmpty ? 0 : UInt32(Substring(digits), radix: 16)
        }
        // bounded: other text returns nil
        return label.bytes.hasPrefix("0") ? UInt32(label, radix: 8) : UInt32(label, radix: 10)
    }
}
