import Fetching
import Geometry
import HTTPServer
import HTTPTypes
import HeadroomAPI
import Imaging
import TestHTTP
import TestPacing
import TestImages
import Testing

/// Chroma keys and backdrops over HTTP.
@Suite(.limitedConcurrency) struct BackdropRouteTests {
    private static let size = PixelSize(width: 60, height: 40)
    private let scene: [UInt8]
    private let red: [UInt8]
    private let blue: [UInt8]

    init() throws {
        func file(_ color: @escaping (_ x: Int) -> TestImage.RGB) throws -> [UInt8] {
            try ImageEncoder.encode(TestImage.rgb(Self.size) { x, _ in color(x) }, as: .png)
        }
        scene = try file { $0 < 30 ? (0, 177, 64) : (128, 128, 128) }
        red = try file { _ in (200, 10, 10) }
        blue = try file { _ in (10, 10, 200) }
    }

    private func color(_ reply: TestClient.Reply, _ x: Int) throws -> [Int] {
        let image = try ImageDecoder.decode(reply.body, header: ImageHeader.read(reply.body))
        return image.planes.map { Int($0[x: x, y: 20]) }
    }

    private static let target = "/frame?gravity=center&format=png&chromaKey=00b140"

    @Test func `the backdrop image is fetched, and the response depends on its bytes`() async throws {
        let files = ["/scene.png": scene, "/red.png": red, "/blue.png": blue, "/red-again.png": red]
        let origin = TestOrigin { request in files[request.path].map { .file($0) } ?? .init(status: .notFound) }
        var options = TestService.Options()
        options.caches = CacheConfiguration()
        try await TestService.running(ScriptedDetector(), options) { service in
            try await origin.running { address in
                func target(_ name: String) -> String {
                    Self.target + "&url=" + percentEncoded(address + "/scene.png") + "&backdropUrl="
                        + percentEncoded(address + "/\(name).png")
                }
                let onRed = try await service.request("GET", target("red"))
                #expect(try onRed.status == 200 && color(onRed, 5) == [200, 10, 10])
                #expect(try color(onRed, 50) == [128, 128, 128])
                let onBlue = try await service.request("GET", target("blue"))
                #expect(try color(onBlue, 5) == [10, 10, 200])
                #expect(onRed["ETag"] != onBlue["ETag"])
                let same = try await service.request("GET", target("red-again"))
                #expect(same["ETag"] == onRed["ETag"] && same.body == onRed.body)
                #expect(same["Cache-Status"] == "headroom; hit")
                #expect(origin.requests.count == 4)
            }
        }
    }

    @Test func `an upload can have a backdrop`() async throws {
        let responses = ["/red.png": TestOrigin.Response.file(red)]
        try await TestService.running { service in
            try await TestOrigin.running(responses) { origin in
                let target = Self.target + "&backdropUrl=" + percentEncoded(origin + "/red.png")
                let reply = try await service.request("POST", target, body: scene)
                #expect(try color(reply, 5) == [200, 10, 10])
            }
        }
    }

    @Test func `backdropUrl has the same rules as url`() async throws {
        let responses = ["/scene.png": TestOrigin.Response.file(scene), "/text.png": .file(Array("no image".utf8))]
        try await TestService.running { service in
            try await TestOrigin.running(responses) { origin in
                let url = "&url=" + percentEncoded(origin + "/scene.png") + "&backdropUrl="
                let cases = [
                    (percentEncoded(origin + "/none.png"), 404), (percentEncoded(origin + "/text.png"), 415),
                    ("ftp%3A%2F%2Fexample.com%2Fa.png", 400),
                ]
                for (backdrop, status) in cases {
                    let reply = try await service.request("GET", Self.target + url + backdrop)
                    #expect(reply.status == status)
                    let text = String(decoding: reply.body, as: UTF8.self)
                    #expect(text.contains("The backdrop: ") || text.contains("backdropUrl"), "\(text)")
                }
            }
        }
        var options = TestService.Options()
        options.allowsPrivateSources = false
        try await TestService.running(ScriptedDetector(), options) { service in
            try await TestOrigin.running(responses) { origin in
                let target = Self.target + "&backdropUrl=" + percentEncoded(origin + "/scene.png")
                let reply = try await service.request("POST", target, body: scene)
                #expect(reply.status == 404)
            }
        }
    }

    @Test(arguments: [
        ("public, max-age=100, immutable", "max-age=5", "max-age=5"),
        ("max-age=100", "private, max-age=200", "max-age=100, private"),
        ("max-age=100", "no-store", "no-store"), ("s-maxage=50, max-age=100", "max-age=20", "s-maxage=20, max-age=20"),
    ])
    func `the stricter Cache-Control of the two origins applies`(
        source: String,
        behind: String,
        both: String
    ) async throws {
        let files = ["/scene.png": (scene, source), "/red.png": (red, behind)]
        let origin = TestOrigin { request in
            files[request.path].map { .init(status: .ok, headers: [.cacheControl: $0.1], body: $0.0) }
                ?? .init(status: .notFound)
        }
        var options = TestService.Options()
        options.caching = CachingPolicy(followsOrigin: true)
        try await TestService.running(ScriptedDetector(), options) { service in
            try await origin.running { address in
                let target =
                    Self.target + "&url=" + percentEncoded(address + "/scene.png") + "&backdropUrl="
                    + percentEncoded(address + "/red.png")
                let reply = try await service.request("GET", target)
                #expect(reply["Cache-Control"] == both)
            }
        }
    }

    @Test func `a plan fetches no backdrop`() async throws {
        let origin = TestOrigin { _ in .init(status: .internalServerError) }
        try await TestService.running { service in
            try await origin.running { address in
                let target =
                    "/frame?gravity=center&format=json&chromaKey=auto&backdropUrl=" + percentEncoded(address + "/a.png")
                let reply = try await service.request("POST", target, body: scene)
                #expect(reply.status == 200)
            }
            #expect(origin.requests.isEmpty)
        }
    }

    @Test func `parameters that cannot be combined are rejected by name`() async throws {
        try await TestService.running { service in
            let cases = [
                ("tolerance=0.3", "tolerance"), ("spill=0", "spill"), ("backdrop=blur", "backdrop"),
                ("backdropUrl=http%3A%2F%2Fh%2Fa.png", "backdropUrl"), ("chromaKey=808080", "chromaKey"),
                ("chromaKey=green", "chromaKey"),
                ("chromaKey=auto&backdrop=transparent", "backdrop"), ("chromaKey=auto&tolerance=0.91", "tolerance"),
                ("chromaKey=auto&spill=2", "spill"), ("chromaKey=auto&format=jpeg", "format"),
                ("chromaKey=auto&backdrop=fff&backdropUrl=http%3A%2F%2Fh%2Fa.png", "backdropUrl"),
                ("chromaKey=auto&losslessCrop=true", "losslessCrop"), ("filter=mono&losslessCrop=true", "losslessCrop"),
            ]
            for (query, name) in cases {
                let reply = try await service.request("POST", "/frame?\(query)", body: scene)
                #expect(reply.status == 400, "\(query)")
                #expect(String(decoding: reply.body, as: UTF8.self).contains("\"\(name)\""), "\(query)")
            }
            let html = try await service.request("POST", "/frame?format=html&chromaKey=auto", body: scene)
            #expect(html.status == 400)
            for query in [
                "chromaKey=auto&format=jpeg&backdrop=fff", "chromaKey=auto&format=jpeg&background=fff",
                "chromaKey=auto&format=gif",
            ] {
                let reply = try await service.request("POST", "/frame?\(query)&gravity=center", body: scene)
                #expect(reply.status == 200)
            }
        }
    }
}
