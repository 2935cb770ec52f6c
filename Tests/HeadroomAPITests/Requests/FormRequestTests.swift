import HTTPServer
import HeadroomAPI
import TestHTTP
import TestPacing
import Testing
import Workers

/// Parameters in bodies as forms and JSON libraries write them.
@Suite(.limitedConcurrency) struct FormRequestTests {
    /// The same text and 200,000 zeros, compressed with the programs brotli and zstd.
    private static let brotli: [UInt8] = [33, 16, 0, 4, 117, 114, 108, 61, 120, 3]
    private static let brotliBomb: [UInt8] = [83, 63, 13, 131, 127, 2, 32, 30, 11, 4, 242, 9, 6, 0]
    private static let zstandard: [UInt8] = [
        40, 181, 47, 253, 36, 5, 41, 0, 0, 117, 114, 108, 61, 120, 53, 60, 189, 240,
    ]
    private static let zstandardBomb: [UInt8] = [
        40, 181, 47, 253, 164, 64, 13, 3, 0, 76, 0, 0, 8, 0, 1, 0, 252, 255, 57, 16, 2, 3, 106, 8, 0, 196, 233, 116,
        112,
    ]
    /// gzip of ``brotli``.
    private static let twice: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 83, 20, 96, 96, 41, 45, 202, 177, 173, 96, 6, 0, 27, 213, 203, 224, 10, 0, 0,
        0,
    ]

    private static let urlencoded = [("Content-Type", "application/x-www-form-urlencoded")]

    private func withImage(
        _ body: @escaping @Sendable (TestService, _ address: String) async throws -> Void
    ) async throws {
        let image = try Images.blankJPEG.get()
        try await TestService.running { service in
            try await TestOrigin.running(["/a.jpg": .file(image)]) { origin in
                try await body(service, "\(origin)/a.jpg")
            }
        }
    }

    @Test func `a URL-encoded form accepts the same parameters as a query`() async throws {
        try await withImage { service, address in
            let encoded = percentEncoded(address)
            for (text, status) in [
                ("url=\(encoded)&aspect=1%3A1&width=20", 200), ("width=20&url=\(address)", 200),
                // Empty fields, and the line end of a file that curl sends.
                ("url=\(encoded)&aspect=&width=20&zoom=", 200), ("url=\(encoded)&width=20\r\n", 200),
                ("url=\(encoded)&width=20&width=30", 400), ("url=\(encoded)&nothing=1", 400), ("url=%zz", 400),
                ("width=20", 400), (String(repeating: "a=1&", count: 65), 400),
                ("url=" + String(repeating: "a", count: 65_536), 413),
            ] {
                let reply = try await service.request(
                    "POST",
                    "/frame",
                    headers: Self.urlencoded,
                    body: Array(text.utf8)
                )
                #expect(reply.status == status, "\(text.prefix(60)): \(reply.text.prefix(300))")
                if status == 200 { #expect(reply["Content-Type"] == "image/jpeg") }
            }
        }
    }

    @Test func `an empty field of a multipart form counts as absent`() async throws {
        try await withImage { service, address in
            let fields = [
                ("\"url\"", address), ("\"aspect\"", ""), ("\"width\"", "20"), ("\"image\"; filename=\"\"", ""),
                ("\"other\"; filename=\"\"", ""),
            ]
            let parts = fields.map { "--b\r\nContent-Disposition: form-data; name=\($0)\r\n\r\n\($1)\r\n" }
            let headers = [("Content-Type", "multipart/form-data; boundary=b")]
            let body = Array((parts.joined() + "--b--\r\n").utf8)
            let reply = try await service.request("POST", "/frame", headers: headers, body: body)
            #expect(reply.status == 200, "\(reply.text.prefix(300))")
        }
    }

    @Test func `null counts as absent, and an array is accepted for a comma-separated list`() async throws {
        try await withImage { service, address in
            let json = [("Content-Type", "application/json; charset=utf-8")]
            let object = #"{"url":"\#(address)","zoom":null,"filter":["mono","blur:2"],"aspect":[],"format":["png"]}"#
            let reply = try await service.request("POST", "/frame", headers: json, body: Array(object.utf8))
            #expect(reply.status == 200, "\(reply.text.prefix(300))")
            let other = try await service.request(
                "POST",
                "/frame",
                headers: json,
                body: Array(#"{"url":"\#(address)","filter":"mono,blur:2","format":"png"}"#.utf8)
            )
            #expect(reply.body == other.body)
        }
    }

    @Test func `a JSON object with too many bytes of parameters is distinguished from an image that is too large`()
        async throws
    {
        try await TestService.running { service in
            let json = [("Content-Type", "application/json")]
            let body =
                Array(#"{"v":""#.utf8) + Array(repeating: UInt8(ascii: "A"), count: 70_000) + Array(#""}"#.utf8)
            let reply = try await service.request("POST", "/frame", headers: json, body: body)
            #expect(reply.status == 413)
            #expect(try JSONValue(json: reply.body)["title"] == "The request is not valid")
            #expect(reply.text.contains("The JSON exceeds 65536 bytes"))
        }
    }
}

/// Uploads with a content coding.
@Suite(.limitedConcurrency) struct ContentCodingTests {
    /// The text `url=x` in the formats gzip, zlib and raw deflate, as Python's zlib writes them.
    private static let coded: [(coding: String, body: [UInt8])] = [
        (
            "gzip",
            [
                31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 43, 45, 202, 177, 173, 0, 0, 65, 115, 221, 67, 5, 0, 0, 0,
            ]
        ),
        (
            "X-GZIP",
            [
                31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 43, 45, 202, 1, 0, 174, 69, 118, 244, 3, 0, 0, 0, 31, 139, 8, 0, 0,
                0, 0, 0, 2, 3, 179, 173, 0, 0, 79, 163, 239, 117, 2, 0, 0, 0,
            ]
        ),
        (
            "deflate",
            [
                120, 156, 43, 45, 202, 177, 173, 0, 0, 6, 76, 2, 9,
            ]
        ),
        (
            "deflate",
            [
                43, 45, 202, 177, 173, 0, 0,
            ]
        ),
        (
            "identity, deflate, gzip",
            [
                31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 152, 163, 173, 123, 106, 227, 90, 6, 6, 54, 31, 38, 78, 0, 26,
                186, 128, 159, 13, 0, 0, 0,
            ]
        ),
    ]

    /// The same text and 200,000 zeros, compressed with the programs brotli and zstd.
    private static let brotli: [UInt8] = [33, 16, 0, 4, 117, 114, 108, 61, 120, 3]
    private static let brotliBomb: [UInt8] = [83, 63, 13, 131, 127, 2, 32, 30, 11, 4, 242, 9, 6, 0]
    private static let zstandard: [UInt8] = [
        40, 181, 47, 253, 36, 5, 41, 0, 0, 117, 114, 108, 61, 120, 53, 60, 189, 240,
    ]
    private static let zstandardBomb: [UInt8] = [
        40, 181, 47, 253, 164, 64, 13, 3, 0, 76, 0, 0, 8, 0, 1, 0, 252, 255, 57, 16, 2, 3, 106, 8, 0, 196, 233, 116,
        112,
    ]
    /// gzip of ``brotli``.
    private static let twice: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 83, 20, 96, 96, 41, 45, 202, 177, 173, 96, 6, 0, 27, 213, 203, 224, 10, 0, 0,
        0,
    ]

    private static let urlencoded = [("Content-Type", "application/x-www-form-urlencoded")]

    @Test func `all codings are decoded, including nested ones`() async throws {
        try await TestService.running { service in
            let more = [("br", Self.brotli), ("ZSTD", Self.zstandard), ("br, gzip", Self.twice)]
            for (coding, body) in Self.coded + more {
                let headers = Self.urlencoded + [("Content-Encoding", coding)]
                let reply = try await service.request("POST", "/frame", headers: headers, body: body)
                let errors = try JSONValue(json: reply.body)["errors"].elements
                #expect(reply.status == 400)
                #expect(errors.compactMap { $0["received"].string } == ["x"], "\(coding): \(reply.text)")
            }
        }
    }

    @Test(arguments: ["compress", "gzip, dcb", "gzip, br, gzip", "brotli", "no-coding"])
    func `an unsupported coding gets 415 with the list of supported codings`(coding: String) async throws {
        try await TestService.running { service in
            let headers = Self.urlencoded + [("Content-Encoding", coding)]
            let reply = try await service.request("POST", "/frame", headers: headers, body: [1, 2, 3])
            #expect(reply.status == 415)
            #expect(reply["Accept-Encoding"] == "gzip, deflate, br, zstd")
            #expect(reply.text.contains("Content-Encoding"))
        }
    }

    @Test(arguments: ["gzip", "utf-8", "binary", "identity", "br", ""])
    func `a body that starts like an image is used without decoding`(coding: String) async throws {
        let image = try Images.blankJPEG.get()
        try await TestService.running { service in
            let reply = try await service.request(
                "POST",
                "/frame",
                headers: [("Content-Encoding", coding)],
                body: image
            )
            #expect(reply.status == 200)
        }
    }

    @Test func `the decoded size of a body is limited, and damaged data are rejected`() async throws {
        var options = TestService.Options()
        options.maxBodyBytes = 100_000
        try await TestService.running(ScriptedDetector(), options) { service in
            for (coding, body, status) in [
                ("gzip", Self.bomb, 413), ("gzip", Array(Self.coded[0].body.dropLast(9)), 400),
                ("gzip", [0x1F, 0x8B, 8], 400),
                ("br", Self.brotliBomb, 413), ("br", Array(Self.brotli.dropLast()), 400),
                ("br", Self.brotli + [0], 400),
                ("br", [], 400), ("br", [1, 2, 3], 400), ("zstd", Self.zstandardBomb, 413),
                ("zstd", Array(Self.zstandard.dropLast()), 400), ("zstd", Self.zstandard + [0], 400), ("zstd", [], 400),
                ("zstd", Self.brotli, 400), ("zstd, br", Self.brotliBomb, 413),
                ("deflate", [9, 9, 9, 9], 400), ("gzip", [], 400), ("gzip", Self.bomb + [1, 2, 3], 413),
            ] as [(String, [UInt8], Int)] {
                let headers = [("Content-Encoding", coding)]
                let reply = try await service.request("POST", "/frame", headers: headers, body: body)
                #expect(reply.status == status, "\(coding) \(body.count): \(reply.text)")
            }
        }
    }

    /// The start of a JPEG and 4 MiB of zeros, compressed with brotli.
    private static let falseJPEG: [UInt8] = [
        155, 255, 255, 63, 248, 167, 1, 176, 193, 255, 197, 107, 129, 64, 237, 253, 207, 30,
    ]
    /// 4 MiB of zeros, compressed with brotli.
    private static let zeros: [UInt8] = [155, 255, 255, 63, 248, 39, 0, 226, 177, 64, 32, 247, 254, 7]

    @Test func `a body that decodes to many times its size is rejected`() async throws {
        try await TestService.running { service in
            let headers = [("Content-Encoding", "br")]
            let reply = try await service.request("POST", "/frame", headers: headers, body: Self.falseJPEG)
            #expect(reply.status == 413)
            #expect(try JSONValue(json: reply.body)["type"] == "urn:headroom:problem:too-large")
            #expect(reply.text.contains("Send it without a coding"))
        }
    }

    @Test(arguments: [
        ("application/octet-stream", 415), ("application/json", 413), ("multipart/form-data; boundary=b", 400),
        ("application/x-www-form-urlencoded", 415),
    ])
    func `a body that starts neither like an image nor like its type is not decoded to its end`(
        type: String,
        status: Int
    ) async throws {
        try await TestService.running { service in
            // A completely decoded body would get 413 with another sentence.
            let headers = [("Content-Encoding", "br"), ("Content-Type", type)]
            let reply = try await service.request("POST", "/frame", headers: headers, body: Self.zeros)
            #expect(reply.status == status, "\(reply.text)")
            #expect(!reply.text.contains("without its Content-Encoding"))
        }
    }

    @Test func `too many object members are rejected`() async throws {
        try await TestService.running { service in
            let member = Self.coded[0].body
            let headers = Self.urlencoded + [("Content-Encoding", "gzip")]
            let body = Array(repeating: member, count: 17).flatMap(\.self)
            let reply = try await service.request("POST", "/frame", headers: headers, body: body)
            #expect(reply.status == 400)
            #expect(reply.text.contains("more than 16 members"))
        }
    }

    /// A PNG and 900,000 zeros as raw deflate, without compression (RFC 1951 §3.2.4).
    private static func largeImage() throws -> [UInt8] {
        let content = try Images.blankPNG.get() + [UInt8](repeating: 0, count: 900_000)
        return stride(from: 0, to: content.count, by: 65_535).flatMap { start in
            let block = content[start..<min(start + 65_535, content.count)]
            let length = [UInt8(block.count & 255), UInt8(block.count >> 8)]
            return [start + 65_535 < content.count ? 0 : 1] + length + length.map { ~$0 } + block
        }
    }

    @Test func `the decoded bodies of one client leave room for the bodies of another client`() async throws {
        let detector = ScriptedDetector(isGated: true)
        let image = try Self.largeImage()
        var options = TestService.Options()
        options.workers = 1
        // One client may always use twice the maximum source size, which is less than its share of three quarters.
        options.maxBodyBytes = 2 << 20
        options.maxSourceMemory = 8 << 20
        try await TestService.running(detector, options) { service in
            let headers = [("Content-Encoding", "deflate")]
            var clients: [TestClient] = []
            for _ in 0..<10 {
                let client = try service.client()
                try await client.send("POST", "/faces", headers: headers, body: image)
                clients.append(client)
            }
            // Each body waits for the worker and keeps its memory, or gets 503 because its client exceeds its share.
            func refused() -> Int { Int(service.metric(#"headroom_http_problems_total{kind="overloaded"}"#) ?? 0) }
            #expect(await eventually { refused() + service.load.running + service.load.waiting == 10 })
            #expect(refused() > 0 && service.sourceMemory >= 4 << 20)
            let other = try TestClient(to: .tcp(host: "127.0.0.1", port: service.port), from: "127.0.0.2")
            let before = service.load.waiting
            try await other.send("POST", "/faces", headers: headers, body: image)
            #expect(await eventually { service.load.waiting > before })
            for _ in 0..<40 { detector.release() }
            #expect(try await other.reply().status == 200)
            for client in clients { #expect([200, 503].contains(try await client.reply().status)) }
            #expect(await eventually { service.sourceMemory == 0 })
        }
    }

    /// gzip of 200,000 zeros.
    private static let bomb: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 237, 193, 49, 1, 0, 0, 0, 194, 160, 245, 79, 109, 6, 127, 160, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 215, 0, 123, 88, 224, 92, 64, 13,
        3, 0,
    ]
}
