/// Rules for the topics of llhttp's published request tests, one rule per topic, with different requests.
///
/// llhttp has a strict mode and lenient modes. Requests that need a lenient mode are rejected here.
extension Conformance {
    static let framing = [
        Rule(
            "llhttp: methods",
            "any token is accepted as a method; the application interprets it",
            ["REPORT", "M-SEARCH", "PURGE", "LINK", "UNLINK", "SOURCE", "QUERY", "PRI", "MKCOLA"].map {
                served("\($0) /a HTTP/1.1\r\nHost: h\r\n\r\n", "\($0) /a h ")
            } + [
                served(head("Host: h", "Content-Length: 3", method: "PATCH") + "abc", "PATCH / h abc"),
                refused("M-SEARCH * HTTP/1.1\r\nHost: h\r\n\r\n"),
                refused("CONNECT h:1 HTTP/1.0\r\n\r\ntunnelled", 501),
                refused("CONNECT h:1 HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc", 501),
            ]
        ),
        Rule(
            "llhttp: targets",
            "every visible ASCII character except # is accepted unchanged",
            [
                served(
                    "GET /?a=\"b\"&c=<d>|{e}^`[f]\\ HTTP/1.1\r\nHost: h\r\n\r\n",
                    "GET /?a=\"b\"&c=<d>|{e}^`[f]\\ h "
                ),
                served("GET /a??b?c HTTP/1.1\r\nHost: h\r\n\r\n", "GET /a??b?c h "),
                served("GET /%zz%00 HTTP/1.1\r\nHost: h\r\n\r\n", "GET /%zz%00 h "),
                served("GET http://h?a HTTP/1.1\r\nHost: h\r\n\r\n", "GET /?a h "),
                served("GET http://h_1.x:80/a HTTP/1.1\r\nHost: h\r\n\r\n", "GET /a h_1.x:80 "),
                refused("GET http://a@h/ HTTP/1.1\r\nHost: h\r\n\r\n"),
                refused("GET http://a@b@h/ HTTP/1.1\r\nHost: h\r\n\r\n"),
                refused("GET /a?b#c HTTP/1.1\r\nHost: h\r\n\r\n"),
                refused("GET /\u{E9} HTTP/1.1\r\nHost: h\r\n\r\n"),
                refused("GET  HTTP/1.1\r\nHost: h\r\n\r\n"),
                refused("GET /a\u{C}b HTTP/1.1\r\nHost: h\r\n\r\n"),
                refused("GET /a\tb HTTP/1.1\r\nHost: h\r\n\r\n"),
            ]
        ),
        Rule(
            "llhttp: protocols and versions",
            "only HTTP/1.1 and HTTP/1.0; other versions of HTTP get 505",
            [
                "ICE/1.0", "IHTTP/1.1", "RTSP/1.0", "HTTP", "HTTP/", "HTTP/1", "HTTP/1.", "HTTP/11", "HTTP/1.1.1",
                "HTTP/01.1", "HTTP/1.1x", "HTTP/x.1", "HTTP /1.1", "HTTP/1 .1", "HTTP/-1.1", "hTTP/1.1",
            ]
            .map { refused("GET / \($0)\r\nHost: h\r\n\r\n") }
                + ["5.6", "2.0", "0.9", "1.9"].map { refused("GET / HTTP/\($0)\r\nHost: h\r\n\r\n", 505) }
        ),
        Rule(
            "llhttp: line ends",
            "each line ends with CRLF and nothing else",
            [
                refused("GET / HTTP/1.1\n\nHost: h\r\n\r\n"), refused("GET / HTTP/1.1\r\r\nHost: h\r\n\r\n"),
                refused("GET / HTTP/1.1\r\nHost: h\r\r\n\r\n"), refused("GET / HTTP/1.1\r\nHost: h\r\n\rX: a\r\n\r\n"),
                refused("POST / HTTP/1.1\r\nHost: h\r\nX:a\nTransfer-Encoding: chunked\r\n\r\n1\r\nA\r\n0\r\n\r\n"),
                refused("POST / HTTP/1.1\r\nHost: h\r\nX:\rTransfer-Encoding: chunked\r\n\r\n1\r\nA\r\n0\r\n\r\n"),
                refused("POST / HTTP/1.1\r\nHost: h\r\nX:\nTransfer-Encoding: chunked\r\n\r\n1\r\nA\r\n0\r\n\r\n"),
                refused("GET / HTTP/1.1\r\nConnection: close\r\nHost: h\r\n\rZ" + hidden),
                refused("GET / HTTP/1.1\r\nHost: h\r\nX: a\nContent-Length: 9\r\n\r\n" + hidden),
                refused(
                    "POST / HTTP/1.1\nHost: h\nTransfer-Encoding: chunked\n\n1\nA\n1;abc\nB\n0\n\nX: a\n\n"
                ),
            ]
        ),
        Rule(
            "llhttp: field names",
            "a token, directly followed by the colon",
            [
                refused(head("Host: h", "Fo@: a")), refused(head("Host: h", "Foo\u{1}test: a")),
                refused(head("Host: h", ": a")), refused(head("Host: h", "name\r\n : value")),
                refused(head("Host: h", "Connection\r\u{1B}eep-Alive")), refused(head("Host: h", "Foo")),
                refused(head("Host: h", "Content\rLength: 3")), refused(head("Host: h", "Con\u{1}nection: close")),
                refused(head("Host: h", "Foo : a")), refused(head("Host: h", "Foo: bar", " Content-Length: 38")),
                refused("GET / HTTP/1.1\r\n Host: h\r\n\r\n"), refused(head("Host: h", "Test: D\u{FC}sseldorf\u{0}")),
                served(head("Host: h", "Test: D\u{FC}sseldorf"), "GET / h "),
                served(head("Host: h", "Host2: a", "X-Y.Z~!#$%&'*+^_`|: a"), "GET / h "),
            ]
        ),
        Rule(
            "llhttp: hosts",
            "HTTP/1.1 requires one valid Host; HTTP/1.0 does not require Host",
            [
                refused("GET / HTTP/1.1\r\n\r\n"), refused(head("Host: a", "Host: a")), refused(head("Host: a b")),
                served(head("Host: a,b"), "GET / a,b "), refused(head("Host: http://a")),
                servedLast(head(version: "1.0"), "GET / - "),
            ]
        ),
        Rule(
            "llhttp: Content-Length",
            "decimal digits once, optional whitespace around them, and no transfer coding",
            [
                served(head("Host: h", "Content-Length: 003", method: "PUT") + "abc", "PUT / h abc"),
                served(head("Host: h", "Content-Length: 003", "Ohai: world", method: "PUT") + "abc", "PUT / h abc"),
                served(head("Host: h", "Content-Length: \t3  ", method: "PUT") + "abc", "PUT / h abc"),
                servedLast(head("conTENT-Length: 5", version: "1.0") + "HELLO", "GET / - HELLO"),
                refused(head("Host: h", "Content-Length: 1000000000000000000000", method: "PUT")),
                refused(head("Host: h", "Content-Length: 1", "Content-Length: 2", method: "PUT") + "ab"),
                refused(head("Host: h", "Content-Length: 1", "Transfer-Encoding: identity", method: "PUT") + "a"),
                refused(head("Host: h", "Content-Length: 4 2", method: "PUT")),
                refused(head("Host: h", "Content-Length: 13 37", method: "PUT")),
                refused(head("Host: h", "Content-Length:", method: "PUT")),
                refused(head("Host: h", "Content-Length: 3\u{B}", method: "PUT") + "abc"),
            ]
        ),
        Rule(
            "llhttp: transfer codings",
            "chunked alone, once and last; unclear framing gets 400, an unknown coding before chunked 501",
            [
                refused(head("Host: h", "Transfer-Encoding:", "Content-Length: 5", method: "POST") + "hello"),
                refused(
                    head("Host: h", "Content-Length: 9", "Transfer-Encoding:", "Transfer-Encoding:", method: "POST")
                        + "2\r\nAA\r\n0\r\n\r\n"
                ),
                refused(head("Host: h", "Transfer-Encoding: identity", "Content-Length: 5", method: "POST") + "World"),
            ]
                + [
                    "pigeons", "chunkedchunked", "chunked, deflate", "chunked\r\nTransfer-Encoding: deflate",
                    "chunked\r\n  abc",
                ]
                .map { refused(chunked("5\r\nWorld\r\n0\r\n\r\n", coding: $0)) }
                + ["deflate, chunked", "deflate\r\nTransfer-Encoding: chunked"]
                .map { refused(chunked("5\r\nWorld\r\n0\r\n\r\n", coding: $0), 501) }
        ),
        Rule(
            "llhttp: chunks",
            "hexadecimal sizes in upper or lower case, CRLF after sizes and data, a last chunk, trailers",
            [
                served(chunked("a\r\n0123456789\r\n0\r\n\r\n"), "POST / h 0123456789"),
                served(chunked("A\r\n0123456789\r\n0\r\n\r\n"), "POST / h 0123456789"),
                served(chunked("5\r\nhello\r\n6\r\n world\r\n000\r\n\r\n"), "POST / h hello world"),
                served(chunked("5\r\nhello\r\n0\r\nVary: *\r\nContent-Type: text/plain\r\n\r\n"), "POST / h hello"),
                served(chunked("5;one;two=three;four=five\r\nhello\r\n1;a;b\r\n!\r\n0\r\n\r\n"), "POST / h hello!"),
                served(chunked("5;a=\"b \\\"c\\\"; \\\\d\\\\\";e=\"f\";g;h=i\r\nhello\r\n0\r\n\r\n"), "POST / h hello"),
                served(chunked("1\r\na\r\n0\r\n\r\n", coding: "chunked "), "POST / h a"),
                refused(chunked("2 word\r\naa\r\n0\r\n\r\n")), refused(chunked("2\r\naa\r\n0 word\r\n\r\n")),
                refused(chunked("2;\r\naa\r\n0\r\n\r\n")), refused(chunked("5;a=\"b\";c=\"d; e\r\nhello\r\n0\r\n\r\n")),
                refused(chunked("3\r\nfoo\r\n\r\n")), refused(chunked("3 \n  \r\nfoo\r\n0\r\n\r\n")),
                refused(chunked("5\r\r;ABCD\r\n34\r\nE\r\n0\r\n\r\n")), refused(chunked("5\r\nABCDE0\r\n\r\n")),
                refused(chunked("a \r\n0123456789\r\n0\r\n\r\n")), refused(chunked("g\r\na\r\n0\r\n\r\n")),
                refused(chunked("\r\n0\r\n\r\n")), refused(chunked("1;a=\u{1}\r\na\r\n0\r\n\r\n")),
            ]
        ),
        Rule(
            "llhttp: connections",
            "Connection determines whether another request follows; Upgrade and its body do not",
            [
                served(head("Host: h", "Connection: keep-alive"), "GET / h "),
                served(head("Host: h", "Proxy-Connection: close"), "GET / h "),
                served(head("Host: h", "Connection: Upgrade", "Upgrade: WebSocket"), "GET / h "),
                served(head("Host: h", "Connection: keep-alive, upgrade", "Upgrade: WebSocket"), "GET / h "),
                served(
                    head("Host: h", "Connection: Upgrade", "Upgrade: h2c", "Content-Length: 3", method: "POST") + "abc",
                    "POST / h abc"
                ),
                served(head("Host: h", "Connection:", "Connection: x y z"), "GET / h "),
                servedLast(head("Host: h", "Connection: CLOSE"), "GET / h "),
                servedLast(head("Host: h", "Connection: upgrade, close", "Upgrade: x"), "GET / h "),
                servedLast(head("Connection: close, Keep-Alive", version: "1.0"), "GET / - "),
                served(
                    head("Host: h", "Expect: 100-Continue", "Content-Length: 1", method: "POST") + "a",
                    "POST / h a"
                ),
            ]
        ),
        Rule(
            "llhttp: pipelining",
            "at most one empty line before a request; the bytes after a request are the next request",
            [
                served("\r\nGET /a HTTP/1.1\r\nHost: h\r\n\r\n", "GET /a h "),
                refused("\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n"),
                refused("\rGET / HTTP/1.1\r\nHost: h\r\n\r\n"),
                served(head("Host: h", "Content-Length: 4", method: "POST") + "a\r\n\r", "POST / h a\r\n\r"),
            ]
        ),
    ]
}
