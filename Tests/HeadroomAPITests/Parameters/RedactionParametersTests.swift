import HeadroomAPI
import Imaging
import Pipeline
import TestHTTP
import TestPacing
import TestPictures
import Testing

@Suite(.limitedConcurrency) struct RedactionParametersTests {
    private func read(_ pairs: [(String, String)]) throws(ParameterErrors) -> FrameParameters {
        try FrameParameters(pairs.map { (name: $0.0, value: $0.1) }, known: ParameterName.allCases)
    }

    @Test(
        arguments: [
            (nil, Redaction.Faces.all), ("all", .all), ("others", .others), ("1", .numbers([1])),
            ("2,1,40", .numbers([2, 1, 40])),
        ] as [(String?, Redaction.Faces)]
    )
    func `faces are all, others or numbers`(text: String?, faces: Redaction.Faces) throws {
        for style in RedactionStyle.allCases {
            let pairs = [("redact", style.rawValue)] + (text.map { [("redactFaces", $0)] } ?? [])
            #expect(try read(pairs).options.redaction == Redaction(style: style, faces: faces))
        }
        #expect(try read([]).options.redaction == nil)
    }

    @Test(arguments: [
        [("redact", "none")], [("redact", "")], [("redact", "Blur")], [("redactFaces", "1")],
        [("redact", "blur"), ("redactFaces", "")], [("redact", "blur"), ("redactFaces", "0")],
        [("redact", "blur"), ("redactFaces", "1,")], [("redact", "blur"), ("redactFaces", "-1")],
        [("redact", "blur"), ("redactFaces", "1, 2")], [("redact", "blur"), ("redactFaces", "99999999999999999999")],
        [("redact", "blur"), ("redactFaces", [String](repeating: "1", count: 65).joined(separator: ","))],
        [("redact", "blur"), ("lossless", "true")],
    ])
    func `other words and combinations are refused`(pairs: [(String, String)]) throws {
        let errors = try #require(throws: ParameterErrors.self) { try read(pairs) }.all
        #expect(errors.count == 1)
    }

    @Test func `markup of an uploaded picture, which the page shows itself, is refused`() async throws {
        let service = try TestService.dlib.get()
        let single = try Pictures.singleJPEG.get()
        let response = try await service.request("POST", "/frame?format=html&redact=blur", body: single)
        #expect(response.status == 400)
        let plan = try await service.document("/frame?format=json&redact=pixelate&accuracy=low", posting: single)
        #expect(plan["redaction"]["style"].string == "pixelate")
        #expect(plan["redaction"]["faces"].elements.compactMap(\.integer) == [1])
    }
}
