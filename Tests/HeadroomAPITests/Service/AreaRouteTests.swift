import Geometry
import HeadroomAPI
import Imaging
import TestHTTP
import TestPacing
import TestImages
import Testing

/// `region`, `trim`, `focus`, `rotate` and `flip` on real sockets.
@Suite(.limitedConcurrency) struct AreaRouteTests {
    private let service: TestService
    private let pair: [UInt8]

    init() throws {
        service = try TestService.dlib.get()
        pair = try Images.pairJPEG.get()
    }

    private func plan(_ query: String) async throws -> JSONValue {
        try await service.document("/frame?format=json&accuracy=low&\(query)", posting: pair)
    }

    @Test func `faces outside the region are ignored`() async throws {
        let whole = try await plan("aspect=1:1")
        let heads = whole["faces"].elements.map { $0["head"].rect }
        #expect(heads.count == 2 && whole["region"].isNull)
        let left = heads[0].x < heads[1].x ? 0 : 1
        for (region, face, area) in [
            ("0,0,0.5,1", left, PixelRect(x: 0, y: 0, width: 320, height: 400)),
            ("320px,0,1,1", 1 - left, PixelRect(x: 320, y: 0, width: 320, height: 400)),
        ] {
            let part = try await plan("aspect=1:1&region=\(region)")
            #expect(part["region"].rect == area)
            #expect(part["faces"].elements.map { $0["head"].rect } == [heads[face].intersection(area)])
            #expect(part["ignored"].elements.count { $0["reason"] == "region" } == 1)
            #expect(area.contains(part["crop"].rect) && part["crop"].rect.width == 320)
            let list = try await service.document("/faces?accuracy=low&region=\(region)", posting: pair)
            #expect(list["faces"].elements.count == 1 && list["region"].rect == area)
            let second = try await service.request("POST", "/faces/2?accuracy=low&region=\(region)", body: pair)
            #expect(second.status == 404)
            let first = try await service.request("POST", "/faces/1?accuracy=low&region=\(region)", body: pair)
            #expect(first.status == 200)
        }
    }

    @Test func `a region outside the image is rejected`() async throws {
        let reply = try await service.request("POST", "/frame?region=640px,0,1,1", body: pair)
        #expect(reply.status == 400)
        let problem = try JSONValue(json: reply.body)
        #expect(problem["type"] == "urn:headroom:problem:invalid-parameter")
        #expect(problem["detail"] == "The region starts outside the image of 640×400 pixels.")
    }

    @Test func `a border is trimmed, and the plan describes the remaining area`() async throws {
        let size = PixelSize(width: 200, height: 100)
        let inner = PixelRect(x: 20, y: 10, width: 150, height: 70)
        let image = try TestImage.gray(size) { x, y in
            inner.contains(PixelRect(x: x, y: y, width: 1, height: 1)) ? UInt8(x) : 255
        }
        let png = try ImageEncoder.encode(image, as: .png)
        let plan = try await service.document("/frame?format=json&trim=5", posting: png)
        #expect(plan["region"].rect == inner && plan["crops"][0]["aspect"] == "150:70")
        let reply = try await service.request("POST", "/frame?trim=5", body: png)
        #expect(try ImageHeader.read(reply.body).size == inner.size)
    }

    @Test(arguments: [
        (90, "", 50, 100), (180, "", 100, 50), (270, "&flip=both", 50, 100), (0, "&flip=vertical", 100, 50),
    ])
    func `an output is rotated and mirrored`(rotate: Int, flip: String, width: Int, height: Int) async throws {
        let size = PixelSize(width: 100, height: 50)
        let image = try TestImage.quadrants(size)
        let png = try ImageEncoder.encode(image, as: .png)
        let reply = try await service.request("POST", "/frame?rotate=\(rotate)\(flip)", body: png)
        let result = try ImageDecoder.decode(reply.body, header: ImageHeader.read(reply.body))
        #expect(result.size == PixelSize(width: width, height: height))
        let orientation: Orientation =
            switch rotate {
            case 90: .right
            case 180: .down
            case 270: .right
            default: .downMirrored
            }
        #expect(ImageDifference(result, try image.oriented(orientation)).maximum == 0)
    }

    @Test func `a rotated output has the requested aspect ratio, and its plan describes the rotated output`()
        async throws
    {
        let query = "aspect=1:2&width=100&rotate=90&fit=pad"
        let plan = try await plan(query)
        let crop = plan["crops"][0]
        #expect(crop["output"].rect.size == PixelSize(width: 100, height: 200))
        #expect(crop["aspect"] == "1:2" && plan["crop"].rect == PixelRect(Images.pair.size))
        // The image is 640×400, so a rotation by 90° gives 100×160.
        #expect(crop["contentRect"].rect == PixelRect(x: 0, y: 20, width: 100, height: 160))
        let reply = try await service.request("POST", "/frame?\(query)", body: pair)
        #expect(try ImageHeader.read(reply.body).size == PixelSize(width: 100, height: 200))
        let face = try await service.request("POST", "/faces/1?aspect=1:2&width=50&rotate=270", body: pair)
        #expect(try ImageHeader.read(face.body).size == PixelSize(width: 50, height: 100))
    }

    @Test func `the area for text is rotated with the output`() async throws {
        let (plain, turned) = (try await plan("aspect=1:1"), try await plan("aspect=1:1&rotate=90"))
        let (before, after) = (plain["crops"][0]["faceFree"].rect, turned["crops"][0]["faceFree"].rect)
        let size = plain["crops"][0]["output"].rect.size
        #expect(after == Orientation.right.upright(before, in: size))
        let (sides, inset) = (plain["crops"][0]["faceFree"]["inset"], turned["crops"][0]["faceFree"]["inset"])
        let old = try #require(sides.string).split(separator: " ")
        #expect(inset.string == [old[3], old[0], old[1], old[2]].joined(separator: " "))
    }

    @Test func `focal areas are kept without face detection`() async throws {
        let reply = try await service.request("POST", "/frame?aspect=1:2&focus=0.7,0.1,0.2,0.2", body: pair)
        #expect(reply["Headroom-Decision"] == "focus" && reply["Headroom-Faces"] == nil)
        let plan = try await plan("aspect=1:2&focus=0.7,0.1,0.2,0.2")
        #expect(plan["crop"].rect.contains(PixelRect(x: 448, y: 40, width: 128, height: 80)))
        #expect(plan["focus"]["x"] == .number(0.8) && plan["focus"]["y"] == .number(0.2))
        let with = try await service.request(
            "POST",
            "/frame?aspect=16:9&gravity=faces&focus=0.7,0.1,0.2,0.2&accuracy=low",
            body: pair
        )
        #expect(with["Headroom-Decision"] == "faces" && with["Headroom-Faces"] == "2")
    }

    @Test(arguments: ["region=0,0,0.5,1", "trim=9", "rotate=90", "flip=both"])
    func `markup for an upload rejects parameters that a browser cannot apply`(query: String) async throws {
        let reply = try await service.request("POST", "/frame?format=html&\(query)", body: pair)
        #expect(reply.status == 400)
        let error = try JSONValue(json: reply.body)["errors"][0]
        #expect(error["parameter"].string == query.split(separator: "=").first.map(String.init))
    }

    @Test(arguments: [
        "/faces?trim=9", "/faces/1?trim=9", "/faces/1?focus=0,0,1,1", "/faces?rotate=90", "/faces?format=focus",
        "/faces/1?format=focus", "/frame?losslessCrop=true&rotate=90",
    ])
    func `parameters without an effect are rejected`(target: String) async throws {
        #expect(try await service.request("POST", target, body: pair).status == 400)
    }
}
