import Dispatch
import Fetching
import TestHTTP
import TestPacing
import Testing

/// Fetches with a list of allowed hosts.
///
/// In these tests, 127.0.0.1 is private, and every other address is public.
@Suite(.limitedConcurrency) struct ImageFetcherAllowListTests {
    private func fetcher(_ patterns: [String], to names: [String: String], port: Int) throws -> ImageFetcher {
        let hosts = try names.map { name, address in
            PinnedHost(host: name, port: port, addresses: [try #require(IPAddress(address))])
        }
        let patterns = try patterns.map { try #require(HostPattern($0)) }
        return try ImageFetcher.wary(ports: [port], pinnedHosts: hosts) {
            $0.rules.allowedHosts = patterns
            // A long timeout, because the machine may be busy.
            $0.timeout = .seconds(60)
        }
    }

    @Test func `an allowed host is contacted, and any other host is not even resolved`() async throws {
        let origin = try OriginServer(address: "127.0.0.2", answering: response("200 OK", body: "bytes"))
        let names = ["a.example.com": "127.0.0.2", "evil.net": "127.0.0.2", "example.com.evil.net": "127.0.0.2"]
        let fetcher = try fetcher(["*.example.com"], to: names, port: origin.port)
        #expect(try await fetcher.fetch("http://a.example.com:\(origin.port)/").bytes == Array("bytes".utf8))
        for host in ["evil.net", "example.com.evil.net", "127.0.0.2", "example.com", "not-looked-up.invalid"] {
            let failure = try await fetcher.failure("http://\(host):\(origin.port)/")
            #expect(failure == .blocked("\(host):\(origin.port) is not an allowed host"))
        }
        #expect(origin.connections == 1)
    }

    @Test func `the host of every hop must be allowed`() async throws {
        let first = try OriginServer(address: "127.0.0.2") { connection in
            let port = connection.readRequest()?.firstMatch(of: /Host: a.example.com:([0-9]+)/)?.1 ?? ""
            connection.write(response("302 Found", ["Location: http://evil.net:\(port)/secret?token=1"]))
        }
        let port = first.port
        let second = try OriginServer(address: "127.0.0.3", port: port, answering: response("200 OK", body: "bytes"))
        let names = ["a.example.com": "127.0.0.2", "evil.net": "127.0.0.3"]
        let wary = try fetcher(["a.example.com"], to: names, port: port)
        let reason = "redirect to http://evil.net:\(port)/secret?…: evil.net:\(port) is not an allowed host"
        #expect(try await wary.failure("http://a.example.com:\(port)/a.jpg") == .blocked(FetchRefusal(reason)))
        #expect(first.connections == 1)
        #expect(second.connections == 0)
        let open = try fetcher(["a.example.com", "evil.net"], to: names, port: port)
        #expect(try await open.fetch("http://a.example.com:\(port)/a.jpg").bytes == Array("bytes".utf8))
    }

    @Test func `changed rules apply to new fetches, and running fetches keep the old rules`() async throws {
        let (isAsked, mayAnswer) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let first = try OriginServer(address: "127.0.0.2") { connection in
            let port = connection.readRequest()?.firstMatch(of: /Host: a.example.com:([0-9]+)/)?.1 ?? ""
            isAsked.signal()
            mayAnswer.wait()
            connection.write(response("302 Found", ["Location: http://b.example.com:\(port)/"]))
        }
        let port = first.port
        let second = try OriginServer(address: "127.0.0.3", port: port, answering: response("200 OK", body: "bytes"))
        let names = ["a.example.com": "127.0.0.2", "b.example.com": "127.0.0.3"]
        let wide = try fetcher(["*.example.com"], to: names, port: port)
        async let begun = wide.fetch("http://a.example.com:\(port)/")
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "asked").async {
                isAsked.wait()
                continuation.resume()
            }
        }
        var configuration = FetchConfiguration(userAgent: "Headroom/test")
        #expect(wide.adopting(configuration.rules)?.adopting(configuration.rules) == nil)
        configuration.rules.allowedHosts = [try #require(HostPattern("a.example.com"))]
        let narrow = try #require(wide.adopting(configuration.rules))
        #expect(try await narrow.failure("http://b.example.com:\(port)/").kind == "blocked")
        #expect(second.connections == 0)
        mayAnswer.signal()
        #expect(try await begun.bytes == Array("bytes".utf8))
        configuration.rules.allowedHosts = nil
        let open = try #require(narrow.adopting(configuration.rules))
        #expect(try await open.fetch("http://b.example.com:\(port)/").bytes == Array("bytes".utf8))
    }

    @Test func `allowing a name does not allow its private address`() async throws {
        let inner = try OriginServer(answering: response("200 OK", body: "secret"))
        let fetcher = try fetcher(["*"], to: ["a.example.com": "127.0.0.1"], port: inner.port)
        #expect(try await fetcher.failure("http://a.example.com:\(inner.port)/").kind == "blocked")
        #expect(inner.connections == 0)
    }

    @Test func `a denied host is not resolved, although its pattern is also allowed`() async throws {
        let origin = try OriginServer(address: "127.0.0.2", answering: response("200 OK", body: "bytes"))
        let names = ["a.example.com": "127.0.0.2", "evil.example.com": "127.0.0.2"]
        let hosts = try names.map { name, address in
            PinnedHost(host: name, port: origin.port, addresses: [try #require(IPAddress(address))])
        }
        for allowed in [nil, "*.example.com", "evil.example.com:\(origin.port)"] {
            let fetcher = try ImageFetcher.wary(ports: [origin.port], pinnedHosts: hosts) {
                $0.rules.allowedHosts = allowed.map { [HostPattern($0)].compactMap(\.self) }
                $0.rules.deniedHosts = [HostPattern("evil.example.com")].compactMap(\.self)
                $0.timeout = .seconds(60)
            }
            for host in ["evil.example.com", "EVIL.Example.com."] {
                let failure = try await fetcher.failure("http://\(host):\(origin.port)/")
                #expect(failure == .blocked("evil.example.com:\(origin.port) is a denied host"))
            }
            if allowed?.hasPrefix("evil") != true {
                #expect(try await fetcher.fetch("http://a.example.com:\(origin.port)/").bytes == Array("bytes".utf8))
            }
        }
        #expect(origin.connections == 2)
    }

    @Test func `a redirect to a denied host is not followed`() async throws {
        let first = try OriginServer(address: "127.0.0.2") { connection in
            let port = connection.readRequest()?.firstMatch(of: /Host: a.example.com:([0-9]+)/)?.1 ?? ""
            connection.write(response("302 Found", ["Location: http://EVIL.net:\(port)/secret?token=1"]))
        }
        let port = first.port
        let second = try OriginServer(address: "127.0.0.3", port: port, answering: response("200 OK", body: "bytes"))
        let hosts = try ["a.example.com": "127.0.0.2", "evil.net": "127.0.0.3"].map { name, address in
            PinnedHost(host: name, port: port, addresses: [try #require(IPAddress(address))])
        }
        let fetcher = try ImageFetcher.wary(ports: [port], pinnedHosts: hosts) {
            $0.rules.deniedHosts = [HostPattern("evil.net")].compactMap(\.self)
            $0.timeout = .seconds(60)
        }
        let reason = "redirect to http://evil.net:\(port)/secret?…: evil.net:\(port) is a denied host"
        #expect(try await fetcher.failure("http://a.example.com:\(port)/") == .blocked(FetchRefusal(reason)))
        #expect(first.connections == 1)
        #expect(second.connections == 0)
    }

    @Test func `a pattern with a port allows only that port`() async throws {
        let origin = try OriginServer(address: "127.0.0.2", answering: response("200 OK", body: "bytes"))
        let other = try OriginServer(address: "127.0.0.2", answering: response("200 OK", body: "bytes"))
        let patterns = try ["127.0.0.2:\(origin.port)", "*"].map { try #require(HostPattern($0)) }
        let fetcher = try ImageFetcher.wary(ports: [80, 443]) { $0.rules.allowedHosts = patterns }
        #expect(try await fetcher.fetch(origin.url()).bytes == Array("bytes".utf8))
        #expect(try await fetcher.failure(other.url()).kind == "blocked")
        #expect(other.connections == 0)
    }
}
