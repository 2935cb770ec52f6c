import Caching
import Framing
import HeadroomAPI
import Pipeline
import Requests
import TestHTTP
import TestPacing
import Testing

/// Parameters whose value comes from client hints.
@Suite(.limitedConcurrency) struct ClientHintTests {
    static let values: [(hints: [ClientHints.Field: String], width: String, dpr: String, quality: String)] = [
        ([:], "1280", "1", "82"),
        ([.width: "320"], "320", "1", "82"), ([.width: "321"], "480", "1", "82"),
        ([.oldWidth: "700"], "800", "1", "82"),
        ([.width: "500", .oldWidth: "3000"], "640", "1", "82"), ([.width: "99999"], "3840", "1", "82"),
        ([.viewport: "400", .ratio: "2"], "800", "2", "82"), ([.oldViewport: "400"], "480", "1", "82"),
        ([.ratio: "1.25"], "1280", "1.5", "82"), ([.oldRatio: "2.6"], "1280", "3", "82"),
        ([.ratio: "9"], "1280", "3", "82"), ([.saveData: "on"], "1280", "1", "50"),
        ([.saveData: "ON"], "1280", "1", "50"), ([.saveData: "off"], "1280", "1", "82"),
        ([.width: "1200", .ratio: "2", .saveData: "on"], "640", "1", "50"),
        ([.viewport: "600", .ratio: "3", .saveData: "on"], "640", "1", "50"),
        // Values that are not valid count as absent.
        ([.width: "-1"], "1280", "1", "82"), ([.width: "9999999999999999999"], "1280", "1", "82"),
        ([.ratio: "nan"], "1280", "1", "82"), ([.ratio: "1e9"], "1280", "1", "82"), ([.width: "0"], "1280", "1", "82"),
    ]

    @Test(arguments: values)
    func `values are rounded to steps`(
        hints: [ClientHints.Field: String],
        width: String,
        dpr: String,
        quality: String
    ) throws {
        let hints = ClientHints { hints[$0] }
        for (parameter, expected) in [(Parameter.width, width), (.dpr, dpr), (.quality, quality)] {
            let parameters = try FrameParameters(
                [(parameter.name, "auto")],
                known: Parameter.of(.frame),
                hints: hints
            )
            #expect(parameters.hinted == [parameter])
            switch parameter {
            case .width: #expect(parameters.options.resultSize.width.map { "\($0)" } == expected)
            case .dpr: #expect(parameters.options.resultSize.devicePixelRatio == Double(expected))
            default: #expect(parameters.quality == .level(Int(expected) ?? 0))
            }
        }
    }

    @Test func `without a client auto is refused`() {
        for name in ["width", "dpr", "quality", "height"] {
            #expect(throws: ParameterErrors.self) {
                try FrameParameters([(name, "auto")], known: Parameter.all, hints: nil)
            }
        }
    }

    private func running(_ body: (TestService, _ url: String) async throws -> Void) async throws {
        let picture = try Pictures.singleJPEG.get()
        var options = TestService.Options()
        options.caches = CacheConfiguration()
        options.presets = PresetSet([try Preset("fluid", [("width", "auto"), ("format", "webp")])])
        let origin = TestOrigin { [picture] _ in .file(picture) }
        try await TestService.running(ScriptedDetector(), options) { service in
            try await origin.running { address in
                try await body(service, "url=" + percentEncoded(address + "/a.jpg"))
            }
        }
    }

    @Test func `Vary and Accept-CH name the hints, also in a 304, and only then`() async throws {
        let all = ClientHints.Field.allCases.map(\.rawValue).joined(separator: ", ")
        let rows: [(query: String, vary: String?, asked: String?)] = [
            ("format=webp&width=320", nil, nil),
            ("format=webp&width=auto", all, "Sec-CH-Width, Sec-CH-Viewport-Width, Sec-CH-DPR"),
            ("format=webp&width=320&dpr=auto", "Sec-CH-DPR, DPR, Save-Data", "Sec-CH-DPR"),
            ("quality=auto", "Accept, Save-Data", nil), ("format=html&quality=auto", "Save-Data", nil),
            ("format=json&width=auto", all, "Sec-CH-Width, Sec-CH-Viewport-Width, Sec-CH-DPR"),
        ]
        try await running { service, url in
            for (query, vary, asked) in rows {
                let reply = try await service.request("GET", "/frame?\(query)&\(url)")
                #expect(reply.status == 200 && reply["Vary"] == vary && reply["Accept-CH"] == asked, "\(query)")
                let tag = try #require(reply["ETag"])
                let condition = [("If-None-Match", tag)]
                let known = try await service.request("GET", "/frame?\(query)&\(url)", headers: condition)
                #expect(known.status == 304 && known["Vary"] == vary && known["Accept-CH"] == asked)
            }
            let preset = try await service.request("GET", "/preset/fluid?\(url)")
            #expect(preset["Vary"] == all)
        }
    }

    @Test func `clients of one step share a result, and others do not`() async throws {
        try await running { service, url in
            let target = "/frame?width=auto&quality=auto&format=jpeg&\(url)"
            func reply(_ headers: (String, String)...) async throws -> (tag: String, body: [UInt8], use: String?) {
                let reply = try await service.request("GET", target, headers: headers)
                return (try #require(reply["ETag"]), reply.body, reply["Cache-Status"])
            }
            let first = try await reply(("Sec-CH-Width", "300"))
            let same = try await reply(("Width", "310"))
            #expect(first.tag == same.tag && first.body == same.body && same.use == "headroom; hit")
            let saving = try await reply(("Sec-CH-Width", "300"), ("Save-Data", "on"))
            #expect(saving.tag != first.tag && saving.body.count < first.body.count)
            // An answer to another client is not found by the address.
            #expect(try await reply(("Sec-CH-Width", "300")).tag == first.tag)
            let fixed = try await service.request("GET", "/frame?width=320&quality=82&format=jpeg&\(url)")
            #expect(fixed["ETag"] == first.tag && fixed["Vary"] == nil)
        }
    }

    @Test func `an address with both width=auto and dpr is refused, and streams have no hints`() async throws {
        try await running { service, url in
            let both = try await service.request("GET", "/frame?width=auto&dpr=2&\(url)")
            #expect(both.status == 400 && both.text.contains("no dpr with width=auto"))
            let stream = try await service.request("GET", "/stream?width=auto&\(url)")
            #expect(stream.status == 400 && stream.text.contains("width"))
        }
    }
}
