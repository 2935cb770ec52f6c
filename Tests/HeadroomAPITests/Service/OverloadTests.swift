import FaceDetection
import Geometry
import Synchronization
import TestHTTP
import TestPacing
import Testing

/// Overload, and clients that disconnect before their response.
@Suite(.limitedConcurrency) struct OverloadTests {
    private let image: [UInt8]

    init() throws { image = try Images.blankPNG.get() }

    private func options(queue: Int) -> TestService.Options {
        var options = TestService.Options()
        options.workers = 1
        options.queue = queue
        // Tests wait until the queue is full.
        options.isUnreadyWhenFull = true
        return options
    }

    private func isReady(_ service: TestService) async throws -> Bool {
        try await service.request("GET", "/readyz").status == 200
    }

    @Test(arguments: [0, 1, 2])
    func `a full queue rejects requests at once and accepts requests again later`(queue: Int) async throws {
        let detector = ScriptedDetector(isGated: true)
        try await TestService.running(detector, options(queue: queue)) { [image] service in
            #expect(try await isReady(service))
            var clients: [TestClient] = []
            for _ in 0...queue {
                let client = try service.client()
                try await client.send("POST", "/faces", body: image)
                clients.append(client)
                #expect(await eventually { detector.calls == 1 })
            }
            #expect(try await eventually { try await !isReady(service) })
            let refused = try await service.request("POST", "/faces", body: image)
            #expect(refused.status == 503)
            #expect(Int(refused["Retry-After"] ?? "") ?? 0 >= 1)
            #expect(try JSONValue(json: refused.body)["type"] == "urn:headroom:problem:overloaded")
            #expect(detector.calls == 1)
            let alive = try await service.request("GET", "/healthz")
            #expect(alive.status == 200)
            // The order in which requests are processed is not defined.
            for _ in clients { detector.release() }
            for client in clients { #expect(try await client.reply().status == 200) }
            #expect(try await isReady(service))
            detector.release()
            #expect(try await service.request("POST", "/faces", body: image).status == 200)
        }
    }

    @Test func `a service with a full queue is ready, unless configured otherwise`() async throws {
        let detector = ScriptedDetector(isGated: true)
        var options = options(queue: 0)
        options.isUnreadyWhenFull = false
        try await TestService.running(detector, options) { [image] service in
            let client = try service.client()
            try await client.send("POST", "/faces", body: image)
            #expect(await eventually { detector.calls == 1 })
            #expect(try await service.request("POST", "/faces", body: image).status == 503)
            #expect(try await service.request("GET", "/readyz").text == "ready\n")
            #expect(service.metric("headroom_ready") == 1)
            detector.release()
            #expect(try await client.reply().status == 200)
        }
    }

    @Test func `bytes that are not an image wait in the queue but never reach the detector`() async throws {
        let detector = ScriptedDetector(isGated: true)
        try await TestService.running(detector, options(queue: 1)) { [image] service in
            let first = try service.client()
            try await first.send("POST", "/faces", body: image)
            #expect(await eventually { detector.calls == 1 })
            let second = try service.client()
            try await second.send("POST", "/faces", body: [1, 2, 3])
            #expect(try await eventually { try await !isReady(service) })
            detector.release()
            #expect(try await first.reply().status == 200)
            #expect(try await second.reply().status == 415)
            #expect(detector.calls == 1)
        }
    }

    @Test func `a client that disconnects while it waits leaves the queue`() async throws {
        let detector = ScriptedDetector(isGated: true)
        try await TestService.running(detector, options(queue: 1)) { [image] service in
            let first = try service.client()
            try await first.send("POST", "/faces", body: image)
            #expect(await eventually { detector.calls == 1 })
            let second = try service.client()
            try await second.send("POST", "/faces", body: image)
            #expect(try await eventually { try await !isReady(service) })
            try await second.reset()
            #expect(try await eventually { try await isReady(service) })
            detector.release()
            #expect(try await first.reply().status == 200)
            detector.release()
            #expect(try await service.request("POST", "/faces", body: image).status == 200)
            #expect(detector.calls == 2)
        }
    }

    @Test func `a client that disconnects during detection frees the worker after the current pass`() async throws {
        let detector = ScriptedDetector(isGated: true)
        try await TestService.running(detector, options(queue: 0)) { [image] service in
            let client = try service.client()
            try await client.send("POST", "/frame?aspect=1:1", body: image)
            #expect(await eventually { detector.calls == 1 })
            try await client.reset()
            detector.release()
            #expect(try await eventually { try await isReady(service) })
            detector.release()
            #expect(try await service.request("POST", "/faces", body: image).status == 200)
        }
    }

    @Test func `a request that waits longer than the queue timeout gets 503 with Retry-After`() async throws {
        let detector = ScriptedDetector(isGated: true)
        var options = options(queue: 10)
        options.queueTimeout = .seconds(1)
        try await TestService.running(detector, options) { [image] service in
            let first = try service.client()
            try await first.send("POST", "/faces", body: image)
            #expect(await eventually { detector.calls == 1 })
            let late = try await service.request("POST", "/faces", body: image)
            #expect(late.status == 503)
            #expect(Int(late["Retry-After"] ?? "") ?? 0 >= 1)
            #expect(detector.calls == 1)
            detector.release()
            #expect(try await first.reply().status == 200)
        }
    }

    @Test func `the queue timeout includes the time of the fetch`() async throws {
        let detector = ScriptedDetector(isGated: true)
        var options = options(queue: 10)
        options.queueTimeout = .seconds(1)
        try await TestOrigin.running(["/a.png": .file(image)]) { [image] origin in
            try await TestService.running(detector, options) { service in
                let first = try service.client()
                try await first.send("POST", "/faces", body: image)
                #expect(await eventually { detector.calls == 1 })
                let silent = try await service.request("GET", "/faces?url=\(origin)/silence")
                #expect(silent.status == 504)
                let late = try await service.request("GET", "/faces?url=\(origin)/a.png")
                #expect(late.status == 503)
                #expect(Int(late["Retry-After"] ?? "") ?? 0 >= 1)
                detector.release()
                #expect(try await first.reply().status == 200)
            }
        }
    }

    @Test func `while the queue is full an upload is rejected by its header, and the connection stays open`()
        async throws
    {
        let detector = ScriptedDetector(isGated: true)
        try await TestService.running(detector, options(queue: 0)) { [image] service in
            let first = try service.client()
            try await first.send("POST", "/faces", body: image)
            #expect(await eventually { detector.calls == 1 })
            let second = try service.client()
            // If the service received and decoded the body, the problem would describe its bytes.
            try await second.send("POST", "/faces", body: [1, 2, 3])
            let refused = try await second.reply()
            #expect(refused.status == 503)
            #expect(refused["Connection"] == nil)
            // Parameters are parsed, because a cached response may exist for them.
            let json = [("Content-Type", "application/json")]
            try await second.send("POST", "/faces", headers: json, body: Array("{".utf8))
            #expect(try await second.reply().status == 400)
            detector.release()
            #expect(try await first.reply().status == 200)
        }
    }

    @Test func `while the queue is full nothing is fetched and no large body is received`() async throws {
        let detector = ScriptedDetector(isGated: true)
        let asked = Atomic(0)
        try await TestOrigin.running([:], onSilence: { asked.add(1, ordering: .relaxed) }) { origin in
            try await TestService.running(detector, options(queue: 0)) { [image] service in
                let first = try service.client()
                try await first.send("POST", "/faces", body: image)
                #expect(await eventually { detector.calls == 1 })
                #expect(try await service.request("GET", "/faces?url=\(origin)/silence").status == 503)
                #expect(asked.load(ordering: .relaxed) == 0)
                // The body is declared but not sent; the response does not wait for it.
                let large = try service.client()
                try await large.send(Array("POST /faces HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n".utf8))
                let refused = try await large.reply()
                #expect(refused.status == 503)
                #expect(Int(refused["Retry-After"] ?? "") ?? 0 >= 1)
                #expect(refused["Connection"] == "close")
                detector.release()
                #expect(try await first.reply().status == 200)
            }
        }
    }

    @Test func `a slow origin uses a fetch slot but no worker`() async throws {
        let asked = Atomic(0)
        var options = options(queue: 0)
        options.fetchSlots = 2
        options.fetchTimeout = .seconds(600)
        try await TestOrigin.running([:], onSilence: { asked.add(1, ordering: .relaxed) }) { [options] origin in
            try await TestService.running(ScriptedDetector(), options) { [image] service in
                let clients = try (0..<3).map { _ in try service.client() }
                for client in clients { try await client.send("GET", "/faces?url=\(origin)/silence") }
                #expect(await eventually { asked.load(ordering: .relaxed) == 2 })
                #expect(try await service.request("POST", "/faces", body: image).status == 200)
                #expect(try await isReady(service))
                withExtendedLifetime(clients) {}
            }
        }
    }

    @Test func `an error in the detector fails only one request`() async throws {
        let detector = ScriptedDetector { call, _ in
            if call == 1 { throw ScriptedDetector.Broken() }
            return []
        }
        try await TestService.running(detector, options(queue: 0)) { [image] service in
            let failed = try await service.request("POST", "/faces", body: image)
            #expect(failed.status == 500)
            #expect(try JSONValue(json: failed.body)["type"] == "urn:headroom:problem:internal-error")
            #expect(!failed.text.contains("Broken"))
            #expect(try await service.request("POST", "/faces", body: image).status == 200)
        }
    }

    @Test func `a custom detector is used like a built-in detector`() async throws {
        let detector = ScriptedDetector { _, image in
            // A detector that finds the central ninth of any image.
            let third = PixelSize(width: image.size.width / 3, height: image.size.height / 3)
            let box = PixelRect(x: third.width, y: third.height, width: third.width, height: third.height)
            return [Detection(box: box, confidence: 1)]
        }
        try await TestService.running(detector) { service in
            let response = try await service.document("/faces", posting: self.image)
            let box = response["faces"][0]["box"].rect
            #expect(abs(box.x - 107) <= 1 && abs(box.width - 107) <= 1)
            #expect(response["faces"][0]["pose"].isNull)
            #expect(response["detector"]["name"] == "scripted")
        }
    }
}
