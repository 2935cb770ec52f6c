extension Conformance {
    static let fields = [
        Rule(
            "9112 §5",
            "a name, a colon and a value with optional whitespace around it",
            [
                served("GET / HTTP/1.1\r\nHost:\t h:80 \t\r\nEmpty:\r\nX: a \t b\r\n\r\n", "GET / h:80 "),
                refused(head("Host: h", ": a")), refused(head("Host: h", "X")), refused(head("Host: h", "X(y): a")),
                refused(head("Host: h", "X\u{0}: a")), refused(head("Host: h", "É: a")),
                refused(head("Host: h", "\"X\": a")),
            ]
        ),
        Rule(
            "9112 §5.1",
            "400 for whitespace between a name and its colon",
            [
                refused(head("Host : h")), refused(head("Host: h", "X\t: a")),
                refused(head("Host: h", "Content-Length : 5", method: "POST") + "hello"),
                refused(head("Host: h", "Transfer-Encoding : chunked", method: "POST") + "0\r\n\r\n"),
            ]
        ),
        Rule(
            "9112 §5.2",
            "a folded line: reject it or replace it by spaces; Headroom rejects it",
            [
                refused(head("Host: h", "X: a\r\n b")), refused(head("Host: h", "X: a\r\n\tb")),
                refused(head("Host: h", "Transfer-Encoding:\r\n chunked", method: "POST") + "0\r\n\r\n"),
                refused(head("Host: h", "Content-Length:\r\n 5", method: "POST") + "hello"),
            ]
        ),
        Rule(
            "9110 §5.5",
            "CR, LF and NUL in a value: reject or replace; Headroom rejects all control characters",
            ["\u{0}", "\u{1}", "\u{1B}", "\u{7F}"].map { refused(head("Host: h", "X: a\($0)b")) }
        ),
    ]

    static let bodies = [
        Rule(
            "9112 §6.1",
            "an unknown coding before chunked gets 501",
            ["gzip, chunked", "gzip;level=1, chunked", "identity, chunked", "x, y, chunked"]
                .map { refused(chunked("0\r\n\r\n", coding: $0), 501) }
        ),
        Rule(
            "9112 §6.1",
            "Transfer-Encoding in HTTP/1.0 is faulty framing",
            [
                refused(head("Transfer-Encoding: chunked", method: "POST", version: "1.0") + "0\r\n\r\n"),
                refused(
                    head("Content-Length: 5", "Transfer-Encoding: chunked", method: "POST", version: "1.0")
                        + "0\r\n\r\n"
                ),
            ]
        ),
        Rule(
            "9112 §6.1, §6.3",
            "Transfer-Encoding with Content-Length: reject, or close after the response; Headroom rejects it",
            [
                refused(
                    head("Host: h", "Content-Length: 5", "Transfer-Encoding: chunked", method: "POST") + "0\r\n\r\n"
                ),
                refused(
                    head("Host: h", "Transfer-Encoding: chunked", "Content-Length: 0", method: "POST") + "0\r\n\r\n"
                ),
                refused(head("Host: h", "Transfer-Encoding: gzip", "Content-Length: 5", method: "POST") + "hello"),
            ]
        ),
        Rule(
            "9112 §6.3",
            "400 for a Transfer-Encoding that does not end with chunked",
            [
                "gzip", "identity", "xchunked", "chunke", "", ",chunked", "chunked,", "chunked, gzip",
                "chunked, identity",
                "chunked;q=1", "chunked gzip", "\"chunked\"", "\u{0B}chunked", "chun\u{0}ked", "é", "chunked\u{A0}",
            ]
            .map { refused(chunked("0\r\n\r\n", coding: $0)) } + [
                refused(chunked("0\r\n\r\n", coding: "chunked\r\nTransfer-Encoding: gzip"))
            ]
        ),
        Rule(
            "9112 §6.1",
            "chunked is not applied twice",
            ["chunked, chunked", "chunked\r\nTransfer-Encoding: chunked", "chunked\r\nTransfer-Encoding:"]
                .map { refused(chunked("0\r\n\r\n", coding: $0)) }
        ),
        Rule(
            "9112 §6.3, 9110 §8.6",
            "400 for a Content-Length that is not one decimal number",
            [
                "", "+5", "-5", "5,6", "0x5", "5 5", "5.0", "five", "\u{0B}5", "5\u{0}", "9223372036854775808",
                "99999999999999999999999", "٥",
            ]
            .map { refused(head("Host: h", "Content-Length: \($0)", method: "POST") + "hello") }
        ),
        Rule(
            "9110 §8.6",
            "a repeated Content-Length: reject it, or accept equal values; Headroom rejects it",
            [
                refused(head("Host: h", "Content-Length: 5", "Content-Length: 5", method: "POST") + "hello"),
                refused(head("Host: h", "Content-Length: 5", "Content-Length: 6", method: "POST") + "hello"),
                refused(head("Host: h", "Content-Length: 0", "Content-Length: 0", method: "POST")),
                refused(head("Host: h", "Content-Length: 5, 5", method: "POST") + "hello"),
                refused(head("Host: h", "Content-Length: 5,5", method: "POST") + "hello"),
            ]
        ),
        Rule(
            "9112 §6.3",
            "the length of a body is its Content-Length; without framing there is no body",
            [
                served(head("Host: h", "content-LENGTH: 0005", method: "POST") + "hello", "POST / h hello"),
                served(head("Host: h", "Content-Length: 5") + "hello", "GET / h hello"),
                served(head("Host: h", method: "POST"), "POST / h "),
                served(head("Host: h", "Content-Length: 0", method: "POST"), "POST / h "),
            ]
        ),
        Rule(
            "9110 §15.5.14",
            "a body above the maximum size gets 413 before it arrives",
            [refused(head("Host: h", "Content-Length: 9000000000000000000", method: "POST"), 413)]
        ),
    ]

    static let chunks = [
        Rule(
            "9112 §7.1",
            "decode the chunked coding, including the last chunk and the trailers",
            [
                served(
                    chunked("2\r\nhe\r\n0003\r\nllo\r\n0\r\nTrailer: x\r\nHost: evil\r\n\r\n", coding: "ChunkeD"),
                    "POST / h hello"
                ),
                served(chunked("0\r\n\r\n"), "POST / h "),
                served(
                    chunked("a\r\n0123456789\r\n000\r\n\r\n"),
                    "POST / h 0123456789"
                ),
                served(chunked("1\r\n\n\r\n1\r\n\r\r\n0\r\n\r\n"), "POST / h \n\r"),
            ]
        ),
        Rule(
            "9112 §7.1",
            "a chunk's size is hexadecimal digits, and does not overflow",
            [
                "\r\n", "x\r\n", "-1\r\n", "+1\r\n", " 1\r\na\r\n", "1 \r\na\r\n", "0x1\r\na\r\n", "1_0\r\n",
                "8000000000000000\r\n", "FFFFFFFFFFFFFFFF\r\n", "10000000000000000\r\n", "1\r\nab\r\n", "1,a\r\na\r\n",
                "1\u{0}\r\na\r\n",
            ]
            .map { refused(chunked($0)) } + [refused(chunked("7FFFFFFFFFFFFFFF\r\n"), 413)]
        ),
        Rule(
            "9112 §7.1.1",
            "ignore chunk extensions, and limit them",
            [
                "a;b=\"c d\"", "a=b;c", "a=\"\"", "a=\"\\\"\\\\;=\t\u{E9}\"", " \t;\t a = b ; c", "!#$%&'*+-.^_`|~1=~",
            ]
            .map { ext in
                let start = ext.first == " " ? "" : ";"
                return served(chunked("5\(start)\(ext)\r\nhello\r\n0;last\r\n\r\n"), "POST / h hello")
            } + [
                refused(chunked("1;a\u{0}\r\na\r\n")),
                refused(chunked("1;\(String(repeating: "x", count: 300))\r\na\r\n")),
            ]
        ),
        Rule(
            "9112 §7.1.1",
            "an extension is a name, optionally with = and a token or quoted string; anything else gets 400",
            [
                ";", ";;a", ";a;", ";=x", ";a=", ";a=;b", ";a==b", ";a=b=c", ";a b", ";a=b c", ";a=\"x", ";a=\"x\"y",
                ";a=\"x\\", ";a=\"x\\\"", ";a=\"\u{1}\"", ";a=\"\\\u{1}\"", ";a=\"\u{7F}\"", ";\"a\"=b", ";a=(b)",
                ";\u{E9}", ";a=\u{E9}", ";a ", ";a=b\t", " a", "\t", " ;", ";a=b, c=d",
            ]
            .flatMap { ext in
                [
                    refused(chunked("2\(ext)\r\nxx\r\n0\r\n\r\n" + hidden)),
                    refused(chunked("0\(ext)\r\n\r\n" + hidden)),
                ]
            }
        ),
        Rule(
            "9112 §7.1.2",
            "trailers are fields; they are not merged into the header, unless their definition permits it",
            [
                served(chunked("0\r\nContent-Length: 9\r\nTransfer-Encoding: x\r\n\r\n"), "POST / h "),
                refused(chunked("0\r\nX : a\r\n\r\n")), refused(chunked("0\r\n folded\r\n\r\n")),
                refused(chunked("0\r\nX: a\u{0}\r\n\r\n")), refused(chunked("0\r\nX\r\n\r\n")),
            ]
        ),
    ]
}
