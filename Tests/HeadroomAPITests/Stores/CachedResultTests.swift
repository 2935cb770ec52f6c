import Caching
import FaceDetection
import Geometry
import HTTPServer
import HTTPTypes
import HeadroomAPI
import Imaging
import TestHTTP
import TestPacing
import TestImages
import Testing

/// Repeated requests.
@Suite(.limitedConcurrency) struct CachedResultTests {
    private let image: [UInt8]

    init() throws { image = try Images.singleJPEG.get() }

    /// Runs a service with caches, and an origin that serves the image at every path.
    private func running(
        _ detector: ScriptedDetector = ScriptedDetector(),
        _ caches: CacheConfiguration = CacheConfiguration(),
        access: AccessPolicy = AccessPolicy(),
        _ body: (TestService, TestOrigin, _ url: String) async throws -> Void
    ) async throws {
        var options = TestService.Options()
        options.caches = caches
        options.access = access
        let origin = TestOrigin { [image] _ in .file(image) }
        try await TestService.running(detector, options) { service in
            try await origin.running { address in
                try await body(service, origin, "url=" + percentEncoded(address + "/a.jpg"))
            }
        }
    }

    /// The headers that describe the image, without headers that differ between responses.
    private func headers(_ reply: TestClient.Reply) -> [String] {
        reply.headers.map { "\($0.name): \($0.value)" }.sorted().filter {
            !["Server-Timing", "Cache-Status", "Date", "X-Request-Id"].contains(where: $0.hasPrefix)
        }
    }

    @Test(arguments: [
        "/frame?aspect=1:1&width=90", "/frame?width=90&maxBytes=9000", "/faces/1?width=40", "/frame?format=debug",
        "/faces?format=debug",
    ])
    func `an image is computed once and then served from the cache, including for HEAD`(target: String) async throws {
        let detector = ScriptedDetector()
        try await running(detector) { service, origin, url in
            let target = target + (target.contains("?") ? "&" : "?") + url
            let first = try await service.request("GET", target)
            #expect(first["Cache-Status"] == "headroom; fwd=miss")
            let calls = detector.calls
            for method in ["GET", "HEAD", "GET"] {
                let again = try await service.request(method, target)
                #expect(again.status == 200 && again["Cache-Status"] == "headroom; hit")
                #expect(again.body == (method == "GET" ? first.body : []))
                #expect(headers(again) == headers(first))
                #expect(again["Server-Timing"] == nil)
            }
            #expect(detector.calls == calls && origin.requests.count == 1)
            #expect(service.caches.results.hits == 3)
        }
    }

    @Test func `an equivalent request gets the same image`() async throws {
        let detector = ScriptedDetector()
        try await running(detector) { service, origin, url in
            let first = try await service.request("GET", "/frame?aspect=1:1&width=90&\(url)")
            let again = try await service.request("GET", "/frame?\(url)&width=90&aspect=1%3A1&v=2")
            #expect(again.body == first.body && again["Cache-Status"] == "headroom; hit")
            #expect(again["Cache-Control"]?.contains("31536000") == true)
            #expect(detector.calls == 1 && origin.requests.count == 1)
        }
    }

    @Test func `responses are cached separately for each Accept`() async throws {
        try await running { service, _, url in
            let target = "/frame?width=90&\(url)"
            for _ in 0..<2 {
                for (accept, type) in [
                    ("image/jpeg", "image/jpeg"), ("image/webp", "image/webp"), ("image/png", "image/png"),
                ] {
                    let reply = try await service.request("GET", target, headers: [("Accept", accept)])
                    #expect(reply["Content-Type"] == type)
                }
                #expect(
                    try await service.request("GET", target, headers: [("Accept", "application/json")]).text.hasPrefix(
                        "{"
                    )
                )
            }
        }
    }

    @Test func `a conditional request gets 304 without a job`() async throws {
        let detector = ScriptedDetector()
        try await running(detector) { service, origin, url in
            let target = "/frame?width=90&\(url)"
            let first = try await service.request("GET", target)
            let tag = try #require(first["ETag"])
            for condition in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
                let reply = try await service.request("GET", target, headers: [("If-None-Match", condition)])
                #expect(reply.status == 304 && reply.body.isEmpty && reply["ETag"] == tag)
                #expect(reply["Cache-Control"] == first["Cache-Control"] && reply["Vary"] == first["Vary"])
            }
            let other = try await service.request("GET", target, headers: [("If-None-Match", "\"x\"")])
            #expect(other.status == 200 && other.body == first.body)
            #expect(detector.calls == 1 && origin.requests.count == 1)
        }
    }

    @Test(arguments: [false, true])
    func `a response from the index has the same fields in the same order as a computed response`(
        isSigned: Bool
    ) async throws {
        let clock = ManualWallClock()
        let access = isSigned ? Credentials.signing { clock.now } : AccessPolicy()
        try await running(access: access) { service, _, url in
            let parameters = [
                ("expires", "\(clock.now + 60)"), ("width", "90"), ("url", url.dropFirst(4).removingPercents),
            ].filter { isSigned || $0.0 != "expires" }
            let pairs = parameters.map { (name: $0.0, value: $0.1) }
            let first = isSigned ? Credentials.sign("/frame", pairs) : "/frame?width=90&\(url)"
            let tag = try #require(try await service.request("GET", first)["ETag"])
            for (condition, ending) in [([], "&"), ([("If-None-Match", tag)], "&&")] {
                // The request is the same, but the index does not contain this spelling.
                let slow = try await service.request("GET", first + ending, headers: condition)
                for _ in 0..<2 {
                    let fast = try await service.request("GET", first, headers: condition)
                    #expect(fast.status == slow.status && fast.body == slow.body)
                    #expect(fast.headers.map(\.name) == slow.headers.map(\.name))
                    #expect(headers(fast) == headers(slow))
                    #expect(fast["X-Request-Id"]?.count == 32 && fast["X-Request-Id"] != slow["X-Request-Id"])
                }
            }
            let named = try await service.request("GET", first, headers: [("X-Request-Id", "mine")])
            #expect(named["X-Request-Id"] == "mine" && named["Cache-Status"] == "headroom; hit")
        }
    }

    @Test func `a request that gets 304 adds an index entry without an image`() async throws {
        try await running { service, _, url in
            // The image is the same, but the index does not contain this spelling.
            let tag = try #require(try await service.request("GET", "/frame?width=90&\(url)&")["ETag"])
            let target = "/frame?width=90&\(url)"
            for isKnown in [true, true, false, true, false] {
                let condition = isKnown ? [("If-None-Match", tag)] : []
                let reply = try await service.request("GET", target, headers: condition)
                #expect(reply.status == (isKnown ? 304 : 200) && reply["ETag"] == tag)
                #expect(reply["Content-Type"] == (isKnown ? nil : "image/jpeg"))
                #expect(reply["Headroom-Decision"] == (isKnown ? nil : "faces"))
            }
        }
    }

    @Test(arguments: [[PixelRect](), [PixelRect(x: 200, y: 60, width: 120, height: 120)]])
    func `cached detections serve every other crop and plan, even without faces`(boxes: [PixelRect]) async throws {
        let detector = ScriptedDetector { _, _ in boxes.map { Detection(box: $0, confidence: 1) } }
        try await running(detector) { [image] service, _, url in
            let first = try JSONValue(json: try await service.request("GET", "/frame?format=json&\(url)").body)
            #expect(first["detector"]["cached"].isNull)
            let calls = detector.calls
            #expect(try await service.request("GET", "/frame?width=90&\(url)").status == 200)
            #expect(try await service.request("GET", "/frame?aspect=1:1&width=50&\(url)").status == 200)
            let again = try JSONValue(json: try await service.request("GET", "/frame?format=json&\(url)").body)
            #expect(again["detector"]["cached"] == .bool(true))
            #expect(again["faces"] == first["faces"] && again["crops"] == first["crops"])
            #expect(again["detector"]["passes"] == first["detector"]["passes"])
            // An upload of the same bytes counts as the same image.
            let posted = try await service.document("/faces", posting: image)
            #expect(posted["detector"]["cached"] == .bool(true))
            #expect(detector.calls == calls)
            // Another `minFace` requires another detection.
            #expect(try await service.request("GET", "/frame?minFace=0.3&width=90&\(url)").status == 200)
            #expect(detector.calls > calls)
        }
    }

    @Test func `detections for all frames of an animation and for its first frame are cached separately`() async throws
    {
        let writer = try AnimationEncoder.begin(.gif, size: PixelSize(width: 120, height: 60), plays: 0)
        for step in 0..<3 {
            let frame = try TestImage.rgb(PixelSize(width: 120, height: 60)) { x, y in
                (30 * step..<30 * step + 30).contains(x) ? (250, 20, 20) : (UInt8(x), UInt8(y), 90)
            }
            try writer.add(frame, milliseconds: 200)
        }
        let gif = try writer.finish()
        let detector = ScriptedDetector { _, _ in [] }
        try await running(detector) { service, _, _ in
            let targets = ["/frame?format=json", "/faces", "/frame?format=json&animation=still", "/frame?aspect=1:1"]
            for target in targets {
                let reply = try await service.request("POST", target, body: gif)
                #expect(reply.status == 200)
            }
            let calls = detector.calls
            for target in targets + targets.reversed() {
                let another = target + (target.contains("?") ? "&v=2" : "?v=2")
                let reply = try await service.request("POST", another, body: gif)
                #expect(reply.status == 200)
            }
            #expect(detector.calls == calls)
        }
    }

    @Test func `detections without faces are cached even if the request is rejected`() async throws {
        let detector = ScriptedDetector { _, _ in [] }
        try await running(detector) { service, _, url in
            #expect(try await service.request("GET", "/frame?fallback=error&\(url)").status == 422)
            let calls = detector.calls
            #expect(try await service.request("GET", "/frame?fallback=error&\(url)").status == 422)
            let plan = try JSONValue(json: try await service.request("GET", "/frame?format=json&\(url)").body)
            #expect(plan["detector"]["cached"] == .bool(true) && detector.calls == calls)
        }
    }

    @Test func `a degraded response is not cached`() async throws {
        let detector = ScriptedDetector { call, image in
            if call == 1 { throw ScriptedDetector.Broken() }
            return [Detection(box: PixelRect(image.size), confidence: 1)]
        }
        try await running(detector) { service, _, url in
            let target = "/frame?width=90&\(url)"
            #expect(try await service.request("GET", target)["ETag"] == nil)
            let good = try await service.request("GET", target)
            #expect(good["ETag"] != nil && good["Headroom-Faces"] == "1")
        }
    }

    @Test func `a disabled cache stores nothing`() async throws {
        let detector = ScriptedDetector()
        try await running(detector, .none) { service, origin, url in
            for _ in 0..<2 {
                let reply = try await service.request("GET", "/frame?width=90&\(url)")
                #expect(reply["Cache-Status"] == nil)
            }
            #expect(detector.calls == 2 && origin.requests.count == 2)
        }
    }

    @Test func `an unauthorized request gets no cached response`() async throws {
        let clock = ManualWallClock()
        try await running(access: Credentials.signing { clock.now }) { service, origin, url in
            let parameters = [
                ("expires", "\(clock.now + 60)"), ("width", "90"), ("url", url.dropFirst(4).removingPercents),
            ]
            let target = Credentials.sign("/frame", parameters.map { (name: $0.0, value: $0.1) })
            #expect(try await service.request("GET", target).status == 200)
            clock.advance(by: 20)
            let again = try await service.request("GET", target)
            #expect(again["Cache-Status"] == "headroom; hit")
            #expect(again["Cache-Control"] == "public, max-age=40, immutable")
            #expect(try await service.request("GET", "/frame?width=90&\(url)").status == 403)
            #expect(try await service.request("GET", target.dropLast() + "0x").status == 403)
            clock.advance(by: 41)
            #expect(try await service.request("GET", target).status == 403)
            #expect(origin.requests.count == 1)
        }
    }
}

extension StringProtocol {
    /// The text without percent-encoding.
    fileprivate var removingPercents: String {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
