import Admission
@testable import Fetching
@testable import HeadroomAPI

extension Fuzzer {
    /// The header of an origin's response, passed line by line as by libcurl, and its interpretation.
    ///
    /// Invariants: the freshness lifetime is bounded, and directives that are forwarded to clients parse to the same
    /// value.
    static let originHeader = Fuzzer(name: "origin-header", maxLength: 1024) {
        [
            "HTTP/1.1 200 OK\r\nCache-Control: public, Max-Age=\"300\", s-maxage = 9, no-cache=\"set-cookie, a\"\r\n",
            "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
                + "Expires: Sunday, 06-Nov-94 08:49:37 GMT\r\nAge: 5\r\nETag: W/\"a\"\r\n\r\n",
            "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nExpires: Sun, 06 Nov 1994 08:39:37 GMT\r\n"
                + "Age: 9223372036854775807\r\nLast-Modified: Fri, 31 Dec 9999 23:59:59 GMT\r\nVary: *\r\n\r\n",
            "HTTP/1.0 304 x\nExpires: 0\nAGE : 9223372036854775807\nCache-Control: max-age=99999999999999999999\n\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n folded\r\nContent-Encoding: gzip\r\n\r\n",
            "HTTP/1.1 302 Found\r\nLocation: //a\r\nTransfer-Encoding: chunked\r\nCache-Control: no-store\r\n\r\n",
        ].map { Array($0.utf8) }
    } run: { input in
        guard let url = try? SourceURL("http://example.com/") else { preconditionFailure("no URL") }
        let receiver = ResponseReceiver(maxBytes: 1 << 16, budget: ByteBudget(limit: 1 << 18))
        for line in input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let bytes = Array(line) + [UInt8(ascii: "\n")]
            guard bytes.withUnsafeBytes(receiver.receiveHeader) else { break }
        }
        let image = FetchedImage(receiver, isUnchanged: false, url: url, redirects: 0)
        for now in [0, 784_111_777, 4_000_000_000].map(UnixTime.init(clamping:)) {
            let freshness = OriginFreshness(of: image, now: now)
            precondition(freshness.lifetime.map { $0 <= OriginFreshness.longest } ?? true)
            let kept = CachedSource(image, freshness, now: now)
            precondition(kept.origin.freshUntil <= (now + OriginFreshness.longest).seconds)
        }
        let fields = [image.contentType, image.etag, image.lastModified, image.cacheControl].compactMap(\.self)
        precondition(fields.allSatisfy { $0.utf8.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x09 } }, "\(fields)")
        guard let text = image.cacheControl.flatMap(OriginDirectives.value) else { return }
        precondition(OriginDirectives.value(text) == text, "\(text) does not parse to itself")
    }
}
