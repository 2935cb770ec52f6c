import Addresses
import Cryptography
import Encodings
import FaceDetection
import Fetching
import Geometry
import HTTPTypes
import Imaging
import TestHTTP
import TestImages
import TestPacing
import Testing

import HeadroomAPI

/// URLs of other services on real sockets.
@Suite(.limitedConcurrency) struct URLFormatRouteTests {
    private let blank: [UInt8]

    init() throws { blank = try Images.blankPNG.get() }

    private static func secrets(_ text: String) throws -> [Secret] {
        try Secret.list(text, lengths: Secret.foreignLengths)
    }

    /// Runs a service with URL formats, and an origin with `/a.png`.
    private func running(
        _ urlFormats: URLFormatConfiguration,
        access: AccessPolicy = AccessPolicy(),
        caches: CacheConfiguration = .none,
        _ body: @escaping @Sendable (TestService, String) async throws -> Void
    ) async throws {
        var options = TestService.Options()
        (options.urlFormats, options.access, options.caches) = (urlFormats, access, caches)
        let responses = ["/a.png": TestOrigin.Response.file(blank)]
        try await TestService.running(ScriptedDetector(), options) { service in
            try await TestOrigin.running(responses) { origin in try await body(service, origin + "/a.png") }
        }
    }

    private func configuration(_ names: [URLFormatName] = [.thumbor, .imgproxy]) -> URLFormatConfiguration {
        var configuration = URLFormatConfiguration()
        configuration.names = names
        return configuration
    }

    @Test func `URLs of other services get 404 unless their format is enabled`() async throws {
        try await running(configuration([.thumbor])) { service, url in
            for (target, status) in [
                ("/thumbor/unsafe/50x/\(url)", 200), ("/imgproxy/_/w:50/plain/\(url)", 404), ("/thumbor", 404),
            ] {
                let reply = try await service.request("GET", target)
                #expect(reply.status == status, "\(target)")
            }
        }
    }

    @Test func `thumbor's paths are resolved like imgproxy's paths if there is a base URL`() async throws {
        let responses = ["/photos/people/a.png": TestOrigin.Response.file(blank)]
        try await TestOrigin.running(responses) { origin in
            var options = TestService.Options()
            options.urlFormats = configuration()
            for base in [nil, "\(origin)/photos/"] {
                options.base = try base.map { try BaseURL($0) }
                try await TestService.running(ScriptedDetector(), options) { service in
                    for (path, isRelative) in [
                        ("thumbor/unsafe/50x/people/a.png", true), ("thumbor/unsafe/50x//people/a.png", true),
                        ("imgproxy/_/w:50/plain/people/a.png", true),
                        ("thumbor/unsafe/50x/\(origin)/photos/people/a.png", false),
                        ("thumbor/unsafe/50x/\(origin.dropFirst("http://".count))/photos/people/a.png", false),
                    ] {
                        let reply = try await service.request("GET", "/\(path)")
                        #expect((reply.status == 200) == (!isRelative || base != nil), "\(path) \(reply.text)")
                    }
                }
            }
        }
    }

    @Test(arguments: ["cloudinary", "cloudflare"])
    func `an automatic format can contain a long image`(service name: String) async throws {
        let size = PixelSize(width: 40, height: 17_000)
        let long = try ImageEncoder.encode(try TestImage.gray(size) { _, y in UInt8(truncatingIfNeeded: y) }, as: .jpeg)
        let target = [
            "cloudinary": "/cloudinary/demo/image/fetch/f_auto/", "cloudflare": "/cdn-cgi/image/format=auto/",
        ][
            name
        ]
        var options = TestService.Options()
        options.urlFormats = configuration([.cloudinary, .cloudflare])
        try await TestService.running(ScriptedDetector(), options) { service in
            try await TestOrigin.running(["/a.jpg": TestOrigin.Response.file(long)]) { origin in
                for accept in [Self.browser, "image/webp,*/*"] {
                    for path in [
                        try #require(target) + origin + "/a.jpg", "/frame?url=" + percentEncoded(origin + "/a.jpg"),
                    ] {
                        let reply = try await service.request("GET", path, headers: [("Accept", accept)])
                        #expect(reply.status == 200 && reply["Content-Type"] != "image/webp", "\(path) \(reply.text)")
                    }
                }
                let only = try await service.request(
                    "GET",
                    "/frame?url=" + percentEncoded(origin + "/a.jpg"),
                    headers: [("Accept", "image/webp")]
                )
                #expect(only.status == 422 && only.text.contains("16383 pixels per side"), "\(only.text)")
            }
        }
    }

    private static let browser = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"

    @Test func `sizes are the same as from the other service`() async throws {
        // The source has 320×240 pixels.
        let sizes: [(String, PixelSize)] = [
            ("thumbor/unsafe/", PixelSize(width: 320, height: 240)),
            ("thumbor/unsafe/50x50/", PixelSize(width: 50, height: 50)),
            ("thumbor/unsafe/640x/", PixelSize(width: 640, height: 480)),
            ("thumbor/unsafe/fit-in/100x100/", PixelSize(width: 100, height: 75)),
            ("thumbor/unsafe/full-fit-in/100x100/", PixelSize(width: 133, height: 100)),
            ("thumbor/unsafe/adaptive-fit-in/60x100/", PixelSize(width: 80, height: 60)),
            ("thumbor/unsafe/fit-in/100x100/filters:fill(red)/", PixelSize(width: 100, height: 100)),
            ("thumbor/unsafe/1000x1000/filters:no_upscale()/", PixelSize(width: 320, height: 240)),
            ("thumbor/unsafe/10x10:110x60/", PixelSize(width: 100, height: 50)),
            ("imgproxy/_/rs:fill:1000:1000/plain/", PixelSize(width: 320, height: 240)),
            ("imgproxy/_/rs:fill:600:100/plain/", PixelSize(width: 320, height: 100)),
            ("imgproxy/_/rs:fill-down:600:600/plain/", PixelSize(width: 240, height: 240)),
            ("imgproxy/_/rs:fit:100:100/plain/", PixelSize(width: 100, height: 75)),
            ("imgproxy/_/c:100:60:soea/plain/", PixelSize(width: 100, height: 60)),
        ]
        try await running(configuration()) { service, url in
            for (path, size) in sizes {
                let reply = try await service.request("GET", "/\(path)\(url)")
                #expect(reply.status == 200, "\(path) \(reply.text)")
                #expect(try ImageHeader.read(reply.body).size == size, "\(path)")
                #expect(reply["content-type"] == "image/png", "\(path)")
            }
        }
    }

    @Test func `with a key, the other service's signature is required even if access is open`() async throws {
        var urlFormats = configuration()
        urlFormats[ThumborURLFormat.self].keys = try Self.secrets("MY_SECURE_KEY")
        try await running(urlFormats) { service, url in
            #expect(try await service.request("GET", "/thumbor/unsafe/50x/\(url)").status == 400)
            let key = Array("MY_SECURE_KEY".utf8)
            let code = MessageDigest.sha1.authenticationCode(of: Array("50x/\(url)".utf8), key: key)
            let reply = try await service.request("GET", "/thumbor/\(Base64.text(code))/50x/\(url)")
            #expect(reply.status == 200, "\(reply.text)")
            // The other service's signature does not cover versions.
            #expect(reply["cache-control"]?.contains("immutable") == false)
            #expect(try await service.request("GET", "/frame?width=50&url=\(percentEncoded(url))").status == 200)
        }
    }

    @Test func `without a key, unsigned URLs do not bypass credentials`() async throws {
        for access in [Credentials.signing(), Credentials.bearing(), Credentials.bearing(andSigning: true)] {
            try await running(configuration(), access: access) { service, url in
                for path in ["/thumbor/unsafe/50x/\(url)", "/imgproxy/_/w:50/plain/\(url)"] {
                    let reply = try await service.request("GET", path)
                    #expect(reply.status == (access.bearerSecrets.isEmpty ? 403 : 401), "\(path)")
                    let bearer = [("Authorization", "Bearer \(Credentials.bearer)")]
                    let status = try await service.request("GET", path, headers: bearer).status
                    #expect(status == (access.bearerSecrets.isEmpty ? 403 : 200), "\(path)")
                }
            }
        }
    }

    @Test func `methods, validators and caches work the same way as for crops`() async throws {
        try await running(configuration(), caches: CacheConfiguration()) { service, url in
            let path = "/thumbor/unsafe/50x/filters:quality(best)/\(url)"
            let first = try await service.request("GET", path)
            #expect(first.status == 200 && first["headroom-ignored"] == "quality")
            let again = try await service.request("GET", path)
            #expect(again.body == first.body && again["headroom-ignored"] == "quality")
            #expect(again["cache-status"]?.contains("hit") == true)
            let tag = try #require(first["etag"])
            #expect(try await service.request("GET", path, headers: [("If-None-Match", tag)]).status == 304)
            #expect(try await service.request("HEAD", path).status == 200)
            #expect(try await service.request("OPTIONS", path).status == 204)
            #expect(try await service.request("POST", path, body: blank).status == 405)
            #expect(
                service.metric("headroom_http_requests_total{route=\"thumbor\",method=\"GET\",status=\"200\"}") == 2
            )
            let other = try await service.request("GET", "/thumbor/unsafe/51x/\(url)")
            #expect(other["etag"] != tag)
        }
    }

    @Test func `statuses are the same as from the other service`() async throws {
        try await running(configuration()) { service, url in
            let missing = url.replacing("a.png", with: "b.png")
            for (path, status) in [
                ("/thumbor/unsafe/50x/\(missing)", 404), ("/imgproxy/_/w:50/plain/\(missing)", 404),
                ("/imgproxy/_/nonsense:1/plain/\(url)", 404), ("/imgproxy/_/pixelate:5/plain/\(url)", 501),
                ("/imgproxy/_/exp:1/plain/\(url)", 404), ("/thumbor/unsafe/filters:expire(1)/\(url)", 410),
                ("/imgproxy/_/w:20000/plain/\(url)", 404), ("/thumbor/unsafe/20000x1/\(url)", 400),
            ] {
                let reply = try await service.request("GET", path)
                #expect(reply.status == status, "\(path) \(reply.text)")
            }
        }
    }

    @Test func `meta returns thumbor's document`() async throws {
        try await running(configuration()) { service, url in
            let reply = try await service.request("GET", "/thumbor/unsafe/meta/100x100/\(url)")
            #expect(reply.status == 200 && reply["content-type"] == "application/json")
            let meta = try JSONValue(json: reply.body)["thumbor"]
            #expect(meta["target"]["width"].integer == 100 && meta["target"]["height"].integer == 100)
            #expect(meta["operations"].elements.compactMap { $0["type"].string } == ["crop", "resize"])
            #expect(meta["source"]["url"].string?.hasPrefix("http%3A//") == true)
            #expect(meta["focal_points"].elements.compactMap { $0["origin"].string } == ["alignment"])
        }
    }

    @Test func `meta lists the faces inside the cut area, relative to its corner`() async throws {
        var options = TestService.Options()
        options.urlFormats = configuration()
        let responses = ["/a.jpg": TestOrigin.Response.file(try Images.pairJPEG.get())]
        try await TestService.running(model: .dlib, options) { service in
            try await TestOrigin.running(responses) { origin in
                func points(_ part: String) async throws -> [JSONValue] {
                    let target = "/thumbor/unsafe/meta/\(part)smart/\(origin)/a.jpg"
                    let reply = try await service.request("GET", target)
                    return try JSONValue(json: reply.body)["thumbor"]["focal_points"].elements
                }
                let all = try await points("")
                #expect(all.count == 2)
                // The larger face has its centre at (505, 205).
                let cut = try await points("340x60:640x400/")
                #expect(cut.count == 1)
                let (x, y) = (try #require(cut.first?["x"].double), try #require(cut.first?["y"].double))
                #expect(abs(x - 165) < 20 && abs(y - 145) < 20, "\(x), \(y)")
            }
        }
    }
}
