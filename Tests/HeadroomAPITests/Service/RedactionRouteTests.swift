import Caching
import FaceDetection
import HeadroomAPI
import Imaging
import TestHTTP
import TestPacing
import TestImages
import TestPrograms
import TestRedaction
import Testing

/// Redacted images of every route and form.
///
/// One service has the same image without redaction in its caches. Another service shares these caches through Redis.
@Suite(.limitedConcurrency, .enabled(if: RedisServer.isInstalled, Comment(rawValue: RedisServer.advice)))
struct RedactionRouteTests {
    private static let targets = [
        "/frame?aspect=1:1&format=png", "/frame?aspect=1:1&format=source", "/frame?aspect=16:9&format=auto",
        "/frame?format=avif", "/frame?format=webp&maxBytes=6000",
        "/frame?format=source&maxBytes=30000", "/frame?format=source&animation=still", "/frame?format=debug",
        "/frame?region=0.05,0.05,0.9,0.9&rotate=90&trim=10", "/frame?quality=source&flip=both",
        "/frame?aspect=1:1,16:9&width=200&format=html", "/faces?format=debug", "/faces?format=zip",
        "/faces?format=multipart", "/faces/1", "/faces/1?upright=true&format=png",
    ]

    private static let sources: [RedactionOracle.Source] = [
        "PNG with alpha 3 around a face", "APNG whose still image is not a frame", "GIF that begins transparent",
    ].compactMap { name in RedactionOracle.sources.first { $0.name == name } }

    @Test(arguments: sources)
    func `no face is found in any image, with cold, warm and shared caches`(
        source: RedactionOracle.Source
    ) async throws {
        let redis = try await RedisServer()
        var options = TestService.Options()
        options.caches = CacheConfiguration()
        options.caches.redisTimeout = .seconds(20)
        options.caches.redis = RedisAddress("unix:\(redis.path)")
        let origin = TestOrigin { _ in .file(source.bytes) }
        try await origin.running { [options] address in
            let image = "url=" + percentEncoded(address + "/a")
            try await TestService.running(model: .standard, options) { one in
                try await TestService.running(model: .standard, options) { other in
                    var shown = 0
                    for target in Self.targets {
                        let open = target + (target.contains("?") ? "&" : "?") + image
                        let redacted = open + "&redact=fill&redactFaces=all"
                        let plain = try await one.request("GET", open)
                        let cold = try await one.request("GET", redacted)
                        guard plain.status == 200, cold.status == 200 else {
                            #expect([404, 422].contains(cold.status), "\(target): \(cold.text)")
                            continue
                        }
                        #expect(cold.body != plain.body && cold["ETag"] != plain["ETag"], "\(target)")
                        let images = try await Self.images(in: cold, from: one)
                        for service in [one, one, other, other] {
                            let again = try await service.request("GET", redacted)
                            #expect(try await Self.images(in: again, from: service) == images, "\(target)")
                            #expect(try await service.request("GET", open).status == 200, "\(target)")
                        }
                        for image in images {
                            shown += 1
                            #expect(try RedactionOracle.faces(in: image) == 0, "\(target)")
                        }
                    }
                    #expect(shown >= Self.targets.count)
                    #expect(one.caches.redis?.writes ?? 0 > 0)
                }
            }
        }
        withExtendedLifetime(redis) {}
    }

    /// All images of a response: the response itself, its files or parts, and the images in its markup.
    private static func images(in reply: TestClient.Reply, from service: TestService) async throws -> [[UInt8]] {
        let type = reply["Content-Type"] ?? ""
        if type.hasPrefix("multipart/") {
            return try MultipartReader(reply.body, contentType: type).parts.map(\.content).filter(isImage)
        }
        if type == "application/zip" { return try ZIPReader(reply.body).entries.map(\.content).filter(isImage) }
        guard type.hasPrefix("text/html") else { return [reply.body] }
        var images: [[UInt8]] = []
        for piece in reply.text.split(whereSeparator: { "\", \n".contains($0) }) where piece.hasPrefix("/frame?") {
            let address = piece.split(separator: "&amp;", omittingEmptySubsequences: false).joined(separator: "&")
            let shown = try await service.request("GET", address)
            try #require(shown.status == 200, "\(address): \(shown.text)")
            images.append(shown.body)
        }
        return images
    }

    private static func isImage(_ bytes: [UInt8]) -> Bool { OutputFormat.sniff(bytes) != nil }
}
