import Caching
import Framing
import HeadroomAPI
import Pipeline
import Requests
import TestHTTP
import TestPacing
import Testing

/// Parameters with values from client hints.
@Suite(.limitedConcurrency) struct ClientHintRouteTests {
    private func running(_ body: (TestService, _ url: String) async throws -> Void) async throws {
        let image = try Images.singleJPEG.get()
        var options = TestService.Options()
        options.caches = CacheConfiguration()
        options.presets = PresetSet([try Preset("fluid", [("width", "auto"), ("format", "webp")])])
        let origin = TestOrigin { [image] _ in .file(image) }
        try await TestService.running(ScriptedDetector(), options) { service in
            try await origin.running { address in
                try await body(service, "url=" + percentEncoded(address + "/a.jpg"))
            }
        }
    }

    @Test func `Vary and Accept-CH list the hints only if they are used, even in a 304`() async throws {
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

    @Test func `clients whose hints round to the same width share an output, and others do not`() async throws {
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
            // The URL alone must not lead to the response for another client.
            #expect(try await reply(("Sec-CH-Width", "300")).tag == first.tag)
            let fixed = try await service.request("GET", "/frame?width=320&quality=82&format=jpeg&\(url)")
            #expect(fixed["ETag"] == first.tag && fixed["Vary"] == nil)
        }
    }

    @Test func `width=auto together with dpr is rejected, and streams accept no hints`() async throws {
        try await running { service, url in
            let both = try await service.request("GET", "/frame?width=auto&dpr=2&\(url)")
            #expect(both.status == 400 && both.text.contains("dpr is not allowed with width=auto"))
            let stream = try await service.request("GET", "/stream?width=auto&\(url)")
            #expect(stream.status == 400 && stream.text.contains("width"))
        }
    }
}
