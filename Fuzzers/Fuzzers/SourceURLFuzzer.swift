import Fetching

extension Fuzzer {
    /// URLs: a first line, followed by the target of a redirect, or by a relative URL.
    ///
    /// Invariants: normalisation is idempotent, and a relative URL stays below its base.
    static let sourceURL = Fuzzer(name: "source-url", maxLength: 512) {
        [
            "https://example.com/a/../b.jpg?c=d#e\n/f g", "http://127.1/", "http://0x7f000001:80/",
            "HTTP://[::FFFF:10.0.0.1]:8080",
            "http://example.com.:443/%2e%2e/\n//evil.net/", "http://017700000001/\n?x",
            "https://xn--bcher-kva.example/\nhttp://a/",
            "s3://bucket/a%20b+c/%c3%a9.jpg?versionId=a%2Bb\n../x", "local:///a/b%20c.jpg\n/%2e%2e/x",
            "s3://b/\n..%2fx",
            "http://user@example.com/", "http://%351.2.3/", "http://%31%32%37.0.0.1/", "http://1.2.3/\n../..",
        ].map { Array($0.utf8) }
    } run: { input in
        let lines = input.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = lines.first, let url = try? SourceURL(String(decoding: first, as: UTF8.self)) else { return }
        check(url)
        guard lines.count > 1 else { return }
        let second = String(decoding: lines[1], as: UTF8.self)
        if BaseURL.isShort(second), let base = try? BaseURL(url.string), let below = try? base.resolved(second) {
            precondition(below.string.hasPrefix(base.string) && below.scheme == url.scheme, below.string)
            check(below)
        }
        guard case .web(let url) = url, let next = try? url.redirected(to: second) else { return }
        precondition(url.scheme == "http" || next.scheme == "https", "a redirect gives up TLS")
        check(.web(next))
    }

    private static func check(_ url: SourceURL) {
        precondition(url.string.utf8.count <= SourceURL.maxLength)
        precondition(url.string.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }, url.string)
        guard let again = try? SourceURL(url.string) else { preconditionFailure("no URL any more: \(url.string)") }
        precondition(again == url, "\(url.string) becomes \(again.string)")
        switch url {
        case .web(let url):
            precondition((1...65_535).contains(url.port) && !url.host.isEmpty)
            if let pattern = HostPattern(url.host) { precondition(pattern.matches(url), "\(url.host) is not itself") }
        case .object(let object):
            precondition(S3BucketList(object.bucket) != nil, "\(object.bucket) cannot be allowed")
            let segments = object.path.split(separator: "/")
            precondition(!segments.contains(".") && !segments.contains(".."), object.path)
        case .file:
            let names = url.string.dropFirst("local:///".count).split(separator: "/", omittingEmptySubsequences: false)
            precondition(!names.contains { $0.isEmpty || $0.hasPrefix(".") }, url.string)
        }
    }
}
