import HTTPServer
import HTTPTypes
import TestHTTP
import TestPacing
import Testing

/// Numbers of arbitrary size, from clients and from the configuration.
@Suite(.limitedConcurrency) struct NumberTests {
    private static let digits = String(repeating: "9", count: 4000)
    private static let zeros = String(repeating: "0", count: 200)

    /// Requests with a number, and the expected status.
    private static let requests: [(String, Int)] = {
        func head(_ fields: String) -> String { "POST / HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\r\n" }
        func host(_ port: String) -> String { "GET / HTTP/1.1\r\nHost: h:\(port)\r\n\r\n" }
        func target(_ port: String) -> String { "GET http://h:\(port)/ HTTP/1.1\r\nHost: h\r\n\r\n" }
        func chunk(_ size: String) -> String { head("Transfer-Encoding: chunked") + size + "\r\n\r\n" }
        let lengths: [(String, Int)] = [
            ("0", 200), (zeros, 200), ("9223372036854775807", 413), ("9223372036854775808", 400),
            ("18446744073709551615", 400), ("18446744073709551616", 400), (digits, 400), ("-1", 400), ("1e3", 400),
            (zeros + "9223372036854775807", 413), (zeros + "9223372036854775808", 400),
        ]
        let sizes: [(String, Int)] = [
            ("0", 200), (zeros, 200), ("7FFFFFFFFFFFFFFF", 413), ("8000000000000000", 400), ("ffffffffffffffff", 400),
            ("10000000000000000", 400), (zeros + "7fffffffffffffff", 413), (String(repeating: "f", count: 250), 400),
            ("-1", 400),
        ]
        let ports: [(String, Int)] = [
            ("", 200), ("0", 200), ("65535", 200), ("65536", 400), ("99999", 400), ("000080", 400), ("100000", 400),
            (digits, 400), ("-1", 400),
        ]
        let versions: [(String, Int)] = [
            ("1.1", 200), ("1.2", 505), ("9.9", 505), ("0.9", 505), ("11.1", 400), ("1.10", 400), (digits, 400),
        ]
        return lengths.map { (head("Content-Length: \($0)"), $1) } + sizes.map { (chunk($0), $1) }
            + ports.flatMap { [(host($0), $1), (target($0), $1)] }
            + versions.map { ("GET / HTTP/\($0)\r\nHost: h\r\n\r\n", $1) }
    }()

    @Test func `a number of any size in a request gets a response`() async throws {
        try await withServer { _, address in
            for (request, status) in Self.requests {
                let client = try TestClient(address)
                try await client.send(request)
                #expect(try await client.reply().status == status, "\(request.prefix(120).debugDescription)")
            }
        }
    }

    @Test func `the declared length of a response may be any text`() async throws {
        for length in ["", "-1", "9223372036854775807", "9223372036854775808", Self.digits, "x"] {
            try await withServer { _ in
                ServerResponse(status: .ok, headers: [.contentLength: length])
            } _: { _, address in
                let client = try TestClient(address)
                try await client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try await client.reply(toHead: true).status == 200)
            }
        }
    }

    @Test(arguments: [Int.max, Int.max - 1, Int.max / 2])
    func `the server works with limits of any size`(_ number: Int) async throws {
        let longest = Duration.seconds(Int64.max)
        let configuration = ServerConfiguration.with {
            $0.maxRequestLineBytes = number
            $0.maxHeaderBytes = number
            $0.maxHeaderCount = number
            $0.maxBodyBytes = number
            $0.maxBodyBytesInFlight = number
            $0.maxUnsentBytes = number
            $0.maxConnections = number
            $0.maxConnectionsPerAddress = number
            $0.maxPipelinedBytes = number
            $0.minBytesPerSecond = number
            for time in Self.times { $0[keyPath: time] = longest }
            // The sockets of this test are closed automatically.
            $0.lingerTimeout = .seconds(1)
        }
        try await check(configuration)
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min), .nanoseconds(1)])
    func `timeouts of any size end connections or allow requests`(_ time: Duration) async throws {
        let configuration = ServerConfiguration.with { configuration in
            for path in Self.times where path != \.drainTimeout { configuration[keyPath: path] = time }
            configuration.minBytesPerSecond = .min
        }
        try await withServer(configuration) { server, address in
            let client = try TestClient(address)
            try await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n")
            try? await client.send([UInt8](repeating: 7, count: 50_000))
            _ = try? await client.expectEnd()
        }
    }

    private static let times: [any WritableKeyPath<ServerConfiguration, Duration> & Sendable] = [
        \.headerTimeout, \.bodyTimeout, \.idleTimeout, \.writeTimeout, \.halfCloseGrace, \.lingerTimeout,
        \.drainTimeout, \.handshakeGrace, \.firstRequestGrace, \.idleGrace,
    ]

    private func check(_ configuration: ServerConfiguration) async throws {
        var configuration = configuration
        configuration.handshakeGrace = .zero
        try await withServer(configuration) { _ in
            ServerResponse(status: .ok, body: [UInt8](repeating: 7, count: 5_000_000))
        } _: { _, address in
            let client = try TestClient(address)
            try await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 200000\r\n\r\n")
            try await client.send([UInt8](repeating: 7, count: 200_000))
            #expect(try await client.reply().body.count == 5_000_000)
            try await client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
            try await client.send("1;a=b\r\nx\r\n0\r\n\r\n")
            #expect(try await client.reply().status == 200)
        }
    }
}
