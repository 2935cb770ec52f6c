import Geometry
import Imaging
import TestHTTP
import TestPacing
import TestImages
import Testing

/// `/faces` and `/faces/N` on real sockets with dlib's detector.
@Suite(.limitedConcurrency) struct FacesRouteTests {
    private let service: TestService
    private let pair: [UInt8]

    init() throws {
        service = try TestService.dlib.get()
        pair = try Images.pairJPEG.get()
    }

    @Test func `every face is listed, the largest first`() async throws {
        let response = try await service.document("/faces?accuracy=low", posting: pair)
        #expect(response["source"].rect.size == Images.pair.size)
        #expect(response["source"]["format"] == "jpeg")
        let boxes = response["faces"].elements.map { $0["box"].rect }
        #expect(boxes.count == 2)
        for (box, drawn) in zip(boxes, Images.pair.faces.reversed().map(\.box)) {
            #expect(box.intersection(drawn).area * 2 > drawn.area)
        }
        for face in response["faces"].elements {
            #expect(face["head"].rect.contains(face["box"].rect))
            #expect(face["pose"] == "frontal")
        }
        #expect(response["detector"]["name"] == "dlib-hog")
    }

    @Test func `an image without faces yields an empty list`() async throws {
        let blank = try Images.blankJPEG.get()
        #expect(try await service.document("/faces?accuracy=low", posting: blank)["faces"] == .array([]))
    }

    @Test func `each face is available as an image and as a plan`() async throws {
        for (index, drawn) in Images.pair.faces.reversed().map(\.box).enumerated() {
            let target = "/faces/\(index + 1)?accuracy=low"
            let plan = try await service.document(target + "&format=json", posting: pair)
            #expect(plan["decision"] == .string("face:\(index + 1)"))
            #expect(plan["crop"].rect.contains(plan["faces"][index]["head"].rect))
            let reply = try await service.request("POST", target, body: pair)
            #expect(reply["Content-Type"] == "image/jpeg")
            #expect(reply["Headroom-Decision"] == "face:\(index + 1)")
            #expect(try ImageHeader.read(reply.body).size == plan["crop"].rect.size)
            #expect(plan["crop"].rect.intersection(drawn).area * 2 > drawn.area)
        }
    }

    @Test func `aspect, size and padding apply to a face image`() async throws {
        let square = try await service.request("POST", "/faces/1?accuracy=low&aspect=1:1&width=64", body: pair)
        #expect(try ImageHeader.read(square.body).size == PixelSize(width: 64, height: 64))
        let bare = try await service.document("/faces/1?accuracy=low&padding=0&format=json", posting: pair)
        let roomy = try await service.document("/faces/1?accuracy=low&padding=10px&format=json", posting: pair)
        #expect(roomy["crop"].rect.width == bare["crop"].rect.width + 20)
        let png = try await service.request("POST", "/faces/1?accuracy=low&format=png", body: pair)
        #expect(png["Content-Type"] == "image/png")
    }

    @Test(arguments: [
        ("/faces/3", "Face 3 does not exist: 2 faces found."),
        ("/faces/3?format=json", "Face 3 does not exist: 2 faces found."),
    ])
    func `a face number that does not exist gets 404`(target: String, detail: String) async throws {
        let reply = try await service.request("POST", target, body: pair)
        #expect(reply.status == 404)
        let problem = try JSONValue(json: reply.body)
        #expect(problem["type"] == "urn:headroom:problem:no-face")
        #expect(problem["detail"].string?.hasPrefix(detail) == true)
    }

    @Test(arguments: ["/faces?format=jpeg", "/faces?format=png", "/faces?aspect=1:1", "/faces/1?gravity=faces"])
    func `a parameter that has no effect on the route is rejected`(target: String) async throws {
        let reply = try await service.request("POST", target, body: pair)
        #expect(reply.status == 400)
        #expect(try JSONValue(json: reply.body)["type"] == "urn:headroom:problem:invalid-parameter")
    }

    @Test func `the list of faces is JSON for every Accept value that names images`() async throws {
        let reply = try await service.request(
            "POST",
            "/faces?accuracy=low",
            headers: [("Accept", "image/png")],
            body: try Images.blankJPEG.get()
        )
        #expect(reply["Content-Type"] == "application/json")
        #expect(reply["Vary"] == "Accept")
    }
}
