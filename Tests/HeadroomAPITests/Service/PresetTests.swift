import Caching
import HeadroomAPI
import Requests
import TestHTTP
import TestPacing
import Testing

/// Presets over HTTP: their parameters, overrides, entity tags, restrictions and tenants.
@Suite(.limitedConcurrency) struct PresetTests {
    private let image: [UInt8]

    init() throws { image = try Images.singleJPEG.get() }

    private static func set(_ width: String = "40", exclusive: Bool = false) throws -> PresetSet {
        PresetSet(
            [
                try Preset("avatar", [("aspect", "1:1"), ("width", width), ("format", "png")]),
                try Preset("plan", [("aspect", "1:1,3:2"), ("format", "json")]),
            ],
            isExclusive: exclusive
        )
    }

    private func running(
        _ presets: PresetSet,
        _ access: AccessPolicy = AccessPolicy(),
        _ body: (TestService, _ url: String) async throws -> Void
    ) async throws {
        var options = TestService.Options()
        options.caches = CacheConfiguration()
        options.presets = presets
        options.access = access
        let origin = TestOrigin { [image] _ in .file(image) }
        try await TestService.running(ScriptedDetector(), options) { service in
            try await origin.running { address in
                try await body(service, "url=" + percentEncoded(address + "/a.jpg"))
            }
        }
    }

    @Test func `a preset sets its parameters, by its name or by its URL`() async throws {
        try await running(try Self.set()) { service, url in
            let plain = try await service.request("GET", "/frame?aspect=1:1&width=40&format=png&\(url)")
            let named = try await service.request("GET", "/frame?preset=avatar&\(url)")
            let addressed = try await service.request("GET", "/preset/avatar?\(url)")
            #expect(plain.status == 200 && named.body == plain.body && addressed.body == plain.body)
            #expect(named["ETag"] == addressed["ETag"] && addressed["Cache-Status"] == "headroom; hit")
            let upload = try await service.request("POST", "/preset/avatar", body: image)
            #expect(upload.body == plain.body)
            let plan = try await service.request("GET", "/preset/plan?\(url)")
            #expect(try JSONValue(json: plan.body)["crops"].elements.count == 2)
        }
    }

    @Test func `parameters of a request override the parameters of its preset`() async throws {
        try await running(try Self.set()) { service, url in
            let plain = try await service.request("GET", "/frame?aspect=3:2&width=30&format=png&\(url)")
            let changed = try await service.request("GET", "/frame?aspect=3:2&preset=avatar&width=30&\(url)")
            #expect(changed.status == 200 && changed.body == plain.body)
            let html = try await service.request("GET", "/preset/avatar?format=html&\(url)").text
            #expect(html.contains("width=40") && !html.contains("preset="))
        }
    }

    static let refusals: [(target: String, status: Int, text: String)] = [
        ("/frame?preset=other", 400, "one of avatar, plan"), ("/frame?preset=Avatar", 400, "preset"),
        ("/preset/other?", 400, "one of avatar, plan"), ("/preset/", 404, "Unknown route /preset/."),
        ("/preset/avatar/x?", 404, "Unknown route /preset/avatar/x."),
        ("/preset/avatar?preset=avatar", 400, "preset only once"),
        ("/faces?preset=plan", 400, "aspect"), ("/preset/avatar?widht=3", 400, "Did you mean width?"),
    ]

    @Test(arguments: refusals)
    func `an invalid preset is rejected`(target: String, status: Int, text: String) async throws {
        try await running(try Self.set()) { service, url in
            let reply = try await service.request("GET", target + (target.contains("?") ? "&\(url)" : "?\(url)"))
            #expect(reply.status == status && reply.text.contains(text), "\(reply.text)")
        }
    }

    @Test func `requests are counted by preset, for every kind of response`() async throws {
        try await running(try Self.set()) { service, url in
            // The responses are computed, from the index, from the preset's URL, and not modified.
            let targets = ["/frame?preset=avatar&\(url)", "/frame?preset=avatar&\(url)", "/preset/avatar?\(url)"]
            var tag = ""
            for target in targets { tag = try #require(try await service.request("GET", target)["ETag"]) }
            _ = try await service.request("GET", targets[0], headers: [("If-None-Match", tag)])
            _ = try await service.request("GET", "/preset/plan?\(url)")
            _ = try await service.request("GET", "/frame?preset=other&\(url)")
            _ = try await service.request("GET", "/frame?\(url)")
            let metrics = try await service.request("GET", "/metrics").text
            #expect(metrics.contains("headroom_preset_requests_total{preset=\"avatar\"} 4\n"))
            #expect(metrics.contains("headroom_preset_requests_total{preset=\"plan\"} 1\n"))
            #expect(!metrics.contains("preset=\"other\""))
        }
    }

    @Test func `without presets the service has neither the parameter nor the URL`() async throws {
        try await running(PresetSet()) { service, url in
            let named = try await service.request("GET", "/frame?preset=avatar&\(url)")
            #expect(named.status == 400 && named.text.contains("the service has no presets, which require --presets"))
        }
    }

    @Test func `changing a preset changes the entity tag and the image`() async throws {
        var tags: [String] = []
        for width in ["40", "50"] {
            try await running(try Self.set(width)) { service, url in
                for target in ["/frame?preset=avatar&\(url)", "/preset/avatar?\(url)"] {
                    tags.append(try #require(try await service.request("GET", target)["ETag"]))
                }
            }
        }
        // The origin's port is not part of a tag.
        #expect(tags[0] == tags[1] && tags[2] == tags[3] && tags[0] != tags[2])
        #expect(try Self.set("40").digest != Self.set("50").digest && Self.set().digest == Self.set().digest)
        #expect(try Self.set().digest != Self.set(exclusive: true).digest && PresetSet().digest.isEmpty)
    }

    @Test func `with --only-presets, other parameters are rejected by name`() async throws {
        try await running(try Self.set(exclusive: true)) { service, url in
            for target in ["/frame?preset=avatar&v=2&\(url)", "/preset/avatar?\(url)"] {
                #expect(try await service.request("GET", target).status == 200)
            }
            for (target, name) in [
                ("/frame?preset=avatar&width=30&\(url)", "width"), ("/frame?\(url)", "preset"),
                ("/faces?\(url)", "preset"), ("/preset/avatar?format=json&\(url)", "format"),
                ("/stream?gravity=center&\(url)", "gravity"), ("/frame?preset=avatar&download=x&\(url)", "download"),
            ] {
                let reply = try await service.request("GET", target)
                #expect(reply.status == 400 && reply.text.contains("\"\(name)\""), "\(reply.text)")
            }
            let body = Array(#"{"preset": "avatar", "quality": 3}"#.utf8)
            let object = try await service.request(
                "POST",
                "/frame",
                headers: [("Content-Type", "application/json")],
                body: body
            )
            #expect(object.status == 400 && object.text.contains("quality"))
        }
    }

    @Test func `signatures cover presets, and a tenant can use only the presets in its list`() async throws {
        let secret = "0123456789abcdefghijklmnopqrstuvwxyz"
        var shop = Tenant("shop")
        shop.bearerSecrets = try Secret.list(secret)
        shop.allowedPresets = ["plan"]
        var access = AccessPolicy()
        access.tenants = try TenantSet([shop])
        try await running(try Self.set(), access) { service, url in
            let bearer = [("Authorization", "Bearer \(secret)")]
            let allowed = try await service.request("GET", "/preset/plan?\(url)", headers: bearer)
            #expect(allowed.status == 200)
            for target in ["/preset/avatar?\(url)", "/frame?preset=avatar&\(url)"] {
                let refused = try await service.request("GET", target, headers: bearer)
                #expect(refused.status == 400 && refused.text.contains("one of plan"), "\(refused.text)")
            }
            #expect(try await service.request("GET", "/preset/plan?\(url)").status == 401)
        }
    }

    @Test(arguments: [
        [("url", "http://a.example/")], [("preset", "x")], [("v", "1")], [("download", "a")], [("width", "0")],
        [("nothing", "1")], [("width", "1"), ("width", "2")], [("zoom", "1"), ("fit", "pad")],
    ])
    func `a preset with other parameters is invalid`(pairs: [(String, String)]) {
        #expect(throws: ParameterErrors.self) { try Preset("a", pairs.map { (name: $0.0, value: $0.1) }) }
    }

    @Test func `commands and batches do not support presets`() {
        #expect(throws: ParameterErrors.self) { try FrameParameters([("preset", "avatar")], known: Parameter.all) }
    }
}
