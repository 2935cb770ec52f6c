import Geometry
import Imaging
import TestHTTP
import TestPacing
import TestImages
import Testing

/// `format=debug` on real sockets; PipelineTests test the drawing.
@Suite(.limitedConcurrency) struct DebugImageTests {
    private let service: TestService
    private let pair: [UInt8]

    init() throws {
        service = try TestService.dlib.get()
        pair = try Images.pairJPEG.get()
    }

    @Test(arguments: ["/frame?aspect=1:1&format=debug", "/faces?format=debug"])
    func `the response is the whole image in the source's format`(target: String) async throws {
        let reply = try await service.request("POST", target + "&accuracy=low", body: pair)
        #expect(reply["Content-Type"] == "image/jpeg")
        #expect(reply["Vary"] == "Accept")
        #expect(reply["Headroom-Faces"] == "2")
        #expect(reply["Headroom-Decision"] == (target.hasPrefix("/frame") ? "faces" : nil))
        #expect(try ImageHeader.read(reply.body).size == Images.pair.size)
    }

    @Test func `Accept selects the image format, and JSON is ignored`() async throws {
        let accept = [("Accept", "application/json, image/png;q=0.5")]
        let reply = try await service.request("POST", "/frame?format=debug&accuracy=low", headers: accept, body: pair)
        #expect(reply["Content-Type"] == "image/png")
    }

    @Test(arguments: [
        ("/frame?format=debug&aspect=1:1,16:9", "aspect"), ("/faces/1?format=debug", "format"),
        ("/faces?format=png", "format"),
    ])
    func `a request without anything to draw is rejected`(target: String, parameter: String) async throws {
        let reply = try await service.request("POST", target, body: pair)
        #expect(reply.status == 400)
        #expect(try JSONValue(json: reply.body)["errors"][0]["parameter"] == .string(parameter))
    }
}
