import HeadroomAPI
import TestHTTP
import TestPacing
import Testing

/// Responses that are larger than the memory limit for unsent responses.
@Suite(.limitedConcurrency) struct LargeResponseTests {
    private func check(_ reply: TestClient.Reply) throws {
        #expect(reply.status == 422)
        #expect(reply["Retry-After"] == nil)
        #expect(try JSONValue(json: reply.body)["type"] == "urn:headroom:problem:response-too-large")
    }

    @Test func `a response that is too large has its own problem kind, computed or cached, and is logged`()
        async throws
    {
        let log = LogRecorder()
        var options = TestService.Options()
        options.maxUnsentBytes = 1000
        options.caches = CacheConfiguration()
        options.log = log
        let image = try Images.singleJPEG.get()
        try await TestService.running(ScriptedDetector(), options) { service in
            try await TestOrigin.running(["/a.jpg": .file(image)]) { origin in
                let target = "/frame?url=" + percentEncoded(origin + "/a.jpg")
                for _ in 0..<3 {
                    try check(await service.request("GET", target))
                    #expect(try await service.request("HEAD", target).status == 200)
                }
                #expect(try await service.request("GET", "\(target)&width=8&aspect=1:1").status == 200)
                try check(await service.request("POST", "/frame", body: image))
            }
            #expect(service.metric(#"headroom_http_problems_total{kind="response-too-large"}"#) == 4)
        }
        #expect(log.lines.count { $0.contains("problem=response-too-large") && $0.contains("status=422") } == 4)
    }
}
