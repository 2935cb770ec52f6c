import Geometry
import HeadroomAPI
import Imaging
import TestHTTP
import TestPacing
import TestImages
import Testing

/// Animations on real sockets.
@Suite(.limitedConcurrency) struct AnimationRouteTests {
    private static let size = PixelSize(width: 120, height: 60)
    private let service: TestService
    private let gif: [UInt8]

    init() throws {
        service = try TestService.dlib.get()
        let writer = try AnimationEncoder.begin(.gif, size: Self.size, plays: 0)
        for step in 0..<3 {
            let image = try TestImage.rgb(Self.size) { x, y in
                (20 * step..<20 * step + 20).contains(x) ? (250, 20, 20) : (UInt8(x), UInt8(y), 90)
            }
            try writer.add(image, milliseconds: 200)
        }
        gif = try writer.finish()
    }

    private func frames(_ query: String, accept: String? = nil) async throws -> (type: String?, frames: Int) {
        let headers = accept.map { [("Accept", $0)] } ?? []
        let target = "/frame?gravity=center&\(query)"
        let reply = try await service.request("POST", target, headers: headers, body: gif)
        #expect(reply.status == 200)
        #expect(reply["Vary"] == (query.contains("format=") ? nil : "Accept"))
        return (reply["Content-Type"], try ImageHeader.read(reply.body).animation?.frames ?? 1)
    }

    @Test func `an animation stays animated in a format that supports animations`() async throws {
        for (query, type, count) in [
            ("width=60", "image/gif", 3), ("width=60&format=webp", "image/webp", 3), ("format=gif", "image/gif", 3),
            ("format=jpeg", "image/jpeg", 1), ("format=png", "image/png", 1), ("animation=auto", "image/gif", 3),
            ("animation=still&format=webp", "image/webp", 1), ("animation=still&format=gif", "image/gif", 1),
        ] {
            let response = try await frames(query)
            #expect(response.type == type && response.frames == count, "\(query)")
        }
        #if AVIF
        let avif = try await frames("width=60&format=avif")
        #expect(avif.type == "image/avif" && avif.frames == 3)
        #endif
        // A still GIF is converted to a format with more colours; here the image is a drawing.
        #expect(try await frames("animation=still").type == "image/png")
    }

    @Test func `Accept selects among the formats that support animations`() async throws {
        for (accept, type, count) in [
            ("image/webp,image/png", "image/webp", 3), ("image/png,image/jpeg", "image/png", 1),
            ("image/*", "image/gif", 3), ("image/gif;q=0.5,image/jpeg", "image/gif", 3),
        ] {
            let response = try await frames("width=60", accept: accept)
            #expect(response.type == type && response.frames == count, "\(accept)")
        }
    }

    @Test func `the plan describes the animation`() async throws {
        let plan = try await service.document("/frame?format=json&accuracy=low", posting: gif)
        #expect(plan["source"]["animation"]["frames"] == .integer(3))
        #expect(plan["source"]["animation"]["duration"] == .integer(600))
        #expect(plan["source"]["animation"]["loop"] == .integer(0))
        #expect(plan["detector"]["frames"].elements.first == .integer(0))
        let still = try await service.document("/frame?format=json&accuracy=low&animation=still", posting: gif)
        #expect(still["source"]["animation"].isNull && still["detector"]["frames"].isNull)
        let faces = try await service.document("/faces?accuracy=low", posting: gif)
        #expect(faces["source"]["animation"].isNull)
    }

    @Test(arguments: [
        "region=0,0,0.5,1", "trim=10", "focus=0.1,0.1,0.2,0.2", "losslessCrop=true", "redact=blur", "overlay=halo",
        "zoom=0.5", "fit=pad", "fit=inside", "gravity=largest", "gravity=center",
    ])
    func `parameters that cannot be combined with motion=follow are rejected by name`(_ pair: String) async throws {
        let name = String(pair.prefix { $0 != "=" })
        let reply = try await service.request("POST", "/frame?aspect=1:1&motion=follow&\(pair)", body: gif)
        #expect(reply.status == 400)
        let text = String(decoding: reply.body, as: UTF8.self)
        #expect(text.contains("\"\(name)\"") && text.contains("motion=follow"), "\(text)")
    }

    @Test func `without people, motion=follow gives the same output as motion=fixed`() async throws {
        let target = "/frame?aspect=1:1&accuracy=low&motion="
        let still = try await service.request("POST", target + "still", body: gif)
        let follow = try await service.request("POST", target + "follow", body: gif)
        #expect(still.status == 200 && follow.status == 200 && still.body == follow.body)
        #expect(try await service.request("POST", target + "jump", body: gif).status == 400)
    }

    @Test func `an unknown word is rejected, and face lists do not support animations`() async throws {
        for target in ["/frame?animation=first", "/faces?animation=still", "/faces/1?animation=auto"] {
            let reply = try await service.request("POST", target, body: gif)
            #expect(reply.status == 400)
        }
    }
}
