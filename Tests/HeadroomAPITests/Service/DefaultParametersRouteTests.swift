import Addresses
import Caching
import Geometry
import HeadroomAPI
import Imaging
import Requests
import TestHTTP
import TestPacing
import Testing

/// Default parameters and ignored parameters over HTTP.
@Suite(.limitedConcurrency) struct DefaultParametersRouteTests {
    private let image: [UInt8]

    init() throws { image = try Images.singleJPEG.get() }

    private func running(
        _ change: (inout TestService.Options) throws -> Void,
        _ body: (TestService, _ origin: String) async throws -> Void
    ) async throws {
        var options = TestService.Options()
        options.caches = CacheConfiguration()
        try change(&options)
        try await TestService.running(ScriptedDetector(), options) { service in
            try await TestOrigin.running(["/a.jpg": .file(image)]) { try await body(service, $0) }
        }
    }

    @Test func `defaults apply below presets, and are part of the entity tag`() async throws {
        try await running {
            $0.defaults = DefaultParameters([
                try Preset("all", [("width", "24"), ("format", "png")]), try Preset("weserv", [("width", "22")]),
            ])
            $0.urlFormats.names = [.weserv]
        } _: { service, origin in
            let url = "url=" + percentEncoded(origin + "/a.jpg")
            func reply(_ target: String) async throws -> (TestClient.Reply, width: Int) {
                let reply = try await service.request("GET", target)
                try #require(reply.status == 200, "\(reply.text)")
                return (reply, try ImageHeader.read(reply.body).size.width)
            }
            let plain = try await reply("/frame?\(url)")
            #expect(plain.width == 24 && plain.0["Content-Type"] == "image/png")
            let explicit = try await reply("/frame?\(url)&width=24&format=png")
            #expect(explicit.0["ETag"] == plain.0["ETag"] && explicit.0.body == plain.0.body)
            #expect(try await reply("/frame?\(url)&width=32").width == 32)
            #expect(try await reply("/preset/avatar?\(url)").width == 40)
            #expect(try await reply("/weserv/?\(url)").width == 22)
            let upload = try await service.request("POST", "/frame", body: image)
            #expect(try ImageHeader.read(upload.body).size.width == 24)
            let faces = try await service.request("GET", "/faces?\(url)")
            #expect(faces.status == 200 && faces["Content-Type"] == "application/json")
        }
    }

    @Test func `ignored parameters change neither the response nor its entity tag`() async throws {
        try await running {
            $0.ignoredParameters = try #require(IgnoredParameters("utm_*,fbclid", besides: []))
        } _: { service, origin in
            let target = "/frame?width=24&url=" + percentEncoded(origin + "/a.jpg")
            let plain = try await service.request("GET", target)
            for query in ["&utm_source=x", "&fbclid=a%20b&utm_medium=y", "&fbclid=1&fbclid=2"] {
                let reply = try await service.request("GET", target + query)
                #expect(reply.status == 200 && reply["ETag"] == plain["ETag"] && reply.body == plain.body)
            }
            let other = try await service.request("GET", target + "&gclid=1")
            #expect(other.status == 400)
        }
    }

    @Test func `no parameter is ignored in a signed request`() async throws {
        try await running {
            $0.access = Credentials.signing()
            $0.ignoredParameters = try #require(IgnoredParameters("utm_*", besides: []))
        } _: { service, origin in
            let pairs = [(name: "url", value: origin + "/a.jpg"), (name: "width", value: "24")]
            let signed = Credentials.sign("/frame", pairs)
            let covered = Credentials.sign("/frame", pairs + [(name: "utm_source", value: "x")])
            for (target, status) in [(signed, 200), (signed + "&utm_source=x", 403), (covered, 400)] {
                let reply = try await service.request("GET", target)
                #expect(reply.status == status, "\(target) \(reply.text)")
            }
        }
    }
}
