import HeadroomAPI
import TestHTTP
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct FaceTurnRouteTests {
    @Test(arguments: [
        ("/frame?upright=true", "upright"), ("/frame?align=eyes", "align"), ("/faces?upright=true", "upright"),
        ("/faces/1?background=ff0000", "background"), ("/faces?format=zip&background=ff0000", "background"),
    ])
    func `only face images are rotated`(target: String, parameter: String) async throws {
        let reply = try await TestService.dlib.get().request("POST", target, body: Images.singleJPEG.get())
        #expect(reply.status == 400)
        #expect(try JSONValue(json: reply.body)["errors"][0]["parameter"] == .string(parameter))
    }

    @Test func `the plan contains the rotated rectangle`() async throws {
        let service = try TestService.dlib.get()
        let plan = try await service.document("/faces/1?align=eyes&format=json", posting: Images.singleJPEG.get())
        let turned = plan["crops"][0]["turned"]
        #expect(turned["width"].double == turned["height"].double && turned["roll"].double != nil)
    }
}
