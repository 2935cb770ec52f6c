import Geometry
import HeadroomAPI
import Imaging
import Requests
import TestHTTP
import TestPacing
import TestImages
import Testing

/// `/frame` on real sockets with dlib's detector.
@Suite(.limitedConcurrency) struct FrameRouteTests {
    private let service: TestService
    private let single: [UInt8]
    private let pair: [UInt8]
    private let blank: [UInt8]

    init() throws {
        service = try TestService.dlib.get()
        single = try Images.singleJPEG.get()
        pair = try Images.pairJPEG.get()
        blank = try Images.blankJPEG.get()
    }

    private func plan(_ query: String, of image: [UInt8]) async throws -> JSONValue {
        try await service.document("/frame?format=json&accuracy=low&\(query)", posting: image)
    }

    private func crop(_ query: String, of image: [UInt8]) async throws -> PixelRect {
        try await plan(query, of: image)["crop"].rect
    }

    @Test(arguments: ["16:9", "1:1", "3:4", "9:16", "2.39:1", "640:399"])
    func `the crop has exactly the requested aspect ratio and contains the drawn head`(aspect: String) async throws {
        let reply = try await service.request("POST", "/frame?accuracy=low&aspect=\(aspect)", body: single)
        #expect(reply.status == 200)
        #expect(reply["Headroom-Decision"] == "faces")
        #expect(reply["Headroom-Faces"] == "1")
        let header = try ImageHeader.read(reply.body)
        #expect(header.format == .jpeg)
        #expect(header.size == AspectRatio(aspect)?.widestCrop(in: Images.single.size))
        let plan = try await plan("aspect=\(aspect)", of: single)
        #expect(plan["crop"].rect.size == header.size)
        #expect(plan["crop"].rect.contains(Images.single.faces[0].box))
        #expect(plan["crop"].rect.contains(plan["faces"][0]["head"].rect))
    }

    @Test func `the pixels of the image match the plan`() async throws {
        let reply = try await service.request("POST", "/frame?accuracy=low&aspect=1:1", body: single)
        let plan = try await plan("aspect=1:1", of: single)
        let again = try await service.document("/faces?accuracy=low", posting: reply.body)
        let seen = again["faces"][0]["box"].rect
        let expected = plan["faces"][0]["box"].rect
        #expect(abs(seen.x - (expected.x - plan["crop"].rect.x)) <= 12)
        #expect(abs(seen.y - (expected.y - plan["crop"].rect.y)) <= 12)
    }

    @Test func `both heads are kept if they fit, otherwise the larger head is kept`() async throws {
        let wide = try await plan("aspect=16:9", of: pair)
        #expect(wide["faces"].elements.map { $0["kept"].bool } == [true, true])
        let square = try await plan("aspect=1:1", of: pair)
        #expect(square["faces"].elements.map { $0["kept"].bool } == [true, false])
        #expect(square["crop"].rect.contains(Images.pair.faces[1].box))
    }

    @Test func `gravity selects the subject of the crop`() async throws {
        let faces = Images.pair.faces.map(\.box)
        #expect(try await crop("aspect=1:1&gravity=largest", of: pair).contains(faces[1]))
        #expect(try await crop("aspect=1:1&gravity=smallest", of: pair).contains(faces[0]))
        #expect(try await crop("aspect=1:1&gravity=face:1", of: pair).contains(faces[1]))
        #expect(try await crop("aspect=1:1&gravity=face:2", of: pair).contains(faces[0]))
        #expect(try await crop("aspect=1:1&gravity=left", of: pair).x == 0)
        #expect(try await crop("aspect=1:1&gravity=center", of: pair).x == 120)
        #expect(try await crop("aspect=1:1&gravity=right", of: pair).x == 240)
        #expect(try await crop("aspect=2:1&gravity=top", of: pair).y == 0)
        #expect(try await crop("aspect=2:1&gravity=bottom", of: pair).y == 80)
        #expect(try await crop("aspect=1:1&gravity=point:0.5,0", of: pair).x == 120)
        #expect(try await crop("aspect=1:1&gravity=point:0.4,0.5", of: pair).x == 56)
    }

    @Test func `a gravity without faces needs no face detection`() async throws {
        let reply = try await service.request("POST", "/frame?aspect=1:1&gravity=center", body: single)
        #expect(reply["Headroom-Decision"] == "center")
        #expect(reply["Headroom-Faces"] == nil)
    }

    @Test func `without faces the fallback selects the crop, and the decision names the fallback`() async throws {
        for (query, decision, rect) in [
            ("", "fallback:attention", PixelRect(x: 0, y: 35, width: 320, height: 160)),
            ("&fallback=attention", "fallback:attention", PixelRect(x: 0, y: 35, width: 320, height: 160)),
            ("&fallback=top", "fallback:top", PixelRect(x: 0, y: 0, width: 320, height: 160)),
            ("&fallback=center", "fallback:center", PixelRect(x: 0, y: 40, width: 320, height: 160)),
            ("&fallback=original", "fallback:original", PixelRect(x: 0, y: 0, width: 320, height: 240)),
        ] {
            let plan = try await plan("aspect=2:1\(query)", of: blank)
            #expect(plan["crop"].rect == rect)
            #expect(plan["decision"] == .string(decision))
            #expect(plan["faces"].elements.isEmpty)
        }
        let reply = try await service.request("POST", "/frame?aspect=2:1&fallback=error", body: blank)
        #expect(reply.status == 422)
        #expect(try JSONValue(json: reply.body)["type"] == "urn:headroom:problem:no-face")
    }

    @Test(arguments: [
        ("faces", "No face found for gravity=faces"), ("face:2", "No face found for gravity=face:2"),
        ("subject", "No face, person, animal or thing found for gravity=subject"),
        ("object:dog", "No dog found for gravity=object"),
        ("object:dog:2,hot-dog", "No dog or hot dog found for gravity=object"),
        ("object:person,cat,traffic-light", "No person, cat or traffic light found for gravity=object"),
    ])
    func `without a fallback the problem names the faces or objects that were not found`(
        gravity: String,
        sentence: String
    ) async throws {
        let query = "aspect=2:1&fallback=error&gravity=\(gravity)"
        let reply = try await service.request("POST", "/frame?\(query)", body: blank)
        let problem = try JSONValue(json: reply.body)
        #expect(reply.status == 422)
        #expect(problem["type"] == "urn:headroom:problem:no-face")
        #expect(problem["detail"] == .string("\(sentence) (fallback=error)."))
    }

    @Test func `a face number that does not exist leads to the fallback`() async throws {
        #expect(try await plan("aspect=1:1&gravity=face:9", of: pair)["decision"] == "fallback:attention")
    }

    @Test func `zoom tightens the crop and padding widens it again`() async throws {
        let wide = try await crop("aspect=1:1&zoom=0", of: single)
        let half = try await crop("aspect=1:1&zoom=0.5", of: single)
        let tight = try await crop("aspect=1:1&zoom=1", of: single)
        let roomy = try await crop("aspect=1:1&zoom=1&padding=0.5", of: single)
        let bare = try await crop("aspect=1:1&zoom=1&padding=0", of: single)
        let pixels = try await crop("aspect=1:1&zoom=1&padding=20px", of: single)
        #expect(wide.width > half.width && half.width > tight.width)
        #expect(roomy.width > tight.width && tight.width > bare.width)
        #expect(pixels.height == bare.height + 40)
        for crop in [wide, half, tight, roomy, bare, pixels] {
            #expect(crop.width == crop.height)
            #expect(crop.contains(Images.single.faces[0].box))
        }
    }

    @Test(arguments: [
        ("width=200", 200, 125), ("height=100", 160, 100), ("width=100&dpr=2", 200, 125),
        ("width=200&aspect=1:1", 200, 200), ("width=120&height=90", 120, 90), ("width=1", 1, 1),
        ("width=2000", 640, 400), ("width=1280&enlarge=true", 1280, 800),
        ("width=320&dpr=4", 640, 400), ("width=320&dpr=4&enlarge=true", 1280, 800),
    ])
    func `the output has the requested size, and enlarging it requires permission`(
        query: String,
        width: Int,
        height: Int
    ) async throws {
        let reply = try await service.request("POST", "/frame?gravity=center&\(query)", body: single)
        #expect(try ImageHeader.read(reply.body).size == PixelSize(width: width, height: height))
        let plan = try await plan("gravity=center&\(query)", of: single)
        #expect(plan["crops"][0]["output"].rect.size == PixelSize(width: width, height: height))
    }

    @Test func `accuracy determines the minimum face size`() async throws {
        let small = try DrawnImage(width: 640, height: 400, faces: [DrawnFace(x: 300, y: 170, side: 36)]).jpeg()
        let low = try await service.document("/faces?accuracy=low", posting: small)
        let high = try await service.document("/faces?accuracy=high", posting: small)
        let standard = try await service.document("/faces", posting: small)
        #expect(low["faces"].elements.isEmpty)
        #expect(high["faces"].elements.count == 1)
        #expect(standard["faces"] == high["faces"])
        #expect(
            low["detector"]["passes"][0]["width"].integer ?? 0 < high["detector"]["passes"][0]["width"].integer ?? 0
        )
        #expect(low["detector"]["accuracy"] == "low")
    }

    @Test(arguments: [
        ("", nil, "image/jpeg"), ("&format=auto", "image/*", "image/jpeg"), ("&format=png", nil, "image/png"),
        ("&format=webp", nil, "image/webp"),
        ("", "image/webp", "image/webp"), ("&format=jpg", "image/png", "image/jpeg"),
        ("&format=jpeg", nil, "image/jpeg"), ("", "image/png", "image/png"),
        ("", "application/json", "application/json"), ("&format=json", "image/png", "application/json"),
        ("&format=png", "application/json", "image/png"), ("", "text/html", "image/jpeg"),
        ("", "image/avif,image/webp,*/*;q=0.8", "image/avif"), ("", "image/avif;q=0.5,image/*", "image/jpeg"),
        ("", "image/avif;q=0", "image/jpeg"), ("&format=avif", nil, "image/avif"), ("", "*/*", "image/jpeg"),
    ])
    func `format has priority over Accept`(
        query: String,
        accept: String?,
        type: String
    ) async throws {
        let reply = try await service.request(
            "POST",
            "/frame?gravity=center&accuracy=low\(query)",
            headers: accept.map { [("Accept", $0)] } ?? [],
            body: blank
        )
        #expect(reply["Content-Type"] == type)
        #expect(reply["Vary"] == (query.contains("format=") && query != "&format=auto" ? nil : "Accept"))
        if type.hasPrefix("image/") { #expect(OutputFormat.sniff(reply.body)?.mediaType == type) }
    }

    @Test func `a higher quality gives a larger file`() async throws {
        var sizes: [Int] = []
        for quality in [1, 20, 60, 95] {
            sizes.append(
                try await service.request("POST", "/frame?gravity=center&quality=\(quality)", body: single).body.count
            )
        }
        #expect(sizes == sizes.sorted() && Set(sizes).count == sizes.count)
        let standard = try await service.request("POST", "/frame?gravity=center", body: single)
        #expect(standard.body.count > sizes[2] && standard.body.count < sizes[3])
    }

    @Test func `several aspect ratios are accepted for a plan and rejected for an image`() async throws {
        let plan = try await plan("aspect=16:9,1:1,9:16", of: pair)
        #expect(plan["crops"].elements.map { $0["aspect"].string } == ["16:9", "1:1", "9:16"])
        #expect(plan["crop"] == plan["crops"][0]["crop"])
        for crop in plan["crops"].elements {
            let aspect = try #require(AspectRatio(crop["aspect"].string ?? ""))
            #expect(crop["crop"].rect.size == aspect.widestCrop(in: Images.pair.size))
        }
        let reply = try await service.request("POST", "/frame?aspect=16:9,1:1", body: pair)
        #expect(reply.status == 400)
        #expect(try JSONValue(json: reply.body)["errors"][0]["parameter"] == "aspect")
    }

    @Test func `equal requests get equal plans except for timings`() async throws {
        var plans: [JSONValue] = []
        for _ in 0..<2 {
            var members = try await plan("aspect=1:1", of: pair).members
            members["detector"] = nil
            plans.append(.object(members))
        }
        #expect(plans[0] == plans[1])
    }

    @Test func `coordinates refer to the upright image for every EXIF orientation`() async throws {
        let sideways = try Images.single.sidewaysJPEG()
        let upright = try await plan("aspect=1:1", of: single)
        let turned = try await plan("aspect=1:1", of: sideways)
        #expect(turned["source"]["orientation"] == .integer(6))
        #expect(upright["source"]["orientation"] == .integer(1))
        #expect(turned["source"].rect.size == Images.single.size)
        #expect(turned["crop"].rect.contains(Images.single.faces[0].box))
        #expect(abs(turned["crop"].rect.x - upright["crop"].rect.x) <= 8)
        let reply = try await service.request("POST", "/frame?accuracy=low&aspect=1:1&width=200", body: sideways)
        let header = try ImageHeader.read(reply.body)
        #expect(header.orientation == .up)
        #expect(try await service.document("/faces?accuracy=low", posting: reply.body)["faces"].elements.count == 1)
    }

    @Test func `a PNG stays a PNG`() async throws {
        let reply = try await service.request("POST", "/frame?gravity=center", body: try Images.blankPNG.get())
        #expect(reply["Content-Type"] == "image/png")
    }
}

extension JSONValue: ExpressibleByStringLiteral {
    init(stringLiteral value: String) { self = .string(value) }
}
