import Addresses
import Cryptography
import Encodings
import Fetching
import Geometry
import HTTPTypes
import HeadroomAPI
import Imaging
import Requests
import TestHTTP
import TestImages
import TestPacing
import Testing

/// Fallback images for missing sources.
@Suite(.limitedConcurrency) struct FallbackImageTests {
    private let blank: [UInt8]

    init() throws { blank = try Images.blankPNG.get() }

    private func options(_ missing: [UInt8]?) -> TestService.Options {
        var options = TestService.Options()
        options.missingImage = missing.flatMap { FallbackImage($0) }
        options.urlFormats.names = URLFormatName.allCases
        options.caches = CacheConfiguration()
        return options
    }

    private let responses: [String: TestOrigin.Response] = [
        "/gone.png": .init(status: .gone), "/broken.png": .init(status: .internalServerError),
        "/empty.png": .file([]),
    ]

    private func check(_ reply: TestClient.Reply, width: Int = 20) throws {
        #expect(reply.status == 200)
        #expect(try ImageHeader.read(reply.body).size.width == width)
        #expect(reply["Headroom-Degraded"] == "missing-source")
        #expect(reply["Cache-Control"]?.contains("max-age=60") == true)
        #expect(reply["ETag"] == nil)
    }

    @Test(arguments: ["/absent.png", "/gone.png", "/broken.png", "/empty.png"])
    func `the configured fallback image is cropped instead of a missing source`(path: String) async throws {
        try await TestService.running(ScriptedDetector(), options(blank)) { service in
            try await TestOrigin.running(responses) { origin in
                let target = "/frame?width=20&aspect=1:1&url=" + percentEncoded(origin + path)
                for condition in [[], [("If-None-Match", "*")]] {
                    let reply = try await service.request("GET", target, headers: condition)
                    try check(reply)
                }
                let metrics = try await service.request("GET", "/metrics").text
                #expect(metrics.contains("headroom_fallback_images_total{origin=\"setting\"} 2"))
            }
        }
    }

    @Test func `the status of fallback images is a setting`() async throws {
        for (setting, statuses) in [("404", [404, 404, 404]), ("error", [404, 502, 415]), ("200", [200, 200, 200])] {
            var options = options(blank)
            options.fallbackImageStatus = try #require(FallbackImageStatus(setting))
            let responses = self.responses.merging(["/text": .file(Array("text".utf8))]) { $1 }
            try await TestService.running(ScriptedDetector(), options) { service in
                try await TestOrigin.running(responses) { origin in
                    for (path, status) in zip(["/gone.png", "/broken.png", "/text"], statuses) {
                        // openapi.yaml does not describe an image with the status of a problem.
                        let client = try service.client()
                        try await client.send("GET", "/frame?width=20&url=" + percentEncoded(origin + path))
                        let reply = try await client.reply()
                        #expect(reply.status == status, "\(setting) \(path)")
                        #expect(try ImageHeader.read(reply.body).size.width == 20)
                        #expect(reply["Headroom-Degraded"] == "missing-source")
                        #expect(reply["Cache-Control"] == "public, max-age=60")
                    }
                }
            }
        }
    }

    @Test(arguments: ["", "201", "204", "304", "302", "401", "405", "407", "426", "600", "99", "0404", "ok", "-404"])
    func `statuses that need other fields or no body are rejected`(text: String) {
        #expect(FallbackImageStatus(text) == nil)
    }

    @Test func `the digest of the fallback image is computed when the setting is read`() throws {
        let fallbackImage = try #require(FallbackImage(blank))
        #expect(fallbackImage.digest == Hexadecimal.text(SHA256.digest(of: blank)))
    }

    @Test func `without a fallback image, a missing source is a problem for its image, plan and faces`() async throws {
        for missing in [nil, blank] {
            try await TestService.running(ScriptedDetector(), options(missing)) { service in
                try await TestOrigin.running(responses) { origin in
                    let url = percentEncoded(origin + "/absent.png")
                    let targets = ["/frame?format=json&url=", "/faces?url="] + (missing == nil ? ["/frame?url="] : [])
                    for target in targets {
                        let reply = try await service.request("GET", target + url)
                        #expect(reply.status == 404)
                    }
                }
            }
        }
    }

    /// Responses with status 200 whose body is not a decodable image.
    private static func broken() throws -> [String: [UInt8]] {
        let whole = try Images.singleJPEG.get()
        return [
            "/page": Array("<!DOCTYPE html><html><body>Log in</body></html>".utf8),
            "/text": Array("Not found".utf8), "/json": Array("{}".utf8),
            "/drawing.svg": Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8),
            "/cut.jpg": Array(whole.prefix(200)), "/cut.png": Array(try Images.blankPNG.get().prefix(40)),
            "/noise.jpg": Array(whole.prefix(20)) + [UInt8](repeating: 7, count: 500),
            "/document.pdf": Array("%PDF-1.7\n".utf8),
        ]
    }

    @Test func `the fallback image replaces pages, text and broken images with status 200`() async throws {
        let broken = try Self.broken()
        let responses = broken.mapValues { TestOrigin.Response.file($0) }
        try await TestService.running(ScriptedDetector(), options(blank)) { service in
            try await TestOrigin.running(responses) { origin in
                for path in broken.keys.sorted() {
                    let url = percentEncoded(origin + path)
                    for condition in [[], [("If-None-Match", "*")]] {
                        let target = "/frame?width=20&aspect=1:1&url=\(url)"
                        try check(await service.request("GET", target, headers: condition))
                    }
                    let plan = try await service.request("GET", "/frame?format=json&url=\(url)")
                    #expect(plan.status == 415 || plan.status == 422, "\(path)")
                }
            }
        }
        try await TestService.running(ScriptedDetector(), options(nil)) { [blank] service in
            var responses = responses
            responses["/stand/in.png"] = .file(blank)
            try await TestOrigin.running(responses) { origin in
                let other = percentEncoded(origin + "/stand/in.png")
                let page = percentEncoded(origin + "/page")
                let target = "/weserv/?w=20&h=20&fit=cover&url=\(page)&default="
                try check(await service.request("GET", target + other))
                // The fallback image is also broken.
                #expect(try await service.request("GET", target + page).status >= 400)
            }
        }
    }

    @Test func `the fallback image replaces no other problem`() async throws {
        let large = try ImageEncoder.encode(
            TestImage.gray(PixelSize(width: 2100, height: 2000)) { _, _ in 9 },
            as: .png
        )
        let responses = ["/large.png": TestOrigin.Response.file(large)]
        try await TestService.running(ScriptedDetector(), options(blank)) { service in
            try await TestOrigin.running(responses) { origin in
                // An oversized image must cause an error, so that the operator notices it.
                let page = try await service.request("GET", "/frame?url=" + percentEncoded(origin + "/large.png"))
                #expect(page.status == 422)
                let other = try await service.request("GET", "/frame?url=ftp://h/")
                #expect(other.status == 400)
            }
        }
    }

    @Test func `URLs of other services can name a fallback image, which has the rules of every source`() async throws {
        var responses = self.responses
        responses["/stand/in.png"] = .file(blank)
        try await TestService.running(ScriptedDetector(), options(nil)) { service in
            try await TestOrigin.running(responses) { origin in
                let (url, other) = (percentEncoded(origin + "/absent.png"), origin + "/stand/in.png")
                let encoded = Base64.text(Array(other.utf8)).replacing("=", with: "")
                try check(
                    await service.request(
                        "GET",
                        "/weserv/?w=20&h=20&fit=cover&url=\(url)&default=\(percentEncoded(other))"
                    )
                )
                let imgproxy = "/imgproxy/unsafe/rs:fill:20:20/fiu:\(encoded)/plain/\(url)"
                try check(await service.request("GET", imgproxy))
                // The fallback image is also missing.
                let missing = percentEncoded(origin + "/none.png")
                let reply = try await service.request("GET", "/weserv/?w=20&url=\(url)&default=\(missing)")
                #expect(reply.status == 404)
                let metrics = try await service.request("GET", "/metrics").text
                #expect(metrics.contains("headroom_fallback_images_total{origin=\"request\"} 2"))
            }
        }
    }

    @Test func `Cloudinary's default image is below the origin for uploads`() throws {
        let urlFormat = CloudinaryURLFormat(
            origin: try #require(OriginBase("https://example.com/uploads")) as OriginBase
        )
        func translate(_ options: String) throws -> Translation {
            try urlFormat.translate(ForeignURL(path: "/demo/image/upload/\(options)/a.jpg"))
        }
        #expect(
            try translate("c_fill,d_avatar.png,h_20,w_20").fallbackImage == "https://example.com/uploads/avatar.png"
        )
        #expect(
            try translate("d_people:some%20one.png/w_20").fallbackImage
                == "https://example.com/uploads/people/some%20one.png"
        )
        #expect(try translate("w_20").fallbackImage == nil)
        #expect(throws: Problem.self) { try translate("d_..:secret.png") }
        #expect(throws: Problem.self) {
            try CloudinaryURLFormat().translate(ForeignURL(path: "/demo/image/fetch/d_a.png/https://h/a.jpg"))
        }
    }

    @Test func `a fallback image must be an image`() {
        #expect(FallbackImage(Array("<html></html>".utf8)) == nil)
        #expect(FallbackImage(blank) != nil)
    }
}
