import CWithoutIPv6
import Glibc
import HTTPServer
import HTTPTypes
import Logging
import TestHTTP
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct ListenTests {
    private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    private static func makeServer() -> HTTPServer {
        echoServer()
    }

    /// Whether this machine supports IPv6; many containers do not.
    private static let hasIPv6 = (try? makeServer().bind(to: .tcp(host: "::1", port: 0))) != nil

    private static func peer(_ request: ServerRequest) async -> ServerResponse {
        ServerResponse(text: request.client.description)
    }

    /// The client's address as the server reports it.
    private func peer(_ listen: ListenAddress, connect host: String? = nil) async throws -> String {
        try await withServer(on: listen, handler: Self.peer) { _, address in
            let client = try TestClient(address, host: host)
            try await client.send(Self.request)
            return try await client.reply().text
        }
    }

    @Test(
        arguments: [
            ("127.0.0.1:9090", "http://localhost:9090"), ("0.0.0.0:80", "http://localhost:80"),
            ("[::]:8080", "http://localhost:8080"), ("192.0.2.1:8080", "http://192.0.2.1:8080"),
            ("[2001:db8::1]:8080", "http://[2001:db8::1]:8080"), ("unix:m.sock", nil),
        ] as [(String, String?)]
    )
    func `an address has a URL for a browser`(text: String, url: String?) {
        #expect(ListenAddress(text)?.page == url)
    }

    @Test(
        arguments: [
            ("127.0.0.1:9090", .tcp(host: "127.0.0.1", port: 9090)), ("[::1]:0", .tcp(host: "::1", port: 0)),
            ("localhost:65535", .tcp(host: "localhost", port: 65535)), ("unix:/run/a b", .unix(path: "/run/a b")),
            ("unix:m.sock", .unix(path: "m.sock")), ("", nil), (":", nil), (":9090", nil),
            ("127.0.0.1", nil),
            ("127.0.0.1:", nil), ("127.0.0.1:65536", nil), ("127.0.0.1:-1", nil), ("127.0.0.1:+1", nil),
            ("::1:90", nil),
            ("[::1]", nil), ("[::1]90", nil), ("[]:90", nil), ("[127.0.0.1]:90", nil), ("http://h:90", nil),
            ("h/:90", nil),
            ("unix:", nil), ("unix:/" + String(repeating: "a", count: 107), nil), ("127.0.0.1:٣", nil),
        ] as [(String, ListenAddress?)]
    )
    func `an address is parsed and printed in the same notation`(text: String, address: ListenAddress?) {
        #expect(ListenAddress(text) == address)
        if let address { #expect(address.description == text) }
    }

    @Test func `IPv4`() async throws {
        #expect(try await peer(.tcp(host: "127.0.0.1", port: 0)).hasPrefix("127.0.0.1:"))
    }

    @Test(.enabled(if: hasIPv6)) func `IPv6`() async throws {
        #expect(try await peer(.tcp(host: "::1", port: 0)).hasPrefix("[::1]:"))
    }

    @Test(.enabled(if: hasIPv6), arguments: [("127.0.0.1", "127.0.0.1:"), ("::1", "[::1]:")])
    func `the IPv6 wildcard accepts both families`(_ host: String, _ prefix: String) async throws {
        #expect(try await peer(.tcp(host: "::", port: 0), connect: host).hasPrefix(prefix))
    }

    /// Binds an address on a thread without IPv6.
    ///
    /// - Returns: The bound address, or an error, and the lines of the log; nil if the kernel does not allow a thread
    ///   without IPv6.
    private static func bindWithoutIPv6(_ host: String) -> (Result<BoundAddress, SocketError>, lines: [String])? {
        final class Outcome {
            let host: String
            var result: Result<BoundAddress, SocketError>?
            let recorder = LineRecorder()

            init(_ host: String) { self.host = host }
        }
        let outcome = Outcome(host)
        let isRun = hr_run_without_ipv6(
            { context in
                guard let context else { return }
                let outcome = Unmanaged<Outcome>.fromOpaque(context).takeUnretainedValue()
                let recorder = outcome.recorder
                let server = echoServer(Logger(label: "test") { _ in recorder })
                outcome.result = Result { () throws(SocketError) in
                    try server.bind(to: .tcp(host: outcome.host, port: 0))
                }
            },
            Unmanaged.passUnretained(outcome).toOpaque()
        )
        return isRun ? outcome.result.map { ($0, outcome.recorder.lines) } : nil
    }

    @Test func `without IPv6, its wildcard is replaced by the IPv4 wildcard, and the log reports it`() throws {
        let (result, lines) = try #require(Self.bindWithoutIPv6("::"), "the kernel allows no filter")
        let address = try result.get()
        #expect(address.description.hasPrefix("0.0.0.0:") && address.port != 0)
        #expect(lines == ["notice IPv6 is disabled on this machine; listening on IPv4 only"])
    }

    @Test func `without IPv6, an explicit IPv6 address is rejected`() throws {
        let (result, lines) = try #require(Self.bindWithoutIPv6("::1"), "the kernel allows no filter")
        let error = #expect(throws: SocketError.self) { try result.get() }
        #expect(error?.description.contains("address family not supported") == true)
        #expect(lines == [])
    }

    @Test func `a name is bound at all its addresses, on one port`() async throws {
        #expect(try await peer(.tcp(host: "localhost", port: 0), connect: "127.0.0.1").hasPrefix("127.0.0.1:"))
    }

    @Test func `the server listens on several addresses at once`() async throws {
        let server = Self.makeServer()
        let path = temporarySocketPath()
        let addresses = [
            try server.bind(to: .tcp(host: "127.0.0.1", port: 0)),
            try server.bind(to: .tcp(host: "127.0.0.1", port: 0)),
            try server.bind(to: .unix(path: path)),
        ]
        async let run: Void = server.run()
        for address in addresses {
            let client = try TestClient(address)
            try await client.send(Self.request)
            #expect(try await client.reply().status == 200)
        }
        server.shutdown()
        await run
        #expect(access(path, F_OK) != 0)
    }

    @Test func `a Unix socket replaces an abandoned socket and is removed at the end`() async throws {
        let path = temporarySocketPath()
        let abandoned = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                bind(abandoned, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(status == 0)
        close(abandoned)
        #expect(access(path, F_OK) == 0)
        #expect(try await peer(.unix(path: path)) == "unix")
        #expect(access(path, F_OK) != 0)
    }

    @Test func `an inherited Unix socket is used, and its file is not removed at the end`() async throws {
        let path = temporarySocketPath()
        defer { unlink(path) }
        let inherited = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                bind(inherited, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(status == 0)
        let early = #expect(throws: SocketError.self) {
            try Self.makeServer().bind(to: .inherited(descriptor: inherited))
        }
        #expect(early?.errno == EINVAL)
        #expect(listen(inherited, 16) == 0)
        let server = Self.makeServer()
        let bound = try server.bind(to: .inherited(descriptor: inherited))
        #expect(bound == .unix(path: path))
        async let run: Void = server.run()
        let client = try TestClient(bound)
        try await client.send(Self.request)
        #expect(try await client.reply().status == 200)
        server.shutdown()
        await run
        #expect(access(path, F_OK) == 0)
    }

    @Test func `a Unix socket in use is not replaced`() async throws {
        let path = temporarySocketPath()
        try await withServer(on: .unix(path: path)) { _, address in
            let error = #expect(throws: SocketError.self) { try Self.makeServer().bind(to: .unix(path: path)) }
            #expect(error?.errno == EADDRINUSE)
            let client = try TestClient(address)
            try await client.send(Self.request)
            #expect(try await client.reply().status == 200)
        }
    }

    @Test func `a file that is not a socket is not replaced`() throws {
        let path = temporarySocketPath()
        let file = try #require(fopen(path, "w"))
        fclose(file)
        defer { unlink(path) }
        #expect(throws: SocketError.self) { try Self.makeServer().bind(to: .unix(path: path)) }
        #expect(access(path, F_OK) == 0)
    }

    @Test func `a port in use is an error that contains the address`() throws {
        let first = Self.makeServer()
        let address = try first.bind(to: .tcp(host: "127.0.0.1", port: 0))
        let port = try #require(address.port)
        #expect(port != 0)
        let error = try #require(throws: SocketError.self) {
            try Self.makeServer().bind(to: .tcp(host: "127.0.0.1", port: port))
        }
        #expect(error.errno == EADDRINUSE)
        #expect(error.call == "bind" || error.call == "listen")
        #expect(error.description == "cannot listen on 127.0.0.1:\(port): address already in use")
        first.shutdown()
    }

    @Test(arguments: [
        (ListenAddress.tcp(host: "192.0.2.1", port: 80), "cannot listen on 192.0.2.1:80: "),
        (.tcp(host: "2001:db8::1", port: 80), "cannot listen on [2001:db8::1]:80: "),
        (.tcp(host: "no such host", port: 80), "cannot listen on no such host:80: "),
        (.unix(path: "/nowhere/at/all.sock"), "cannot listen on unix:/nowhere/at/all.sock: no such file or directory"),
        (.unix(path: String(repeating: "a", count: 200)), "cannot listen on unix:aaaa"),
        (.unix(path: ""), "cannot listen on unix:: invalid argument"),
    ])
    func `the error for an address that cannot be bound contains the address`(
        _ address: ListenAddress,
        _ prefix: String
    ) throws {
        let error = try #require(throws: SocketError.self) { try Self.makeServer().bind(to: address) }
        #expect(error.description.hasPrefix(prefix), "\(error)")
        #expect(!error.reason.isEmpty)
    }
}
