import FaceDetection
import Geometry
import Imaging
import TestHTTP
import TestPacing
import TestImages
import Testing

/// `/faces?format=zip` on real sockets.
@Suite(.limitedConcurrency) struct FaceArchiveTests {
    private let service: TestService
    private let pair: [UInt8]

    init() throws {
        service = try TestService.dlib.get()
        pair = try Images.pairJPEG.get()
    }

    private func archive(_ target: String, _ image: [UInt8]? = nil) async throws -> ZIPReader {
        let reply = try await service.request("POST", target, body: image ?? pair)
        try #require(reply.status == 200, "\(reply.text)")
        #expect(reply["Content-Type"] == "application/zip")
        #expect(reply["Content-Disposition"] == "attachment; filename=\"faces.zip\"")
        return try ZIPReader(reply.body)
    }

    @Test(arguments: ["", "&aspect=3:4&width=60&quality=50", "&padding=0", "&padding=12px&height=80&enlarge=true"])
    func `every image equals the response to its own path`(query: String) async throws {
        let zip = try await archive("/faces?format=zip&accuracy=low\(query)")
        #expect(zip.entries.map(\.name) == ["faces.json", "face-1.jpg", "face-2.jpg"])
        for index in 1...2 {
            let reply = try await service.request("POST", "/faces/\(index)?accuracy=low\(query)", body: pair)
            #expect(zip["face-\(index).jpg"] == reply.body)
        }
    }

    @Test func `the list equals the response to /faces`() async throws {
        let zip = try await archive("/faces?format=zip&accuracy=low")
        let list = try JSONValue(json: #require(zip["faces.json"]))
        let response = try await service.document("/faces?accuracy=low", posting: pair)
        #expect(list["faces"] == response["faces"])
        #expect(list["source"] == response["source"])
    }

    @Test func `an image without faces gives an archive with an empty list`() async throws {
        let zip = try await archive("/faces?format=zip&accuracy=low", try Images.blankPNG.get())
        #expect(zip.entries.map(\.name) == ["faces.json"])
    }

    @Test func `images have the format that Accept selects`() async throws {
        let accept = [("Accept", "image/png, application/zip")]
        let reply = try await service.request("POST", "/faces?format=zip&accuracy=low", headers: accept, body: pair)
        let zip = try ZIPReader(reply.body)
        #expect(OutputFormat.sniff(zip["face-1.png"] ?? []) == .png)
    }

    @Test func `face images that exceed the pixel limit together are rejected`() async throws {
        let target = "/faces?format=zip&accuracy=low&width=1800&enlarge=true"
        let reply = try await service.request("POST", target, body: pair)
        #expect(reply.status == 422)
        #expect(try JSONValue(json: reply.body)["type"] == "urn:headroom:problem:too-large")
    }

    @Test(arguments: [
        ("/faces?format=debug&width=100", "width"), ("/faces?quality=80", "quality"), ("/faces?padding=0", "padding"),
        ("/faces/1?format=zip", "format"), ("/frame?format=zip", "format"),
        ("/faces?format=zip&aspect=1:1,16:9", "aspect"), ("/faces?format=zip&gravity=faces", "gravity"),
    ])
    func `a parameter without effect is rejected, and the error names it`(
        target: String,
        parameter: String
    ) async throws {
        let reply = try await service.request("POST", target, body: pair)
        #expect(reply.status == 400)
        #expect(try JSONValue(json: reply.body)["errors"][0]["parameter"] == .string(parameter))
    }

    @Test func `quality applies to the annotated image`() async throws {
        let fine = try await service.request("POST", "/faces?format=debug&accuracy=low&quality=95", body: pair)
        let coarse = try await service.request("POST", "/faces?format=debug&accuracy=low&quality=10", body: pair)
        #expect(coarse.body.count * 2 < fine.body.count)
    }

    @Test func `an archive needs no more detection passes than one face`() async throws {
        let boxes = [
            PixelRect(x: 60, y: 150, width: 90, height: 90), PixelRect(x: 440, y: 140, width: 130, height: 130),
        ]
        let detector = ScriptedDetector { _, image in
            boxes.map { .init(box: $0.scaled(by: Double(image.size.width) / 640), confidence: 1) }
        }
        let source = pair
        try await TestService.running(detector) { service in
            _ = try await service.request("POST", "/faces/1", body: source)
            let calls = detector.calls
            let reply = try await service.request("POST", "/faces?format=zip", body: source)
            #expect(try ZIPReader(reply.body).entries.count == 3)
            #expect(detector.calls == 2 * calls)
        }
    }
}

extension PixelRect {
    fileprivate func scaled(by scale: Double) -> PixelRect {
        PixelRect(
            x: Int(Double(x) * scale),
            y: Int(Double(y) * scale),
            width: Int(Double(width) * scale),
            height: Int(Double(height) * scale)
        )
    }
}
