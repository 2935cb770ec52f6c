import Geometry
import Imaging
import TestHTTP
import TestPacing
import TestImages
import Testing

/// `/faces?format=multipart` on real sockets.
@Suite(.limitedConcurrency) struct FacePartsTests {
    private let service: TestService
    private let pair: [UInt8]

    init() throws {
        service = try TestService.dlib.get()
        pair = try Images.pairJPEG.get()
    }

    private func parts(
        _ target: String,
        accept: String? = nil,
        _ image: [UInt8]? = nil
    ) async throws -> [MultipartReader.Part] {
        let headers = accept.map { [("Accept", $0)] } ?? []
        let reply = try await service.request("POST", target, headers: headers, body: image ?? pair)
        try #require(reply.status == 200, "\(reply.text)")
        #expect(reply["Vary"] == "Accept")
        return try MultipartReader(reply.body, contentType: reply["Content-Type"] ?? "").parts
    }

    @Test(arguments: ["", "&aspect=3:4&width=60&quality=50", "&padding=0", "&padding=12px&height=80&enlarge=true"])
    func `every part equals the file in the archive`(query: String) async throws {
        let parts = try await parts("/faces?format=multipart&accuracy=low\(query)")
        let archive = try await service.request("POST", "/faces?format=zip&accuracy=low\(query)", body: pair)
        let files = try ZIPReader(archive.body)
        let names = files.entries.map(\.name)
        #expect(parts.map { $0["Content-Disposition"] } == names.map { "attachment; filename=\"\($0)\"" })
        for (part, name) in zip(parts, names).dropFirst() { #expect(part.content == files[name]) }
    }

    @Test func `the header of a part contains its type, face and rectangle`() async throws {
        let parts = try await parts("/faces?format=multipart&accuracy=low&aspect=1:1")
        #expect(parts.map { $0["Content-Type"] } == ["application/json", "image/jpeg", "image/jpeg"])
        #expect(parts.map { $0["Headroom-Face"] } == [nil, "1", "2"])
        for index in 1...2 {
            let target = "/faces/\(index)?format=json&accuracy=low&aspect=1:1"
            let crop = try await service.document(target, posting: pair)["crop"].rect
            let expected = "x=\(crop.x), y=\(crop.y), width=\(crop.width), height=\(crop.height)"
            #expect(parts[index]["Headroom-Crop"] == expected)
            #expect(try ImageHeader.read(parts[index].content).size == crop.size)
        }
        let list = try JSONValue(json: parts[0].content)
        let response = try await service.document("/faces?accuracy=low", posting: pair)
        #expect(list["faces"] == response["faces"] && list["source"] == response["source"])
    }

    @Test func `the response for an image without faces has one part, an empty list`() async throws {
        let parts = try await parts("/faces?format=multipart&accuracy=low", try Images.blankPNG.get())
        #expect(parts.count == 1)
        #expect(try JSONValue(json: parts[0].content)["faces"] == .array([]))
    }

    @Test(arguments: [
        "multipart/mixed", "multipart/mixed, */*;q=0.5", "image/webp, multipart/mixed",
        "multipart/mixed, application/json;q=0.9", "text/html, Multipart/Mixed;q=0.1",
    ])
    func `Accept selects multipart, and parameters apply to its images`(accept: String) async throws {
        let parts = try await parts("/faces?accuracy=low&width=40", accept: accept)
        #expect(parts.count == 3)
        let expected = accept.contains("webp") ? OutputFormat.webp : .jpeg
        #expect(OutputFormat.sniff(parts[1].content) == expected)
        #expect(try ImageHeader.read(parts[1].content).size.width == 40)
    }

    @Test(arguments: [
        "*/*", "application/json", "application/json, multipart/mixed", "multipart/form-data", "multipart/*",
        "multipart/mixed;q=0", "multipart/mixed;q=0.5, application/json", "image/jpeg", "",
    ])
    func `if Accept does not prefer multipart, the response is the list`(accept: String) async throws {
        let reply = try await service.request("POST", "/faces?accuracy=low", headers: [("Accept", accept)], body: pair)
        #expect(reply["Content-Type"] == "application/json")
        #expect(reply["Vary"] == "Accept")
    }

    @Test(arguments: [
        ("/faces?format=json&width=40", "width"), ("/faces?width=40", "width"),
        ("/faces/1?format=multipart", "format"), ("/frame?format=multipart", "format"),
        ("/faces?format=multipart&aspect=1:1,16:9", "aspect"), ("/faces?format=multipart&fit=pad", "fit"),
        ("/faces?format=multipart/mixed", "format"),
    ])
    func `a parameter without effect is rejected, and the error names it`(
        target: String,
        parameter: String
    ) async throws {
        let accept = target.contains("json") ? [("Accept", "multipart/mixed")] : []
        let reply = try await service.request("POST", target, headers: accept, body: pair)
        #expect(reply.status == 400)
        #expect(try JSONValue(json: reply.body)["errors"][0]["parameter"] == .string(parameter))
    }

    @Test func `the boundary depends on the inputs of the response`() async throws {
        var types: [String] = []
        for target in [
            "/faces?format=multipart&accuracy=low", "/faces?accuracy=low&format=multipart", "/faces?format=multipart",
        ] {
            let reply = try await service.request("POST", target, body: pair)
            types.append(reply["Content-Type"] ?? "")
        }
        #expect(types[0] == types[1])
        #expect(types[0] != types[2])
    }
}
