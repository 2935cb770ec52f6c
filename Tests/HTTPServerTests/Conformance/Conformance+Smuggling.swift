extension Conformance {
    static let connections = [
        Rule(
            "9112 §9.3",
            "the version and Connection determine whether a connection persists",
            [
                served(head("Host: h"), "GET / h "),
                served(head("Connection: foo, Keep-Alive", version: "1.0"), "GET / - "),
                servedLast(head(version: "1.0"), "GET / - "),
                servedLast(head("Connection: keep-alive, close", version: "1.0"), "GET / - "),
            ]
        ),
        Rule(
            "9112 §9.6",
            "after a request with close, no further request is read",
            [
                servedLast(head("Host: h", "Connection: close"), "GET / h "),
                servedLast(head("Host: h", "Connection: x", "Connection: y , CLOSE"), "GET / h "),
            ]
        ),
        Rule(
            "9110 §10.1.1",
            "Expect is ignored in HTTP/1.0; an unknown expectation gets 417",
            [
                servedLast(
                    head("Expect: x", "Content-Length: 5", method: "POST", version: "1.0") + "hello",
                    "POST / - hello"
                ),
                refused(head("Host: h", "Expect: 200-ok", "Content-Length: 5", method: "POST"), 417),
            ]
        ),
        Rule(
            "9110 §7.8",
            "Upgrade may be ignored",
            [
                served(
                    head("Host: h", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"),
                    "GET / h "
                )
            ]
        ),
    ]

    /// Bytes that must never be parsed as a request.
    static let hidden = "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n"

    static let smuggling = [
        Rule(
            "CL.TE",
            "the proxy uses Content-Length, the server uses Transfer-Encoding",
            [
                refused(
                    head(
                        "Host: h",
                        "Content-Length: \(5 + hidden.utf8.count)",
                        "Transfer-Encoding: chunked",
                        method: "POST"
                    )
                        + "0\r\n\r\n" + hidden
                ),
                refused(
                    head(
                        "Host: h",
                        "Transfer-Encoding: chunked",
                        "Content-Length: \(5 + hidden.utf8.count)",
                        method: "POST"
                    )
                        + "0\r\n\r\n" + hidden
                ),
                refused(
                    head("Host: h", "Content-Length: 6", "Transfer-Encoding: chunked", method: "POST") + "0\r\n\r\nG"
                ),
            ]
        ),
        Rule(
            "TE.CL",
            "the proxy uses Transfer-Encoding, the server uses Content-Length",
            [
                refused(
                    head("Host: h", "Content-Length: 4", "Transfer-Encoding: chunked", method: "POST")
                        + "\(String(hidden.utf8.count, radix: 16))\r\n\(hidden)\r\n0\r\n\r\n"
                )
            ]
        ),
        Rule(
            "TE.TE",
            "only one of proxy and server recognises an unusual Transfer-Encoding",
            [
                ("Transfer-Encoding: xchunked", 400), ("Transfer-Encoding : chunked", 400),
                ("Transfer-Encoding: chunked\u{0B}", 400), ("Transfer-Encoding:\u{0B}chunked", 400),
                ("Transfer-Encoding: \"chunked\"", 400), ("Transfer-Encoding: 'chunked'", 400),
                ("Transfer-Encoding: chunked\r\nTransfer-Encoding: x", 400),
                ("Transfer-Encoding: x\r\nTransfer-Encoding: chunked", 501),
                ("Transfer-Encoding: identity, chunked", 501), ("Transfer-Encoding: chunked, identity", 400),
                ("X: a\nTransfer-Encoding: chunked", 400), ("X: a\rTransfer-Encoding: chunked", 400),
                ("Transfer-Encoding\r\n : chunked", 400), ("Transfer-Encoding:\r\n chunked", 400),
                ("Transfer-Encoding: chunked\r\n x", 400), (" Transfer-Encoding: chunked", 400),
                ("Transfer-\u{0}Encoding: chunked", 400), ("Transfer-Encoding: \u{0}chunked", 400),
                ("Transfer-Encoding: chun\u{212A}ed", 400), ("Transfer-Encoding: chunked;a=b", 400),
            ]
            .map { field, status in refused(head("Host: h", field, method: "POST") + "0\r\n\r\n" + hidden, status) } + [
                // A different field name, which neither side may interpret as Transfer-Encoding.
                served(
                    head(
                        "Host: h",
                        "Transfer_Encoding: chunked",
                        "Content-Length: \(5 + hidden.utf8.count)",
                        method: "POST"
                    )
                        + "0\r\n\r\n" + hidden,
                    "POST / h 0\r\n\r\n" + hidden
                ),
                served(head("Host: h", "X-Transfer-Encoding: chunked", method: "POST"), "POST / h "),
            ]
        ),
        Rule(
            "CL.0, 0.CL",
            "one of proxy and server ignores the body of a request that usually has no body",
            ["POST", "GET", "HEAD", "OPTIONS", "DELETE", "PURGE"].map { method in
                served(
                    head("Host: h", "Content-Length: \(hidden.utf8.count)", method: method) + hidden,
                    method == "HEAD" ? "" : "\(method) / h \(hidden)"
                )
            } + [
                served(
                    head("Host: h", "Expect: 100-continue", "Content-Length: \(hidden.utf8.count)", method: "POST")
                        + hidden,
                    "POST / h \(hidden)"
                ),
                refused(head("Host: h", "Expect: y 100-continue", "Content-Length: 5", method: "POST") + hidden, 417),
                refused(head("Host: h", "Content-Length: 0", "Content-Length: 44", method: "POST") + hidden),
                refused(head("Host: h", "Content-Length:\r\n\t44", method: "POST") + hidden),
            ]
        ),
        Rule(
            "CL.CL",
            "two lengths; proxy and server use different ones",
            [
                refused(head("Host: h", "Content-Length: 0", "Content-Length: \(hidden.utf8.count)") + hidden),
                refused(head("Host: h", "Content-Length: 0, \(hidden.utf8.count)") + hidden),
                refused(head("Host: h", "Content-Length: 0\n\(hidden.utf8.count)") + hidden),
                refused(head("Host: h", "Content-Length: 0\u{0}\(hidden.utf8.count)") + hidden),
                refused(head("Host: h", "Content-Length: +\(hidden.utf8.count)") + hidden),
                refused(head("Host: h", "Content-Length: 0x\(String(hidden.utf8.count, radix: 16))") + hidden),
            ]
        ),
        Rule(
            "chunk extensions (TERM.EXT, EXT.TERM)",
            "proxy and server end the line of a chunk size at different bytes",
            [
                refused(chunked("2;\nxx\r\n\(String(hidden.utf8.count, radix: 16))\r\n0\r\n\r\n" + hidden)),
                refused(chunked("2;a\rxx\r\n0\r\n\r\n" + hidden)),
                refused(chunked("0;\n\r\n" + hidden)),
                refused(chunked("2\nxx\r\n0\r\n\r\n" + hidden)),
                refused(chunked("2\rxx\r\n0\r\n\r\n" + hidden)),
            ]
        ),
        Rule(
            "chunk ends (SPILL)",
            "one of proxy and server skips any two bytes after a chunk",
            [
                refused(chunked("2\r\nxxXX0\r\n\r\n" + hidden)),
                refused(chunked("2\r\nxx\n\n0\r\n\r\n" + hidden)),
                refused(chunked("2\r\nxx\r\r0\r\n\r\n" + hidden)),
                refused(chunked("2\r\nxx\n0\r\n\r\n" + hidden)),
            ]
        ),
        Rule(
            "hosts",
            "one of proxy and server routes by the target, the other by Host",
            [
                served("GET http://a/ HTTP/1.1\r\nHost: b\r\n\r\n", "GET / a "),
                refused("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
                refused("GET / HTTP/1.1\r\nHost: a\r\n\tb\r\n\r\n"),
                refused("GET http://a@b/ HTTP/1.1\r\nHost: b\r\n\r\n"),
            ]
        ),
        Rule(
            "giant heads",
            "limits; exceeding them closes the connection",
            [
                refused(head("Host: h", "X: \(String(repeating: "a", count: 17_000))") + hidden, 431),
                refused(
                    "GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: "X: a\r\n", count: 101) + "\r\n" + hidden,
                    431
                ),
                refused("GET /\(String(repeating: "a", count: 9000)) HTTP/1.1\r\nHost: h\r\n\r\n" + hidden, 414),
            ]
        ),
    ]
}
