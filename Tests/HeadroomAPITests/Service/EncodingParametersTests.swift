import Geometry
import Imaging
import TestHTTP
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct EncodingParametersTests {
    private let image = Result {
        try ImageEncoder.encode(
            try TestImage.colorNoise(PixelSize(width: 200, height: 150), seed: 3),
            as: .jpeg,
            quality: 95
        )
    }

    @Test(arguments: ["jpeg", "webp"] + (OutputFormat(rawValue: "avif").map { [$0.rawValue] } ?? []))
    func `maxBytes limits the size of an image, and a header reports its quality`(format: String) async throws {
        try await TestService.running { service in
            let image = try image.get()
            let target = "/frame?gravity=center&format=\(format)"
            let free = try await service.request("POST", target, body: image)
            #expect(free.status == 200 && free["Headroom-Quality"] == nil)
            let limit = free.body.count * 3 / 4
            let reply = try await service.request("POST", "\(target)&maxBytes=\(limit)", body: image)
            #expect(reply.status == 200 && reply.body.count <= limit && reply.body.count > limit / 2)
            let quality = try #require(reply["Headroom-Quality"].flatMap { Int($0) })
            #expect((20..<82).contains(quality))
            let refused = try await service.request("POST", "\(target)&maxBytes=300", body: image)
            #expect(refused.status == 422)
            #expect(refused.text.contains("the limit of 300 bytes"))
        }
    }

    @Test(arguments: [
        ("chroma=444", 200), ("chroma=420&format=webp", 200), ("chroma=444&format=webp", 400), ("chroma=422", 400),
        ("chroma=444&format=png", 400), ("progressive=true", 200), ("progressive=true&format=png", 400),
        ("progressive=false&format=png", 200), ("maxBytes=0", 400), ("maxBytes=1e6", 400), ("maxBytes=100000", 200),
        ("maxBytes=1&losslessCrop=true", 400), ("chroma=444&losslessCrop=true", 400),
    ])
    func `values are validated`(query: String, status: Int) async throws {
        try await TestService.running { service in
            let reply = try await service.request("POST", "/frame?gravity=center&\(query)", body: image.get())
            #expect(reply.status == status, "\(reply.text.prefix(300))")
            if query == "chroma=444" {
                #expect(try ImageHeader.read(reply.body).colorModel == .ycbcr(.none))
            }
            if query == "progressive=true" { #expect(try ImageHeader.read(reply.body).isProgressive) }
        }
    }
}
