import Fetching

extension Fuzzer {
    /// URLs: a first line, followed by the target of a redirect.
    ///
    /// Normalisation is idempotent.
    static let sourceURL = Fuzzer(name: "source-url", maxLength: 512) {
        [
            "https://example.com/a/../b.jpg?c=d#e\n/f g", "http://127.1/", "http://0x7f000001:80/",
            "HTTP://[::FFFF:10.0.0.1]:8080",
            "http://example.com.:443/%2e%2e/\n//evil.net/", "http://017700000001/\n?x",
            "https://xn--bcher-kva.example/\nhttp://a/",
            "http://user@example.com/", "http://%351.2.3/", "http://%31%32%37.0.0.1/", "http://1.2.3/\n../..",
        ].map { Array($0.utf8) }
    } run: { input in
        let lines = input.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = lines.first, let url = try? SourceURL(String(decoding: first, as: UTF8.self)) else { return }
        check(url)
        guard lines.count > 1, let next = try? url.redirected(to: String(decoding: lines[1], as: UTF8.self)) else {
            return
        }
        precondition(url.scheme == "http" || next.scheme == "https", "a redirect gives up TLS")
        check(next)
    }

    private static func check(_ url: SourceURL) {
        precondition(
            (1...65_535).contains(url.port) && !url.host.isEmpty && url.string.utf8.count <= SourceURL.maxLength
        )
        precondition(url.string.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }, url.string)
        guard let again = try? SourceURL(url.string) else { preconditionFailure("no URL any more: \(url.string)") }
        precondition(again == url, "\(url.string) becomes \(again.string)")
        if let pattern = HostPattern(url.host) { precondition(pattern.matches(url), "\(url.host) is not itself") }
    }
}
