import Addresses
import Geometry
import HTTPTypes
import HeadroomAPI
import Imaging
import TestHTTP
import TestPacing
import Testing

/// URLs of hosted services and of Next.js, sent to a running service.
@Suite(.limitedConcurrency) struct HostedURLFormatTests {
    private func running(
        _ configure: (inout URLFormatConfiguration, _ origin: String) throws -> Void = { _, _ in },
        _ body: (TestService, _ origin: String) async throws -> Void
    ) async throws {
        let responses = [
            "/pair.jpg": TestOrigin.Response.file(try Images.pairJPEG.get()),
            "/media/blank.png": TestOrigin.Response.file(try Images.blankPNG.get()),
        ]
        try await TestOrigin.running(responses) { origin in
            var options = TestService.Options()
            options.urlFormats.names = [.imgix, .cloudinary, .cloudflare, .next, .shopify, .sanity]
            try configure(&options.urlFormats, origin)
            try await TestService.running(ScriptedDetector(), options) { try await body($0, origin) }
        }
    }

    /// The response to a URL, which openapi.yaml describes only by its prefix.
    private func get(_ service: TestService, _ target: String) async throws -> TestClient.Reply {
        let client = try service.client()
        try await client.send("GET", target)
        return try await client.reply()
    }

    private func size(_ reply: TestClient.Reply) throws -> PixelSize {
        try #require(reply.status == 200, "\(reply.text)")
        return try ImageHeader.read(reply.body).size
    }

    /// URLs and the sizes of their outputs, for an image of 640×400 pixels with two faces.
    private static let sizes: [(target: String, width: Int, height: Int)] = [
        ("/imgix/ENCODED?w=300&h=300&fit=crop&crop=faces", 300, 300),
        ("/imgix/ENCODED?w=1280", 1280, 800),
        ("/imgix/ENCODED?w=1280&fit=max", 640, 400),
        ("/imgix/ENCODED?w=800&h=800&fit=min", 400, 400),
        ("/imgix/ENCODED?w=100&h=100&fit=fill&bg=ff0000", 100, 100),
        ("/imgix/ENCODED?rect=0,0,200,100&w=100", 100, 50),
        ("/imgix/ENCODED?w=100&h=100&fit=facearea", 100, 100),
        ("/cloudinary/image/fetch/c_fill,g_face,h_200,w_300/f_auto/q_auto/PLAIN", 300, 200),
        ("/cloudinary/demo/image/fetch/c_lfill,w_800,h_100/PLAIN", 640, 100),
        ("/cloudinary/image/fetch/c_limit,w_800/PLAIN", 640, 400),
        ("/cloudinary/image/fetch/w_300,h_300/PLAIN", 300, 300),
        ("/cloudinary/image/fetch/c_thumb,g_face,w_90,h_90,dpr_2.0/PLAIN", 180, 180),
        ("/cloudinary/image/fetch/c_crop,x_10,y_20,w_200,h_100/w_100/a_90/PLAIN", 50, 100),
        ("/cdn-cgi/image/width=800/PLAIN", 640, 400),
        ("/cdn-cgi/image/width=200,height=200/ENCODED", 200, 125),
        ("/cdn-cgi/image/fit=crop,width=800,height=100,gravity=face/PLAIN", 640, 100),
        ("/cdn-cgi/image/fit=aspect-crop,width=1280,height=1280/PLAIN", 400, 400),
        ("/cdn-cgi/image/fit=squeeze,width=30,height=90/PLAIN", 30, 90),
        ("/cdn-cgi/image/fit=pad,width=30,height=90,rotate=90/PLAIN", 30, 90),
        ("/_next/image?url=ENCODED&w=320&q=75", 320, 200), ("/_next/image?url=ENCODED&w=1920&q=75", 640, 400),
        ("/shopify/PLAIN?width=320", 320, 200), ("/shopify/PLAIN?width=100&height=100&crop=top", 100, 100),
        ("/shopify/PLAIN?width=800&height=800", 400, 400), ("/shopify/PLAIN?width=90&height=30&pad_color=fff", 90, 30),
        ("/sanity/PLAIN?w=300&h=300&fit=crop", 300, 300), ("/sanity/PLAIN?w=1280", 1280, 800),
        ("/sanity/PLAIN?w=1280&fit=max", 640, 400), ("/sanity/PLAIN?w=100&or=90", 100, 160),
    ]

    @Test func `outputs have the same sizes as the outputs of the other service`() async throws {
        try await running { service, origin in
            let url = origin + "/pair.jpg"
            for (target, width, height) in Self.sizes {
                let target = target.replacing("ENCODED", with: percentEncoded(url)).replacing("PLAIN", with: url)
                let reply = try await get(service, target)
                #expect(try size(reply) == PixelSize(width: width, height: height), "\(target)")
            }
        }
    }

    @Test func `URLs of named sources are below their origins`() async throws {
        try await running { urlFormats, origin in
            urlFormats[ImgixURLFormat.self].sources = try #require(ImgixSources("shop=\(origin)/media"))
            urlFormats[CloudinaryURLFormat.self].origin = OriginBase(origin)
            urlFormats[CloudflareURLFormat.self].origin = OriginBase(origin)
            urlFormats[SanityURLFormat.self].origin = OriginBase(origin)
        } _: { service, origin in
            for target in [
                "/imgix/shop/blank.png?w=64", "/cloudinary/image/upload/w_64/v1/media/blank.png",
                "/cdn-cgi/image/w=64/media/blank.png", "/sanity/media/blank.png?w=64",
            ] {
                let reply = try await get(service, target)
                #expect(try size(reply) == PixelSize(width: 64, height: 48), "\(target)")
                #expect(reply["Content-Type"] == "image/png")
                // The response must not reveal the origin to clients.
                #expect(reply["Cache-Tag"]?.wholeMatch(of: /source-[0-9a-f]{16}/) != nil && reply["Link"] == nil)
            }
            let whole = "/imgix/\(percentEncoded(origin + "/pair.jpg"))"
            for target in [whole, "/imgix/shop/../pair.jpg", "/imgix/x/a.png"] {
                let status = try await get(service, target).status
                #expect([400, 404].contains(status), "\(target)")
            }
        }
    }

    @Test func `signatures are required if keys are configured`() async throws {
        try await running { urlFormats, _ in
            urlFormats[ImgixURLFormat.self].tokens = try ImgixTokens(
                "FOO123bar",
                of: urlFormats[ImgixURLFormat.self].sources
            )
            urlFormats[CloudinaryURLFormat.self].secrets = try Secret.list("abcdefgh", lengths: Secret.foreignLengths)
        } _: { service, origin in
            let url = origin + "/pair.jpg"
            let path = "/" + percentEncoded(url)
            let unsigned = try await get(service, "/imgix\(path)?w=64")
            #expect(unsigned.status == 403)
            let wrong = try await get(service, "/imgix\(path)?w=64&s=00112233445566778899aabbccddeeff")
            #expect(wrong.status == 403)
            let fetched = try await get(service, "/cloudinary/image/fetch/w_64/\(url)")
            #expect(fetched.status == 401)
            #expect(fetched["X-Cld-Error"] == "The signature is invalid for this URL.")
            #expect(try await get(service, "/cdn-cgi/image/w=64/\(url)").status == 200)
        }
    }

    @Test func `problems and ignored options are reported`() async throws {
        try await running { service, origin in
            let url = origin + "/pair.jpg"
            let ignored = try await get(service, "/imgix/\(percentEncoded(url))?w=9&nr=10&utm=x")
            #expect(ignored["Headroom-Ignored"] == "nr, utm")
            let effect = try await get(service, "/cloudinary/image/fetch/e_cartoonify/\(url)")
            #expect(effect.status == 501)
            #expect(effect["X-Cld-Error"] == "The option e_cartoonify (effect) is not supported.")
            let option = try await get(service, "/cdn-cgi/image/width=wide/\(url)")
            #expect(option.status == 400)
            #expect(option["Cf-Resized"] == "err=9401")
            let absent = try await get(service, "/cdn-cgi/image/width=9/\(url)x")
            #expect(absent.status == 404)
            #expect(absent["Cf-Resized"] == "err=9404")
            let expired = try await get(service, "/imgix/\(percentEncoded(url))?w=9&expires=1")
            #expect(expired.status == 404)
        }
    }

    @Test func `Cloudflare's JSON has Cloudflare's structure`() async throws {
        try await running { service, origin in
            let target = "/cdn-cgi/image/width=64,rotate=90,fit=scale-down,format=json/\(origin)/pair.jpg"
            let reply = try await get(service, target)
            #expect(reply.status == 200)
            let expected =
                #"{"height":102,"original":{"format":"image/jpeg","height":400,"width":640},"width":64}"# + "\n"
            #expect(reply.text == expected)
        }
    }
}
