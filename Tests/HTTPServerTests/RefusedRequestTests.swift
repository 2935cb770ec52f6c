import HTTPServer
import Testing

@Suite struct RefusedRequestTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let request: String
        let status: Int

        init(_ request: String, _ status: Int = 400) {
            self.request = request
            self.status = status
        }

        var testDescription: String { "\(status) for \(request.debugDescription)" }
    }

    static let requestLines = [
        Case("GET / HTTP/1.1\nHost: h\n\n"),
        Case("\nGET / HTTP/1.1\r\nHost: h\r\n\r\n"),
        Case("\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n"),
        Case(" GET / HTTP/1.1\r\nHost: h\r\n\r\n"),
        Case("G@T / HTTP/1.1\r\nHost: h\r\n\r\n"),
        Case("GET\t/ HTTP/1.1\r\nHost: h\r\n\r\n"),
        Case("GET  / HTTP/1.1\r\nHost: h\r\n\r\n"),
        Case("GET / HTTP/1.1 \r\nHost: h\r\n\r\n"),
        Case("GET /a b HTTP/1.1\r\nHost: h\r\n\r\n"),
        Case("GET /\r\n\r\n"),
        Case("GET\r\n\r\n"),
        Case("GET /\u{0} HTTP/1.1\r\nHost: h\r\n\r\n"),
        Case("GET /\u{7F} HTTP/1.1\r\nHost: h\r\n\r\n"),
        Case("GET /é HTTP/1.1\r\nHost: h\r\n\r\n"),
        Case("GET /a\rb HTTP/1.1\r\nHost: h\r\n\r\n"),
        Case("GET /#top HTTP/1.1\r\nHost: h\r\n\r\n"),
        Case("GET a HTTP/1.1\r\nHost: h\r\n\r\n"),
        Case("GET * HTTP/1.1\r\nHost: h\r\n\r\n"),
        Case("GET ftp://h/ HTTP/1.1\r\nHost: h\r\n\r\n"),
        Case("GET http:/// HTTP/1.1\r\nHost: h\r\n\r\n"),
        Case("GET http://user@h/ HTTP/1.1\r\nHost: h\r\n\r\n"),
        Case("CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n", 501),
        Case("GET / HTTP/1.2\r\nHost: h\r\n\r\n", 505),
        Case("GET / HTTP/0.9\r\nHost: h\r\n\r\n", 505),
        Case("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        Case("GET / http/1.1\r\nHost: h\r\n\r\n"),
        Case("GET / HTTP/1.10\r\nHost: h\r\n\r\n"),
        Case("GET / HTTPS/1.1\r\nHost: h\r\n\r\n"),
    ]

    static let fields = [
        Case("GET / HTTP/1.1\r\n Host: h\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n\tb\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost : h\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: h\r\nX\t: a\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: h\r\n: a\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: h\r\nX\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: h\r\nX(y): a\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: h\r\nX\u{0}: a\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: h\r\nÉ: a\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: h\r\nX: a\u{0}b\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: h\r\nX: a\u{1B}b\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: h\r\nX: a\u{7F}b\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: h\r\nX: a\rY: b\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: h\r\nX: a\r\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: h\r\nX: a\nY: b\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: h\r\n\n"),
    ]

    static let hosts = [
        Case("GET / HTTP/1.1\r\n\r\n"),
        Case("GET http://h/ HTTP/1.1\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n"),
        Case("GET / HTTP/1.0\r\nHost: h\r\nhost: i\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost:\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: :80\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: h i\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: h/i\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: u@h\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: h:8x\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: h:65536\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: h:000080\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: [::1\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: [h]\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: [::1]80\r\n\r\n"),
        Case("GET / HTTP/1.1\r\nHost: h%2\r\n\r\n"),
    ]

    static let lengths =
        [
            "", "+5", "-5", "5,5", "5, 5", "0x5", "5 5", "5.0", "five", "\u{0B}5", "9223372036854775808",
            "99999999999999999999999",
        ]
        .map { Case("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \($0)\r\n\r\nhello") } + [
            Case("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello"),
            Case("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello"),
            Case("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n"),
            Case("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            Case("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n0\r\n\r\n"),
            Case("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello"),
        ]

    static let codings =
        [
            ("gzip", 501), ("identity", 501), ("gzip, chunked", 501), ("xchunked", 501), ("chunke", 501),
            ("gzip;level=1, chunked", 501), ("", 400), (",chunked", 400), ("chunked,", 400), ("chunked, gzip", 400),
            ("chunked, chunked", 400), ("chunked, identity", 400), ("chunked;q=1", 400), ("chunked gzip", 400),
            ("\"chunked\"", 400), ("\u{0B}chunked", 400), ("chun\u{0}ked", 400), ("é", 400),
        ]
        .map { Case("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: \($0)\r\n\r\n0\r\n\r\n", $1) } + [
            Case("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            Case(
                "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            ),
            Case(
                "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\n0\r\n\r\n"
            ),
            Case("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n"),
        ]

    static let chunks =
        [
            "\r\n", "x\r\n", "-1\r\n", "+1\r\n", " 1\r\na\r\n", "1 \r\na\r\n", "0x1\r\na\r\n", "1_0\r\n", "1\na\r\n",
            "8000000000000000\r\n", "FFFFFFFFFFFFFFFF\r\n", "10000000000000000\r\n", "1\r\nab\r\n", "1\r\na\n\r\n",
            "1\r\na\r0\r\n\r\n", "1;a\u{0}\r\na\r\n", "1;a\r;b\r\na\r\n", "1,a\r\na\r\n",
            "0\r\nX : a\r\n\r\n", "0\r\n folded\r\n\r\n", "0\r\nX: a\u{0}\r\n\r\n", "0\r\nX: a\n\r\n", "0\r\n\n",
        ]
        .map { Case("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\($0)") }

    @Test(arguments: [requestLines, fields, hosts, lengths, codings, chunks].flatMap(\.self))
    func `it is refused, nothing behind it is read as a request, and the connection ends`(_ example: Case) async throws
    {
        try await withServer { _, address in
            let client = try RawClient(address)
            try await client.send(example.request + "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n")
            let reply = try await client.reply()
            #expect(reply.status == example.status)
            #expect(reply.headers["connection"] == "close")
            #expect(!reply.body.isEmpty)
            #expect(try await client.expectEnd() == 0)
        }
    }

    @Test func `a huge chunk size is refused before anything is reserved for it`() async throws {
        try await withServer { _, address in
            let client = try RawClient(address)
            let head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            try await client.send(head + "7FFFFFFFFFFFFFFF\r\n")
            #expect(try await client.reply().status == 413)
        }
    }

    @Test func `requests before a bad one are still answered`() async throws {
        try await withServer { _, address in
            let client = try RawClient(address)
            try await client.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\nGET /3\r\n\r\n")
            #expect(try await client.reply().text == "GET /1 h ")
            #expect(try await client.reply().text == "GET /2 h ")
            #expect(try await client.reply().status == 400)
            #expect(try await client.expectEnd() == 0)
        }
    }
}
