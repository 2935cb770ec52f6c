import Geometry
import Imaging
import Requests
import TestHTTP
import TestPacing
import TestImages
import Testing

/// Gain maps over HTTP.
@Suite(.limitedConcurrency) struct GainMapRouteTests {
    private let image: [UInt8]

    init() throws { image = try UltraHDRFile.sample(PixelSize(width: 320, height: 240), .both) }

    private func hasMap(_ bytes: [UInt8]) -> Bool { GainMap(jpeg: bytes) != nil }

    @Test(arguments: [("", false), ("&hdr=sdr", false), ("&hdr=keep", true)])
    func `a gain map is kept on request`(query: String, isKept: Bool) async throws {
        try await TestService.running(ScriptedDetector()) { service in
            let headers = [("Accept", "image/avif,image/webp,*/*")]
            let target = "/frame?aspect=1:1&width=100" + query
            let reply = try await service.request("POST", target, headers: headers, body: image)
            #expect(reply.status == 200 && hasMap(reply.body) == isKept)
            guard isKept else { return }
            #expect(reply["Content-Type"] == "image/jpeg")
            let header = try ImageHeader.read(reply.body)
            #expect(header.size == PixelSize(width: 100, height: 100))
        }
    }

    @Test func `a source without a gain map yields the same image`() async throws {
        let plain = try Images.singleJPEG.get()
        try await TestService.running(ScriptedDetector()) { service in
            let kept = try await service.request("POST", "/frame?aspect=1:1&format=jpeg&hdr=keep", body: plain)
            let usual = try await service.request("POST", "/frame?aspect=1:1&format=jpeg", body: plain)
            #expect(kept.status == 200 && kept.body == usual.body)
        }
    }

    @Test(arguments: [
        "redact=blur", "filter=mono", "overlay=halo", "chromaKey=auto", "mask=circle", "maxBytes=20000",
        "losslessCrop=true",
        "fit=pad&background=fff", "profile=srgb", "format=webp", "format=png",
    ])
    func `parameters that change pixels or the file afterwards are rejected`(query: String) async throws {
        try await TestService.running(ScriptedDetector()) { service in
            let reply = try await service.request("POST", "/frame?aspect=1:1&hdr=keep&" + query, body: image)
            #expect(reply.status == 400 && reply.text.contains("hdr=keep"), "\(reply.text)")
        }
    }
}
