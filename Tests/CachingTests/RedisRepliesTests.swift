import Caching
import TestHTTP
import TestPacing
import Testing

/// Tests with servers that reply with arbitrary bytes.
@Suite(.limitedConcurrency) struct RedisRepliesTests {
    /// A server that sends the same bytes to every client.
    private func server(_ reply: String) throws -> OriginServer {
        try OriginServer { connection in
            connection.write(reply)
            connection.waitForClose()
        }
    }

    @Test(arguments: [
        ("+PONG\r\n", nil), ("-LOADING Redis is loading\r\n", "PING: LOADING Redis is loading"),
        ("HTTP/1.1 400 Bad Request\r\n", "Protocol error"), ("*2000000000\r\n", "reply: "), ("*1025\r\n", "reply: "),
        (String(repeating: "*2\r\n", count: 20), "reply: "), ("$4000000000\r\n", "no reply in time"),
        ("$99999999999999999999\r\n", "reply: "),
        ("$2000000\r\n" + String(repeating: "x", count: 2_000_000), "at most "),
        ("-\u{1B}[31m\u{0}é\r\n", "PING: ?[31m???"),
    ])
    func `a probe reports invalid and oversized replies`(reply: String, error: String?) async throws {
        let server = try server(reply)
        let probed = await RedisAddress("redis://127.0.0.1:\(server.port)")?.probe()
        if let error { #expect(probed?.contains(error) == true, "\(probed ?? "")") } else { #expect(probed == nil) }
    }

    @Test func `a connection to a server that closes it or sends single bytes ends in time`() async throws {
        let closing = try OriginServer { _ in }
        #expect(await RedisAddress("redis://127.0.0.1:\(closing.port)")?.probe() != nil)
        let dripping = try OriginServer { connection in
            while connection.write("+") { _ = connection.waitForClose(milliseconds: 20) }
        }
        let start = ContinuousClock.now
        let error = await RedisAddress("redis://127.0.0.1:\(dripping.port)")?.probe()
        #expect(error == "no reply in time")
        #expect(ContinuousClock.now - start < .seconds(60))
        dripping.stop()
    }

    @Test(arguments: [
        ("*2\r\n$9\r\n127.0.0.1\r\n$1\r\n1\r\n", "127.0.0.1:1: Connection refused"),
        ("*-1\r\n", "the sentinel does not monitor main"),
        ("-ERR unknown command\r\n", "SENTINEL: ERR unknown command"),
        ("*2\r\n$9\r\n127.0.0.1\r\n$1\r\n0\r\n", "expected the host and port of the master"),
        ("*2\r\n$3\r\na b\r\n$1\r\n1\r\n", "expected the host and port of the master"),
        ("*1\r\n$9\r\n127.0.0.1\r\n", "expected the host and port of the master"),
        ("+OK\r\n", "expected the host and port of the master"),
        ("$1\r\n1\r\n", "expected the host and port of the master"),
    ])
    func `a sentinel that names no reachable master is reported`(reply: String, error: String) async throws {
        let sentinel = try server(reply)
        let probed = await RedisAddress("redis+sentinel://127.0.0.1:\(sentinel.port)/main")?.probe()
        #expect(probed?.contains(error) == true, "\(probed ?? "")")
    }

    @Test(arguments: [
        ("*3\r\n$6\r\nmaster\r\n:0\r\n*0\r\n", nil),
        ("*5\r\n$5\r\nslave\r\n$1\r\na\r\n:1\r\n$9\r\nconnected\r\n:0\r\n", "expected the role master, received slave"),
        ("-NOPERM no\r\n", "ROLE: NOPERM no"), ("+master\r\n", "expected the role master"),
    ])
    func `a server that a sentinel names must be a master`(role: String, error: String?) async throws {
        // The replies to PING and ROLE.
        let master = try server("+PONG\r\n" + role)
        let port = "\(master.port)"
        let sentinel = try server("*2\r\n$9\r\n127.0.0.1\r\n$\(port.utf8.count)\r\n\(port)\r\n")
        let away = try server("-ERR no\r\n")
        let address = RedisAddress("redis+sentinel://127.0.0.1:\(away.port),127.0.0.1:\(sentinel.port)/main")
        let probed = await address?.probe()
        if let error {
            #expect(probed?.contains("127.0.0.1:\(port): \(error)") == true, "\(probed ?? "")")
            #expect(probed?.contains("127.0.0.1:\(away.port): SENTINEL: ERR no") == true, "\(probed ?? "")")
        } else {
            #expect(probed == nil)
        }
    }
}
