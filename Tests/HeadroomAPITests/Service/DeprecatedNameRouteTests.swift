import HeadroomAPI
import Requests
import TestHTTP
import TestPacing
import TestImages
import Testing

/// Requests with old names of parameters: responses, headers, caches, the log, and signatures.
@Suite(.limitedConcurrency) struct DeprecatedNameRouteTests {
    /// A query with each deprecated name, the query with the new name, and the header.
    static let queries: [(old: String, new: String, header: String)] = [
        ("key=auto", "chromaKey=auto", "key->chromaKey"), ("mark=halo", "watermark=halo", "mark->watermark"),
        (
            "watermark=halo&markPlace=top", "watermark=halo&watermarkPosition=top",
            "markPlace->watermarkPosition"
        ),
        ("watermark=halo&markWidth=0.5", "watermark=halo&watermarkWidth=0.5", "markWidth->watermarkWidth"),
        ("watermark=halo&markOpacity=0.5", "watermark=halo&watermarkOpacity=0.5", "markOpacity->watermarkOpacity"),
        ("watermark=halo&markMargin=2px", "watermark=halo&watermarkMargin=2px", "markMargin->watermarkMargin"),
        (
            "width=20&height=40&box=turn", "width=20&height=40&boxOrientation=swap",
            "box->boxOrientation, boxOrientation=turn->boxOrientation=swap"
        ),
        ("lossless=true", "losslessCrop=true", "lossless->losslessCrop"),
        ("motion=still", "motion=fixed", "motion=still->motion=fixed"),
    ]

    private let image: [UInt8]

    init() throws { image = try Images.singleJPEG.get() }

    private func running(
        _ access: AccessPolicy = AccessPolicy(),
        log: LogRecorder = LogRecorder(),
        _ body: (TestService, _ url: String) async throws -> Void
    ) async throws {
        var options = TestService.Options()
        options.caches = CacheConfiguration()
        options.access = access
        options.log = log
        let origin = TestOrigin { [image] _ in .file(image) }
        try await TestService.running(ScriptedDetector(), options) { service in
            try await origin.running { address in try await body(service, address + "/a.jpg") }
        }
    }

    @Test func `the queries contain every deprecated name of a parameter or a value`() {
        let all = DeprecatedName.all.filter { name in
            switch name.kind {
            case .parameter, .value: true
            case .setting, .member, .metric: false
            }
        }
        #expect(
            Set(all.map(\.change)) == Set(Self.queries.flatMap { $0.header.split(separator: ", ").map(String.init) })
        )
    }

    @Test(arguments: queries)
    func `an old name has the response and the entity tag of the new name, with a header`(
        old: String,
        new: String,
        header: String
    ) async throws {
        let log = LogRecorder()
        try await running(log: log) { service, address in
            let url = "url=\(percentEncoded(address))"
            let now = try await service.request("GET", "/frame?\(new)&\(url)")
            try #require(now.status == 200, "\(now.text)")
            #expect(now["Headroom-Deprecated"] == nil)
            let before = try await service.request("GET", "/frame?\(old)&\(url)")
            #expect(before.status == 200 && before.body == now.body)
            #expect(before["Headroom-Deprecated"] == header)
            // Both requests have the same cache key.
            #expect(before["ETag"] == now["ETag"] && before["Cache-Status"]?.contains("hit") == true)
            // This response comes from the response index, without parsing the parameters.
            let again = try await service.request("GET", "/frame?\(old)&\(url)")
            #expect(again.body == now.body && again["Headroom-Deprecated"] == header)
            #expect(log.lines.count { $0.contains("deprecated=\(header) ") } == 2)
        }
    }

    @Test func `forms and objects accept old names, and reject both names of a parameter`() async throws {
        try await running { service, address in
            let type = [("Content-Type", "application/json")]
            let old = #"{"url": "\#(address)", "lossless": true}"#
            let reply = try await service.request("POST", "/frame", headers: type, body: Array(old.utf8))
            #expect(reply.status == 200 && reply["Headroom-Deprecated"] == "lossless->losslessCrop")
            let both = #"{"url": "\#(address)", "lossless": true, "losslessCrop": true}"#
            let problem = try await service.request("POST", "/frame", headers: type, body: Array(both.utf8))
            #expect(problem.status == 400)
            #expect(problem.text.contains("lossless is not allowed with losslessCrop, which is its new name."))
            let mixed = try await service.request(
                "POST",
                "/frame?mark=halo",
                headers: type,
                body: Array(#"{"url": "\#(address)", "watermark": "hat"}"#.utf8)
            )
            #expect(mixed.status == 400 && mixed.text.contains("mark is not allowed with watermark"))
            // Errors contain the name that was sent.
            for (query, text) in [
                ("mark=missing", "mark=missing is not valid"),
                ("format=html&mark=halo", "mark is not allowed with format=html"),
                ("lossless=true&width=9", "lossless=true is not allowed with width"),
            ] {
                let error = try await service.request("POST", "/frame?\(query)", body: image)
                #expect(error.status == 400 && error.text.contains(text), "\(error.text)")
            }
        }
    }

    @Test func `a signature covers the names as sent`() async throws {
        try await running(Credentials.signing()) { service, address in
            let old = Credentials.sign("/frame", [("url", address), ("mark", "halo")])
            let new = Credentials.sign("/frame", [("url", address), ("watermark", "halo")])
            let (before, now) = (try await service.request("GET", old), try await service.request("GET", new))
            #expect(before.status == 200 && before.body == now.body && before["ETag"] == now["ETag"])
            let renamed = old.replacing("mark=", with: "watermark=")
            #expect(try await service.request("GET", renamed).status == 403)
        }
    }

    @Test func `a plan has the old members, with the values of the new members`() async throws {
        try await running { service, _ in
            let query = "/frame?aspect=3:1&fit=pad&watermark=halo&format=json"
            let plan = try await service.document(query, posting: image)
            let crop = plan["crops"][0]
            #expect(!crop["contentRect"].isNull && crop["picture"] == crop["contentRect"])
            #expect(!crop["watermark"]["position"].isNull && crop["mark"]["place"] == crop["watermark"]["position"])
            #expect(crop["mark"]["rect"] == crop["watermark"]["rect"])
            let (passes, looks) = (plan["detector"]["passes"].elements, plan["detector"]["looks"].elements)
            #expect(!passes.isEmpty && looks.count == passes.count)
            for (pass, look) in zip(passes, looks) {
                #expect(look["turn"] == pass["rotation"])
                #expect(look["width"] == pass["width"] && look["milliseconds"] == pass["milliseconds"])
            }
        }
    }
}
