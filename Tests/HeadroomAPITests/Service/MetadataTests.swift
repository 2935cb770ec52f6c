import Geometry
import Imaging
import TestHTTP
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct MetadataTests {
    /// A JPEG with a location, a thumbnail, maker notes, and a copyright notice.
    private let image = Result {
        let size = PixelSize(width: 96, height: 64)
        let plain = try ImageEncoder.encode(try TestImage.gradient(size), as: .jpeg)
        let tiff = CameraMetadata.tiff(artist: "Ana Ruiz", copyright: "© Ana Ruiz")
        let xmp = CameraMetadata.xmp(creators: [], rights: nil, credit: "Agency")
        let resources = CameraMetadata.photoshop(records: [(80, "Ana")])
        let iptc = JPEGSegments.inserting(0xED, Array("Photoshop 3.0\0".utf8) + resources, into: plain)
        let packet = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp
        return JPEGSegments.inserting(
            0xE1,
            Array("Exif\0\0".utf8) + tiff,
            into: JPEGSegments.inserting(0xE1, packet, into: iptc)
        )
    }

    private func holds(_ bytes: [UInt8], _ text: String) -> Bool {
        let text = Array(text.utf8)
        return bytes.indices.dropLast(text.count - 1).contains { bytes[$0..<$0 + text.count].elementsEqual(text) }
    }

    @Test(
        arguments: OutputFormat.allCases.map { "format=\($0.rawValue)" } + [
            "losslessCrop=true", "fit=pad&aspect=1:1", "quality=source",
        ]
    )
    func `no location, thumbnail or note is sent, and the copyright notice only on request`(
        query: String
    ) async throws {
        let image = try image.get()
        for secret in CameraMetadata.secrets { #expect(holds(image, secret)) }
        try await TestService.running { service in
            for (metadata, isKept) in [("", false), ("&metadata=none", false), ("&metadata=copyright", true)] {
                let reply = try await service.request(
                    "POST",
                    "/frame?gravity=center&\(query)\(metadata)",
                    body: image
                )
                #expect(reply.status == 200)
                for secret in CameraMetadata.secrets { #expect(!holds(reply.body, secret), "\(secret)") }
                for text in ["Ana", "© Ana Ruiz", "Agency"] {
                    #expect(holds(reply.body, text) == isKept, "\(text)")
                }
            }
        }
    }

    @Test func `face images keep the copyright notice`() async throws {
        try await TestService.running { service in
            let target = "/faces/1?format=jpeg&metadata=copyright"
            let reply = try await service.request("POST", target, body: image.get())
            #expect(reply.status == 200 && holds(reply.body, "Agency"))
            #expect(try await service.request("POST", "/frame?metadata=all", body: image.get()).status == 400)
        }
    }
}
