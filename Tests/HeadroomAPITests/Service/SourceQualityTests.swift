import Geometry
import Imaging
import TestHTTP
import TestPacing
import TestImages
import Testing

/// `quality=source` and `losslessCrop=true` on real sockets.
@Suite(.limitedConcurrency) struct SourceQualityTests {
    private let service: TestService
    private let image: [UInt8]

    init() throws {
        service = try TestService.dlib.get()
        image = try Images.pairJPEG.get()
    }

    private func decoded(_ bytes: [UInt8]) throws -> PlanarImage {
        try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
    }

    @Test(arguments: [
        "aspect=1:1", "aspect=4:3&zoom=0.3", "aspect=16:9&gravity=point:0.4,0.6", "aspect=2:3&gravity=right",
    ])
    func `a lossless crop has the source's pixels inside the plan's rectangle`(query: String) async throws {
        let target = "/frame?accuracy=low&losslessCrop=true&\(query)"
        let plan = try await service.document("\(target)&format=json", posting: image)
        let rect = plan["crop"].rect
        let reply = try await service.request("POST", target, headers: [("Accept", "image/webp")], body: image)
        #expect(reply.status == 200 && reply["Content-Type"] == "image/jpeg")
        let (source, result) = (try decoded(image), try decoded(reply.body))
        #expect(result.size == rect.size && plan["crops"][0]["output"]["width"].integer == rect.width)
        let luma = source.planes[0]
        let expected = try Plane(rect.size) { luma[x: rect.x + $0, y: rect.y + $1] }
        #expect(ImageDifference(result.planes[0], expected).maximum == 0)

        let ordinary = try await service.document(
            "/frame?accuracy=low&format=json&\(query)",
            posting: image
        )
        #expect(abs(rect.x - ordinary["crop"].rect.x) < 16 && abs(rect.y - ordinary["crop"].rect.y) < 16)
        for (face, before) in zip(plan["faces"].elements, ordinary["faces"].elements) where before["kept"].bool == true
        {
            #expect(face["kept"].bool == true && rect.contains(face["head"].rect))
        }
    }

    @Test func `a face image can be cropped losslessly`() async throws {
        let reply = try await service.request("POST", "/faces/1?accuracy=low&losslessCrop=true", body: image)
        #expect(reply.status == 200)
        let source = try ImageHeader.read(image)
        #expect(try ImageHeader.read(reply.body).quantization == source.quantization)
    }

    @Test func `parameters that require new pixels are rejected for a lossless crop`() async throws {
        for other in [
            "width=20", "height=20", "dpr=2", "quality=80", "enlarge=true", "format=png", "format=html", "profile=srgb",
        ] {
            let reply = try await service.request("POST", "/frame?losslessCrop=true&\(other)", body: image)
            #expect(reply.status == 400, "\(other)")
            #expect(try JSONValue(json: reply.body)["errors"][0]["parameter"] == "losslessCrop", "\(other)")
        }
        let png = try DrawnImage(width: 64, height: 48).png()
        for format in ["auto", "json"] {
            let reply = try await service.request("POST", "/frame?losslessCrop=true&format=\(format)", body: png)
            #expect(reply.status == 415)
        }
    }

    @Test(arguments: [20, 75, 96], ["", "&width=100", "&aspect=1:1&zoom=1"])
    func `an output with quality=source has the source's quantisation tables`(quality: Int, query: String) async throws
    {
        let image = try DrawnImage(width: 320, height: 240).image()
        let source = try ImageEncoder.encode(image, as: .jpeg, quality: quality)
        let target = "/frame?gravity=center&quality=source\(query)"
        let reply = try await service.request("POST", target, body: source)
        #expect(reply.status == 200)
        let expected = try #require(try ImageHeader.read(source).quantization)
        #expect(try ImageHeader.read(reply.body).quantization == expected)
        #expect(abs(expected.estimatedQuality - quality) <= 1)
    }

    @Test func `quality=source becomes a quality level for other formats`() async throws {
        let image = try TestImage.waves(PixelSize(width: 320, height: 240))
        var sizes: [Int] = []
        for quality in [30, 80, 95] {
            let source = try ImageEncoder.encode(image, as: .jpeg, quality: quality)
            let target = "/frame?gravity=center&quality=source&format=webp"
            sizes.append(try await service.request("POST", target, body: source).body.count)
        }
        #expect(sizes == sizes.sorted() && Set(sizes).count == 3)
    }
}
