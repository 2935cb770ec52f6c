import HeadroomAPI
import TestHTTP
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct RedactionFormTests {
    @Test func `redacted markup for an upload is rejected, because the page shows the upload itself`() async throws {
        let service = try TestService.dlib.get()
        let single = try Images.singleJPEG.get()
        let response = try await service.request("POST", "/frame?format=html&redact=blur", body: single)
        #expect(response.status == 400)
        let plan = try await service.document("/frame?format=json&redact=pixelate&accuracy=low", posting: single)
        #expect(plan["redaction"]["style"].string == "pixelate")
        #expect(plan["redaction"]["faces"].elements.compactMap(\.integer) == [1])
    }
}
