import Framing
import Geometry
import Imaging
import TestHTTP
import TestPacing
import TestImages
import Testing

/// `place` on real sockets with dlib's detector.
@Suite(.limitedConcurrency) struct PlaceRouteTests {
    private let service: TestService
    private let single: [UInt8]

    init() throws {
        service = try TestService.dlib.get()
        single = try Images.singleJPEG.get()
    }

    private func plan(_ query: String) async throws -> JSONValue {
        try await service.document("/frame?format=json&accuracy=low&\(query)", posting: single)
    }

    /// The centre of the head in the crop, from 0 to 1, from the left and from the top.
    private func spot(_ plan: JSONValue) -> (x: Double, y: Double) {
        let crop = plan["crop"].rect
        let head = plan["faces"][0]["head"].rect
        return (
            (Double(head.x - crop.x) + Double(head.width) / 2) / Double(crop.width),
            (Double(head.y - crop.y) + Double(head.height) / 2) / Double(crop.height)
        )
    }

    @Test(arguments: ["1:1", "16:9", "9:16", "640:400"])
    func `people are at the requested position, and heads are not cut`(aspect: String) async throws {
        var spots: [String: (x: Double, y: Double)] = [:]
        for place in Placement.plain {
            let plan = try await plan("aspect=\(aspect)&place=\(place.word)")
            #expect(plan["faces"][0]["kept"].bool == true)
            #expect(PixelRect(Images.single.size).contains(plan["crop"].rect))
            spots[place.word] = spot(plan)
        }
        let center = try #require(spots["center"])
        let (left, right) = (try #require(spots["left"]), try #require(spots["right"]))
        #expect(left.x <= center.x + 0.01 && center.x <= right.x + 0.01)
        // A tall crop is only slightly wider than the head.
        if aspect != "9:16" { #expect(left.x < right.x - 0.05) }
        #expect(try #require(spots["top"]).y <= center.y + 0.01)
        #expect(try #require(spots["bottom"]).y >= center.y - 0.01)
    }

    @Test func `eyes are on the upper third`() async throws {
        let image = DrawnImage(width: 640, height: 640, faces: [DrawnFace(x: 280, y: 330, side: 90)])
        let target = "/frame?format=json&aspect=1:1&place=thirds"
        let plan = try await service.document(target, posting: image.jpeg())
        let (crop, box) = (plan["crop"].rect, plan["faces"][0]["box"].rect)
        // The eyes are at 0.27 of the height of dlib's box.
        let eyes = Double(box.y) + 0.27 * Double(box.height)
        #expect(abs(eyes - Double(crop.y) - Double(crop.height) / 3) < 0.1 * Double(box.height))
    }

    @Test func `queries, forms and objects accept place, and the image matches the plan`() async throws {
        let rect = try await plan("aspect=1:1&place=left")["crop"].rect
        let image = try await service.request("POST", "/frame?accuracy=low&aspect=1:1&place=left", body: single)
        #expect(try ImageHeader.read(image.body).size == rect.size)
        let fields = [
            ("aspect", Array("1:1".utf8)), ("place", Array("left".utf8)), ("format", Array("json".utf8)),
            ("accuracy", Array("low".utf8)), ("image", single),
        ]
        let parts = fields.flatMap { name, content in
            Array("--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n".utf8) + content + Array("\r\n".utf8)
        }
        let type = [("Content-Type", "multipart/form-data; boundary=b")]
        let form = try await service.request("POST", "/frame", headers: type, body: parts + Array("--b--\r\n".utf8))
        #expect(try JSONValue(json: form.body)["crop"].rect == rect)
        let json = [("Content-Type", "application/json")]
        try await TestOrigin.running(["/a.jpg": .file(single)]) { origin in
            let members = [
                "aspect": "1:1", "place": "left", "format": "json", "accuracy": "low", "url": "\(origin)/a.jpg",
            ]
            let object = "{\(members.map { "\"\($0)\": \"\($1)\"" }.joined(separator: ","))}"
            let reply = try await service.request("POST", "/frame", headers: json, body: Array(object.utf8))
            #expect(try JSONValue(json: reply.body)["crop"].rect == rect)
        }
    }

    @Test(arguments: [
        ("/frame?place=middle", "place"), ("/frame?place=", "place"), ("/frame?place=Left", "place"),
        ("/frame?format=html&place=left", "place"), ("/faces/1?place=left", "place"), ("/faces?place=left", "place"),
    ])
    func `unknown words and ineffective positions are rejected`(target: String, parameter: String) async throws {
        let reply = try await service.request("POST", target, body: single)
        #expect(reply.status == 400)
        #expect(try JSONValue(json: reply.body)["errors"][0]["parameter"] == .string(parameter))
    }
}
