import Fetching

extension Fuzzer {
    /// Host patterns: a first line, followed by the host of a URL.
    ///
    /// Invariant: a matching host ends with the suffix of the pattern.
    static let hostPattern = Fuzzer(name: "host-pattern", maxLength: 256) {
        [
            "*.example.com:8443\na.example.com:8443", "example.com\nexample.com.", "*\nh", "[::1]:80\n[0::1]",
            "127.0.0.1\n0x7f.1", "*.0.0.1\n10.0.0.1",
        ].map { Array($0.utf8) }
    } run: { input in
        let lines = input.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        if let address = lines.first.flatMap(IPAddress.init) {
            precondition(IPAddress(address.description) == address, "\(address) is another address when read again")
        }
        guard let text = lines.first, let pattern = HostPattern(text), lines.count > 1,
            let url = try? WebURL("http://\(lines[1])/"), pattern.matches(url)
        else { return }
        precondition(pattern.port == nil || pattern.port == url.port, "another port passes")
        let host = url.host.hasSuffix(".") ? String(url.host.dropLast()) : url.host
        let name = pattern.port == nil ? text[...] : text[..<(text.lastIndex(of: ":") ?? text.endIndex)]
        // The pattern may contain another notation of an IP address.
        let wanted = (try? WebURL("http://\(name)/"))?.host ?? name.lowercased()
        if wanted.hasPrefix("*.") {
            precondition(host.hasSuffix(wanted.dropFirst()), "\(host) passes for \(wanted)")
        } else if wanted != "*", !wanted.hasPrefix("[") {
            precondition(host == wanted, "\(host) passes for \(wanted)")
        }
    }
}
