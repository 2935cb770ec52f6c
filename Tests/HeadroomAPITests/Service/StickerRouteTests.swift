import HeadroomAPI
import Imaging
import TestHTTP
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct StickerRouteTests {
    @Test func `unknown, repeated and too many stickers are rejected`() async throws {
        let service = try TestService.dlib.get()
        let single = try Images.singleJPEG.get()
        for value in ["crown", "halo,halo", "halo,", "Halo", "halo,hat,glasses,moustache,x"] {
            let reply = try await service.request("POST", "/frame?overlay=\(value)", body: single)
            #expect(reply.status == 400, "\(value)")
        }
        for query in ["losslessCrop=true", "profile=keep", "format=html"] {
            let reply = try await service.request("POST", "/frame?overlay=halo&\(query)", body: single)
            #expect(reply.status == 400, "\(query)")
        }
        let drawn = try await service.request(
            "POST",
            "/frame?overlay=halo,glasses&format=webp&accuracy=low",
            body: single
        )
        #expect(drawn.status == 200)
        #expect(try ImageHeader.read(drawn.body).animation?.frames == 41)
    }
}
