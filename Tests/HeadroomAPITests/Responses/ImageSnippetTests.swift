import Geometry
import HeadroomAPI
import Imaging
import Pipeline
import Requests
import TestHTTP
import TestPacing
import TestImages
import Testing
import Workers

/// `format=html`: the markup and its escaping.
@Suite(.limitedConcurrency) struct ImageSnippetTests {
    private static let image = Result { try DrawnImage(width: 1500, height: 1000).jpeg() }

    /// The markup for a centre crop of an image with 1500×1000 pixels.
    private func html(_ pairs: [(String, String)]) async throws -> String {
        let pairs = pairs.map { (name: $0.0, value: $0.1) }
        let parameters = try FrameParameters(pairs, known: Parameter.all)
        let service = try WorkerService(
            model: ScriptedDetector().model,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 1, maxBytesInFlight: 256 << 20)
        )
        let job = Negotiation(.html, accept: nil, route: .frame)
            .job(source: SourceBytes(try Self.image.get()), parameters: parameters)
        return ImageSnippet(try await service.run(job).plan, parameters: parameters).html
    }

    private let url = ("url", "https://a.example/b.jpg")

    @Test func `one aspect ratio yields an image in several widths`() async throws {
        let html = try await html([url, ("gravity", "largest"), ("aspect", "3:2")])
        func address(_ width: Int) -> String {
            "/frame?url=https%3A%2F%2Fa.example%2Fb.jpg&amp;aspect=3%3A2&amp;gravity=largest&amp;width=\(width)"
        }
        #expect(
            html == """
                <img src="\(address(1200))" srcset="\(address(400)) 400w, \(address(800)) 800w, \(address(1200)) 1200w" \
                sizes="100vw" width="1200" height="800" style="max-width: 100%; height: auto" alt="">

                """
        )
    }

    @Test func `several aspect ratios yield sources with media queries, the widest first`() async throws {
        let html = try await html([url, ("aspect", "1:2,3:2,1:1,1.5")])
        let lines = html.split(separator: "\n").map(String.init)
        #expect(lines.count == 5)
        #expect(lines.first == "<picture>" && lines.last == "</picture>")
        #expect(lines[1].hasPrefix("  <source media=\"(min-aspect-ratio: 1225/1000)\""))
        #expect(lines[1].contains("aspect=3%3A2"))
        #expect(lines[2].hasPrefix("  <source media=\"(min-aspect-ratio: 707/1000)\""))
        #expect(lines[3].hasPrefix("  <img src="))
        #expect(lines[3].contains("aspect=1%3A2"))
    }

    @Test func `orientation selects between a landscape and a portrait crop`() async throws {
        let html = try await html([url, ("aspect", "3:2,1:2")])
        #expect(html.contains("<source media=\"(orientation: landscape)\""))
    }

    @Test func `no width exceeds the width of the crop`() async throws {
        let square = try await html([url, ("aspect", "1:1")])
        #expect(square.contains("width=400 400w") && square.contains("width=800 800w"))
        #expect(square.contains("width=1000 1000w") && !square.contains("1200"))
        let tall = try await html([url, ("aspect", "1:4")])
        #expect(
            tall.contains("srcset=\"/frame?url=https%3A%2F%2Fa.example%2Fb.jpg&amp;aspect=1%3A4&amp;width=250 250w\"")
        )
        #expect(tall.contains("width=\"250\" height=\"1000\""))
    }

    @Test func `a requested width is offered at single and double pixel density`() async throws {
        let asked = try await html([url, ("aspect", "1:2"), ("width", "200"), ("quality", "70")])
        #expect(asked.contains("quality=70&amp;width=200 200w") && asked.contains("width=400 400w\" sizes=\"200px\""))
        let large = try await html([url, ("aspect", "1:2"), ("width", "300")])
        #expect(large.contains("width=500 500w\" sizes=\"300px\""))
        let dense = try await html([url, ("aspect", "1:1"), ("height", "100"), ("dpr", "2")])
        #expect(dense.contains("width=100 100w") && dense.contains("width=200 200w") && !dense.contains("dpr"))
        let enlarged = try await html([url, ("aspect", "1:2"), ("width", "900"), ("enlarge", "true")])
        #expect(enlarged.contains("width=500 500w") && !enlarged.contains("900"))
    }

    @Test func `the browser crops an image that has no URL`() async throws {
        #expect(
            try await html([("gravity", "point:0.25,0.9"), ("aspect", "1:1,3:1")]) == """
                <img src="your-picture.jpg" style="width: 100%; height: auto; aspect-ratio: 1000 / 1000; \
                object-fit: cover; object-position: 0% 50%" alt="">
                <img src="your-picture.jpg" style="width: 100%; height: auto; aspect-ratio: 1500 / 500; \
                object-fit: cover; object-position: 50% 100%" alt="">

                """
        )
    }

    @Test(arguments: [
        "https://a.example/\"><script>alert(1)</script>", "https://a.example/' onerror='alert(1)",
        "https://a.example/?a=1&lt;&b=2, https://b.example/ 2x", "https://a.example/\u{0}\u{2028}ü<!--",
    ])
    func `a URL cannot close its attribute`(url: String) async throws {
        let html = try await html([("url", url), ("aspect", "3:2,1:2")])
        let plain = Set("<>\"=/ ?&;%.,:()_-\n").union("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        #expect(html.allSatisfy { plain.contains($0) })
        #expect(html.count { $0 == "<" } == 4)
        #expect(html.count { $0 == ">" } == 4)
        #expect(!html.contains("script>") && !html.contains("onerror="))
    }

    @Test func `the service sends markup with a restrictive policy`() async throws {
        let service = try TestService.dlib.get()
        let body = try Images.pairJPEG.get()
        let reply = try await service.request("POST", "/frame?format=html&aspect=16:9,1:1&accuracy=low", body: body)
        #expect(reply["Content-Type"] == "text/html; charset=utf-8")
        #expect(reply["Content-Security-Policy"] == "default-src 'none'; sandbox")
        #expect(reply["Headroom-Decision"] == "faces")
        #expect(reply.text.hasPrefix("<img src=\"your-picture.jpg\""))
        let zoomed = try await service.request("POST", "/frame?format=html&zoom=0.5", body: body)
        #expect(zoomed.status == 400)
    }

    @Test func `every URL in the markup returns the crop that its attributes describe`() async throws {
        let service = try TestService.dlib.get()
        try await TestOrigin.running(["/a.jpg": .file(try Images.pairJPEG.get())]) { origin in
            let url = percentEncoded("\(origin)/a.jpg?x=1&y='2'")
            let target = "/frame?format=html&aspect=16:9,1:1&accuracy=low&url=\(url)"
            let html = try await service.request("GET", target).text
            let addresses = html.split(separator: "\"").filter { $0.contains("/frame?") }
                .flatMap { $0.split(separator: ",").map { String($0.split(separator: " ")[0]) } }
                .map { $0.replacing("&amp;", with: "&") }
            #expect(addresses.count == 4)
            for address in addresses {
                let reply = try await service.request("GET", address)
                #expect(reply.status == 200, "\(address) \(reply.text)")
                let width = try #require(Int(address.split(separator: "=").last ?? ""))
                #expect(try ImageHeader.read(reply.body).size.width == width)
            }
        }
    }
}
