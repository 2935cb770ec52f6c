extension Conformance {
    static let lines = [
        Rule(
            "9112 §2.2",
            "parse a message as octets; bytes above ASCII in a field value are opaque",
            [
                served(head("Host: h", "X: é"), "GET / h "),
                Case(
                    bytes: Array("GET / HTTP/1.1\r\nHost: h\r\nX: ".utf8) + [0xFF, 0xFE, 0x0D, 0x0A, 0x0D, 0x0A],
                    outcome: .served("GET / h ")
                ),
            ]
        ),
        Rule(
            "9112 §2.2",
            "a bare CR: reject or replace it; Headroom rejects it",
            [
                refused("GET /a\rb HTTP/1.1\r\nHost: h\r\n\r\n"),
                refused("GET / HTTP/1.1\rHost: h\r\n\r\n"),
                refused(head("Host: h", "X: a\rY: b")),
                refused(head("Host: h", "X: a\r")),
                refused(head("Host: h\r", "X: a")),
                refused(chunked("1;a\r;b\r\na\r\n0\r\n\r\n")),
                refused(chunked("1\r\na\r0\r\n\r\n")),
            ]
        ),
        Rule(
            "9112 §2.2",
            "a bare LF: a recipient may accept it as a line end; Headroom rejects it, because proxies differ",
            [
                refused("GET / HTTP/1.1\nHost: h\n\n"),
                refused("\nGET / HTTP/1.1\r\nHost: h\r\n\r\n"),
                refused("GET / HTTP/1.1\r\nHost: h\nX: a\r\n\r\n"),
                refused(head("Host: h", "X: a\nY: b")),
                refused("GET / HTTP/1.1\r\nHost: h\r\n\n"),
                refused(chunked("1\na\r\n0\r\n\r\n")),
                refused(chunked("1\r\na\n0\r\n\r\n")),
                refused(chunked("1\r\na\n\r\n0\r\n\r\n")),
                refused(chunked("0\r\n\n")),
                refused(chunked("0\r\nX: a\n\r\n")),
            ]
        ),
        Rule(
            "9112 §2.2",
            "ignore at least one empty line before the request line",
            [
                served("\r\n" + head("Host: h"), "GET / h "),
                refused("\r\n\r\n" + head("Host: h")),
            ]
        ),
        Rule(
            "9112 §2.2",
            "whitespace between the request line and the first field: reject or skip; Headroom rejects it",
            [
                refused("GET / HTTP/1.1\r\n Host: h\r\n\r\n"),
                refused("GET / HTTP/1.1\r\n\tX: a\r\nHost: h\r\n\r\n"),
                refused("GET / HTTP/1.1\r\n \r\nHost: h\r\n\r\n"),
            ]
        ),
        Rule(
            "9112 §2.2",
            "bytes that are not HTTP get 400",
            [
                refused("\u{16}\u{3}\u{1}\u{2}\r\n\r\n"), refused("hello\r\n\r\n"), refused("SSH-2.0-x\r\n\r\n"),
                refused("\u{0}\r\n\r\n"),
            ]
        ),
        Rule(
            "9112 §2.3",
            "the version is case-sensitive and has two digits; 505 for another major version",
            [
                refused("GET / http/1.1\r\nHost: h\r\n\r\n"), refused("GET / HTTP/1.10\r\nHost: h\r\n\r\n"),
                refused("GET / HTTPS/1.1\r\nHost: h\r\n\r\n"), refused("GET / HTTP/1\r\nHost: h\r\n\r\n"),
                refused("GET / HTTP/1.2\r\nHost: h\r\n\r\n", 505), refused("GET / HTTP/0.9\r\nHost: h\r\n\r\n", 505),
                refused("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
            ]
        ),
    ]

    static let requestLines = [
        Rule(
            "9112 §3",
            "a method, a target and a version, separated by one space; anything else gets 400",
            [
                refused(" GET / HTTP/1.1\r\nHost: h\r\n\r\n"), refused("GET\t/ HTTP/1.1\r\nHost: h\r\n\r\n"),
                refused("GET  / HTTP/1.1\r\nHost: h\r\n\r\n"), refused("GET / HTTP/1.1 \r\nHost: h\r\n\r\n"),
                refused("GET /  HTTP/1.1\r\nHost: h\r\n\r\n"), refused("GET /\u{0B}HTTP/1.1\r\nHost: h\r\n\r\n"),
                refused("GET /\r\n\r\n"), refused("GET\r\n\r\n"), refused("GET / \r\nHost: h\r\n\r\n"),
            ]
        ),
        Rule("9112 §3", "request lines of 8000 bytes are read", [served(longTarget(7980), "GET \(path(7980)) h ")]),
        Rule("9112 §3", "a target above the maximum length gets 414", [refused(longTarget(9000), 414)]),
        Rule(
            "9112 §3.1",
            "the method is a token, and case-sensitive",
            [
                served("PURGE / HTTP/1.1\r\nHost: h\r\n\r\n", "PURGE / h "),
                served("get / HTTP/1.1\r\nHost: h\r\n\r\n", "get / h "),
                refused("G@T / HTTP/1.1\r\nHost: h\r\n\r\n"), refused("GÉT / HTTP/1.1\r\nHost: h\r\n\r\n"),
                refused("G\u{0}T / HTTP/1.1\r\nHost: h\r\n\r\n"),
            ]
        ),
        Rule(
            "9112 §3.2",
            "no whitespace and no control character in a target",
            [
                refused("GET /a b HTTP/1.1\r\nHost: h\r\n\r\n"), refused("GET /\u{0} HTTP/1.1\r\nHost: h\r\n\r\n"),
                refused("GET /\u{7F} HTTP/1.1\r\nHost: h\r\n\r\n"), refused("GET /é HTTP/1.1\r\nHost: h\r\n\r\n"),
                refused("GET /\ta HTTP/1.1\r\nHost: h\r\n\r\n"), refused("GET /#top HTTP/1.1\r\nHost: h\r\n\r\n"),
            ]
        ),
        Rule(
            "9112 §3.2",
            "400 for HTTP/1.1 without Host, with several, or with one that is not valid",
            [
                refused("GET / HTTP/1.1\r\n\r\n"), refused("GET http://h/ HTTP/1.1\r\n\r\n"),
                refused(head("Host: h", "Host: h")), refused(head("Host: h", "host: i", version: "1.0")),
            ]
                + ["", ":80", "h i", "h/i", "u@h", "h:8x", "h:65536", "h:000080", "[::1", "[h]", "[::1]80", "h%2"]
                .map { refused(head("Host: \($0)")) } + [served(head("Host: [::1]:8080"), "GET / [::1]:8080 ")]
        ),
        Rule(
            "9112 §3.2.1",
            "origin-form is an absolute path and an optional query",
            [
                served("GET /a?b=c HTTP/1.1\r\nHost: h\r\n\r\n", "GET /a?b=c h "),
                served("GET //a HTTP/1.1\r\nHost: h\r\n\r\n", "GET //a h "),
                refused("GET a HTTP/1.1\r\nHost: h\r\n\r\n"), refused("GET ?a HTTP/1.1\r\nHost: h\r\n\r\n"),
            ]
        ),
        Rule(
            "9112 §3.2.2",
            "accept absolute-form; its authority takes precedence over Host",
            [
                served("GET HTTP://other:81?q HTTP/1.1\r\nHost: h\r\n\r\n", "GET /?q other:81 "),
                served("GET http://other/a HTTP/1.1\r\nHost: h\r\n\r\n", "GET /a other "),
                refused("GET ftp://h/ HTTP/1.1\r\nHost: h\r\n\r\n"),
                refused("GET http:/// HTTP/1.1\r\nHost: h\r\n\r\n"),
                refused("GET http://user@h/ HTTP/1.1\r\nHost: h\r\n\r\n"),
                refused("GET http://h:99999/ HTTP/1.1\r\nHost: h\r\n\r\n"),
            ]
        ),
        Rule(
            "9112 §3.2.3",
            "authority-form is for CONNECT, which an origin server need not support",
            [
                refused("CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n", 501),
                refused("GET h:443 HTTP/1.1\r\nHost: h\r\n\r\n"),
            ]
        ),
        Rule(
            "9112 §3.2.4",
            "asterisk-form is for OPTIONS",
            [
                served("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", "OPTIONS * h "),
                refused("GET * HTTP/1.1\r\nHost: h\r\n\r\n"),
            ]
        ),
    ]

    private static func path(_ bytes: Int) -> String { "/" + String(repeating: "a", count: bytes - 1) }

    private static func longTarget(_ bytes: Int) -> String { "GET \(path(bytes)) HTTP/1.1\r\nHost: h\r\n\r\n" }
}
