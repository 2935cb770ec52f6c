import Caching
import HTTPServer
import HeadroomAPI
import Requests
import Telemetry
import TestHTTP
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct MetricsRouteTests {
    private let image: [UInt8]

    init() throws { image = try Images.blankPNG.get() }

    @Test func `metrics are text, need no credentials and count requests by route, method and status`()
        async throws
    {
        var options = TestService.Options()
        options.access.bearerSecrets = Credentials.list(Credentials.bearer)
        try await TestService.running(ScriptedDetector(), options) { [image] service in
            let bearer = [("Authorization", "Bearer \(Credentials.bearer)")]
            for _ in 0..<2 { try await service.request("POST", "/faces", headers: bearer, body: image) }
            try await service.request("POST", "/faces", body: image)
            try await service.request("GET", "/faces/3?aspekt=1", headers: bearer)
            try await service.request("HEAD", "/healthz")
            try await service.request("GET", "/secret-path-\(Credentials.firstKey)")
            try await service.request("PROPFIND", "/frame")
            let reply = try await service.request("GET", "/metrics")
            #expect(reply.status == 200)
            #expect(reply["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
            let lines = Set(reply.text.split(separator: "\n").map(String.init))
            for (labels, count) in [
                (#"route="faces",method="POST",status="200""#, 2), (#"route="faces",method="POST",status="401""#, 1),
                (#"route="face",method="GET",status="400""#, 1), (#"route="healthz",method="HEAD",status="200""#, 1),
                (#"route="none",method="GET",status="404""#, 1), (#"route="frame",method="other",status="501""#, 1),
            ] {
                #expect(lines.contains("headroom_http_requests_total{\(labels)} \(count)"))
            }
            #expect(lines.contains(#"headroom_http_problems_total{kind="unauthorized"} 1"#))
            #expect(lines.contains(#"headroom_http_problems_total{kind="overloaded"} 0"#))
            #expect(lines.contains(#"headroom_http_request_duration_seconds_count{route="faces"} 3"#))
            // The request for the metrics itself.
            #expect(lines.contains("headroom_http_requests_in_flight 1"))
            #expect(lines.contains("headroom_ready 1"))
            let build = BuildIdentifier.current
            #expect(build.wholeMatch(of: /[0-9a-f]{16}/) != nil)
            #expect(lines.contains(#"headroom_build_info{version="\#(HeadroomVersion.current)",build="\#(build)"} 1"#))
            #expect(!reply.text.contains(Credentials.firstKey) && !reply.text.contains("PROPFIND"))
        }
    }

    @Test func `the counts of stages, decisions and faces match the images`() async throws {
        try await TestService.running { [image] service in
            try await TestOrigin.running(["/a.png": .file(image)]) { origin in
                try await service.request("GET", "/frame?aspect=1:1&url=\(origin)/a.png")
                try await service.request("GET", "/frame?url=\(origin)/missing")
            }
            try await service.request("POST", "/frame?gravity=center", body: image)
            try await service.request("POST", "/faces/1", body: image)
            try await service.request("POST", "/faces?format=zip", body: image)
            // The request was not for a crop.
            try await service.request("POST", "/faces", body: image)
            let stage = "headroom_stage_duration_seconds_count"
            #expect(service.metric("\(stage){stage=\"queue\"}") == 5)
            // A failed request.
            #expect(service.metric("\(stage){stage=\"fetch\"}") == 2)
            #expect(service.metric("\(stage){stage=\"decode\"}") == 5)
            #expect(service.metric("\(stage){stage=\"detect\"}") == 4)
            #expect(service.metric("\(stage){stage=\"frame\"}") == 5)
            #expect(service.metric("\(stage){stage=\"encode\"}") == 4)
            for (decision, count) in [("faces", 1.0), ("center", 1), ("face", 2), ("pad", 0)] {
                #expect(service.metric("headroom_decisions_total{decision=\"\(decision)\"}") == count, "\(decision)")
            }
            // The deprecated metric has the same values.
            for faces in ["headroom_image_faces", "headroom_picture_faces"] {
                #expect(service.metric("\(faces)_count") == 4)
                #expect(service.metric("\(faces)_bucket{le=\"0\"}") == 0)
                #expect(service.metric("\(faces)_bucket{le=\"1\"}") == 4)
            }
            #expect(service.metric("headroom_http_response_bytes_total{route=\"frame\"}") ?? 0 > 100)
        }
    }

    @Test func `effects count the images that requested them`() async throws {
        try await TestService.running { [image] service in
            try await service.request("POST", "/frame?filter=mono,invert&redact=fill&gravity=center", body: image)
            try await service.request("POST", "/frame?chromaKey=00ff00&gravity=center&format=png", body: image)
            try await service.request("POST", "/faces/1?align=eyes", body: image)
            try await service.request("POST", "/faces?format=zip&upright=true", body: image)
            try await service.request("POST", "/frame?gravity=center", body: image)
            try await service.request("POST", "/frame?filter=unknown", body: image)
            for (effect, count) in [
                ("filter", 1.0), ("redact", 1), ("key", 1), ("align", 1), ("upright", 1), ("sticker", 0), ("follow", 0),
            ] {
                #expect(service.metric("headroom_effects_total{effect=\"\(effect)\"}") == count, "\(effect)")
            }
        }
    }

    @Test func `while the queue is full, metrics are served and report it`() async throws {
        let detector = ScriptedDetector(isGated: true)
        var options = TestService.Options()
        options.workers = 1
        options.queue = 1
        try await TestService.running(detector, options) { [image] service in
            var clients: [TestClient] = []
            for _ in 0..<2 {
                let client = try service.client()
                try await client.send("POST", "/faces", body: image)
                clients.append(client)
                #expect(await eventually { detector.calls == 1 })
            }
            #expect(await eventually { service.metric("headroom_queue_length") == 1 })
            #expect(service.metric("headroom_queue_limit") == 1)
            #expect(service.metric("headroom_workers") == 1)
            #expect(service.metric("headroom_workers_busy") == 1)
            #expect(service.metric("headroom_ready") == 1)
            #expect(service.metric("headroom_inflight_bytes") ?? 0 > 0)
            #expect(service.metric("headroom_http_connections") ?? 0 >= 2)
            let scrape = try await service.request("GET", "/metrics")
            #expect(scrape.text.contains("\nheadroom_queue_length 1\n"))
            #expect(scrape.text.contains("\nheadroom_http_requests_in_flight 3\n"))
            for client in clients {
                detector.release()
                #expect(try await client.reply().status == 200)
            }
            #expect(await eventually { service.metric("headroom_workers_busy") == 0 })
            #expect(service.metric("headroom_queue_length") == 0)
            #expect(service.metric("headroom_inflight_bytes") == 0)
            #expect(service.metric("headroom_ready") == 1)
        }
    }

    @Test func `a client that disconnects does not count as an error of the service`() async throws {
        let detector = ScriptedDetector(isGated: true)
        let log = LogRecorder()
        var options = TestService.Options()
        options.log = log
        try await TestService.running(detector, options) { [image] service in
            let client = try service.client()
            try await client.send("POST", "/faces", headers: [("X-Request-Id", "gone")], body: image)
            #expect(await eventually { detector.calls == 1 })
            try await client.reset()
            // The server has detected the disconnect, and the worker will detect it at its next check.
            #expect(await eventually { service.metric("headroom_http_connections") == 0 })
            detector.release()
            let left = #"headroom_http_requests_total{route="faces",method="POST",status="499"}"#
            #expect(await eventually { service.metric(left) == 1 })
            #expect(service.metric(#"headroom_http_problems_total{kind="internal-error"}"#) == 0)
            #expect(service.metric("headroom_http_requests_in_flight") == 0)
        }
        let line = try #require(log.lines.first { $0.contains(" request_id=gone ") })
        #expect(line.contains(" status=499 ") && line.contains(" bytes=0 "))
        #expect(!line.contains("problem="))
    }

    @Test func `a client that disconnects during a fetch does not count as an error`() async throws {
        try await TestService.running { service in
            let (asked, ask) = AsyncStream.makeStream(of: Void.self)
            try await TestOrigin.running([:], onSilence: { ask.yield() }) { origin in
                let client = try service.client()
                try await client.send("GET", "/frame?url=\(origin)/silence")
                for await _ in asked { break }
                #expect(service.metric("headroom_fetches_running") == 1)
                #expect(service.metric("headroom_fetches_waiting") == 0)
                #expect(service.metric("headroom_fetches_limit") == 8)
                try await client.reset()
                let left = #"headroom_http_requests_total{route="frame",method="GET",status="499"}"#
                #expect(await eventually { service.metric(left) == 1 })
                #expect(service.metric(#"headroom_stage_duration_seconds_count{stage="fetch"}"#) == 1)
                #expect(await eventually { service.metric("headroom_fetches_running") == 0 })
            }
        }
    }

    @Test func `malformed requests are counted by their status`() async throws {
        try await TestService.running { service in
            let client = try service.client()
            try await client.send(Array("GET / HTTP/3.0\r\n\r\n".utf8))
            #expect(try await client.reply().status == 505)
            let refused = #"headroom_http_requests_total{route="none",method="none",status="505"}"#
            #expect(service.metric(refused) == 1)
        }
    }

    @Test func `a separate metrics address serves metrics until the process ends, and the main address does not`()
        async throws
    {
        let detector = ScriptedDetector(isGated: true)
        var options = TestService.Options()
        options.metricsAddress = .tcp(host: "127.0.0.1", port: 0)
        try await TestService.running(detector, options) { [image] service in
            let main = try await service.request("GET", "/metrics")
            #expect(main.status == 404 && !main.text.contains("/readyz, /metrics"))
            let client = try service.client()
            try await client.send("POST", "/faces", body: image)
            #expect(await eventually { detector.calls == 1 })
            service.shutdown()
            #expect(await eventually { (try? service.client()) == nil })
            // Metrics are available during the shutdown.
            let port = try #require(service.metricsPort)
            for (method, target, status) in [
                ("GET", "/metrics", 200), ("HEAD", "/metrics", 200), ("OPTIONS", "/metrics", 204),
                ("POST", "/metrics", 405), ("BREW", "/metrics", 501), ("GET", "/healthz", 404), ("GET", "/frame", 404),
                ("GET", "/", 404),
            ] {
                let scraper = try TestClient(port: port)
                try await scraper.send(method, target)
                let reply = try await scraper.reply(toHead: method == "HEAD")
                #expect(reply.status == status, "\(method) \(target)")
                #expect(reply["X-Request-Id"] != nil && reply["X-Content-Type-Options"] == "nosniff")
                if method == "GET", status == 200 { #expect(reply.text.contains("\nheadroom_ready 0\n")) }
            }
            detector.release()
            #expect(try await client.reply().status == 200)
        }
    }

    @Test func `Redis metrics exist only if Redis is configured`() {
        let metrics = ServiceMetrics()
        metrics.readRedis { nil }
        #expect(!metrics.registry.exposition().contains("headroom_redis"))
        metrics.readRedis {
            var figures = RedisStatistics()
            figures.isConnected = true
            (figures.hits, figures.misses, figures.late, figures.skipped) = (1, 2, 3, 4)
            (figures.writes, figures.droppedWrites, figures.failures) = (5, 6, 7)
            return figures
        }
        let lines = metrics.registry.exposition().split(separator: "\n").filter { $0.hasPrefix("headroom_redis") }
        #expect(
            lines == [
                "headroom_redis_connected 1",
                "headroom_redis_lookups_total{result=\"hit\"} 1", "headroom_redis_lookups_total{result=\"miss\"} 2",
                "headroom_redis_lookups_total{result=\"late\"} 3", "headroom_redis_lookups_total{result=\"skipped\"} 4",
                "headroom_redis_writes_total{result=\"taken\"} 5", "headroom_redis_writes_total{result=\"dropped\"} 6",
                "headroom_redis_failures_total 7",
            ]
        )
    }

    @Test func `cache metrics are labelled with the names of the caches`() {
        let metrics = ServiceMetrics()
        metrics.readCaches {
            [
                ("sources", CacheStatistics(hits: 5, misses: 4, stores: 3, evictions: 2, bytes: 1000, budget: 2000)),
                ("results", CacheStatistics(hits: 0, misses: 0, stores: 0, evictions: 0, bytes: 0, budget: 1)),
            ]
        }
        let lines = Set(metrics.registry.exposition().split(separator: "\n").map(String.init))
        for (name, value) in [
            ("hits_total", 5), ("misses_total", 4), ("stores_total", 3), ("evictions_total", 2), ("bytes", 1000),
            ("limit_bytes", 2000),
        ] {
            #expect(lines.contains("headroom_cache_\(name){cache=\"sources\"} \(value)"))
        }
        #expect(lines.contains("headroom_cache_limit_bytes{cache=\"results\"} 1"))
    }
}
