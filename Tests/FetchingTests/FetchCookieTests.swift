import Fetching
import Synchronization
import TestHTTP
import TestPacing
import Testing

/// Cookies of redirects, which are kept during one fetch.
@Suite(.limitedConcurrency) struct FetchCookieTests {
    /// The value of a request's `Cookie` field; nil if there is none.
    private static func cookie(_ request: String) -> String? {
        request.split(separator: "\r\n").first { $0.hasPrefix("Cookie: ") }.map { String($0.dropFirst(8)) }
    }

    /// An origin that sends a cookie with a redirect to `/b/final`, and a list of the cookies that it receives there.
    private func cookies(after setCookies: [String]) async throws -> [String?] {
        let seen = Mutex<[String?]>([])
        let origin = try OriginServer { connection in
            guard let request = connection.readRequest() else { return }
            guard request.hasPrefix("GET /b/final ") else {
                let fields = ["Location: /b/final"] + setCookies.map { "Set-Cookie: \($0)" }
                connection.write(response("302 Found", fields))
                return
            }
            seen.withLock { $0.append(Self.cookie(request)) }
            connection.write(response("200 OK"))
        }
        _ = try await ImageFetcher.local().fetch(origin.url("/b/first"))
        return seen.withLock { $0 }
    }

    @Test func `a redirect that sets a cookie and points to its own URL leads to the image`() async throws {
        let origin = try OriginServer { connection in
            guard let request = connection.readRequest() else { return }
            let isKnown = Self.cookie(request) == "seen=1"
            connection.write(
                isKnown
                    ? response("200 OK", body: "bytes")
                    : response("302 Found", ["Location: /a.jpg", "Set-Cookie: seen=1; Path=/; HttpOnly; SameSite=Lax"])
            )
        }
        let fetcher = ImageFetcher.local()
        #expect(try await fetcher.fetch(origin.url()).bytes == Array("bytes".utf8))
        // The next fetch starts without cookies.
        #expect(try await fetcher.fetch(origin.url()).redirects == 1)
        #expect(origin.connections == 4)
    }

    @Test(
        arguments: [
            (["a=1"], "a=1"), (["a=1", "b=2; Path=/"], "a=1; b=2"), (["a=1", "a=2"], "a=2"), (["a=; Path=/b"], "a="),
            (["a=1; Domain=127.0.0.1"], "a=1"), (["a=\"x y\""], "a=\"x y\""), (["a=1; Max-Age=60"], "a=1"),
        ] as [([String], String)]
    )
    func `cookies are sent to their own host and path`(setCookies: [String], expected: String) async throws {
        #expect(try await cookies(after: setCookies) == [expected])
    }

    @Test(arguments: [
        ["a=1; Secure"], ["a=1; Path=/c"], ["a=1; Path=/b/fin"], ["a=1; Domain=example.com"], ["a=1; Domain=0.0.1x"],
        ["=1"], ["a"], ["a=x\u{1}y"], ["a=é"], ["a=1", "a=2; Max-Age=0"], ["a=1", "a=; Max-Age=-5"],
        ["a=" + String(repeating: "x", count: 5000)],
    ])
    func `other cookies are not sent`(setCookies: [String]) async throws {
        #expect(try await cookies(after: setCookies) == [nil])
    }

    @Test func `the number and length of cookies are limited`() async throws {
        let many = try await cookies(after: (0..<100).map { "c\($0)=1" })
        #expect(many.first??.split(separator: ";").count == 20)
        let long = try await cookies(after: (0..<20).map { "c\($0)=\(String(repeating: "x", count: 1000))" })
        #expect((1...8192).contains(long.first??.utf8.count ?? 0))
    }

    @Test func `a cookie is not sent to another host`() async throws {
        let seen = Mutex<String?>("none")
        let other = try OriginServer(address: "127.0.0.2") { connection in
            guard let request = connection.readRequest() else { return }
            seen.withLock { $0 = Self.cookie(request) }
            connection.write(response("200 OK"))
        }
        let origin = try OriginServer(
            answering: response("302 Found", ["Location: \(other.url())", "Set-Cookie: a=1; Domain=127.0.0.2"])
        )
        _ = try await ImageFetcher.local().fetch(origin.url())
        #expect(seen.withLock { $0 } == nil)
    }
}
