import Framing
import Imaging
import Pipeline
import Requests
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct RedactionParametersTests {
    private func read(_ pairs: [(String, String)]) throws(ParameterErrors) -> FrameParameters {
        try FrameParameters(pairs.map { (name: $0.0, value: $0.1) }, known: Parameter.all)
    }

    @Test(
        arguments: [
            (nil, Redaction.Faces.all), ("all", .all), ("others", .others), ("1", .numbers([1])),
            ("2,1,40", .numbers([2, 1, 40])),
        ] as [(String?, Redaction.Faces)]
    )
    func `redactFaces accepts all, others or numbers`(text: String?, faces: Redaction.Faces) throws {
        for style in RedactionStyle.allCases {
            let pairs = [("redact", style.rawValue)] + (text.map { [("redactFaces", $0)] } ?? [])
            #expect(try read(pairs).options.redaction == Redaction(style: style, faces: faces))
        }
        #expect(try read([]).options.redaction == nil)
    }

    @Test func `the outline and areas are parsed`() throws {
        let pairs = [("redact", "fill"), ("redactShape", "oval"), ("redactAreas", "0,0.5,24px,1;center,10px,0.5")]
        let redaction = try #require(try read(pairs).options.redaction)
        #expect(redaction.shape == .oval && redaction.faces == .all && redaction.areas.count == 2)
        #expect(redaction.areas[0] == Region("0,0.5,24px,1"))
        let none = try read([("redact", "fill"), ("redactFaces", "none"), ("redactAreas", "0,0,1,1")])
        #expect(none.options.redaction?.faces == Redaction.Faces.none)
    }

    /// Rejected values of `redact`, with at most one other parameter.
    private static let refused: [(redact: String?, name: String, value: String)] = [
        (nil, "redact", "none"), (nil, "redact", ""), (nil, "redact", "Blur"), (nil, "redactFaces", "1"),
        (nil, "redactShape", "oval"), (nil, "redactAreas", "0,0,1,1"), ("blur", "redactFaces", ""),
        ("blur", "redactFaces", "0"), ("blur", "redactFaces", "1,"), ("blur", "redactFaces", "-1"),
        ("blur", "redactFaces", "1, 2"), ("blur", "redactFaces", "99999999999999999999"),
        ("blur", "redactFaces", [String](repeating: "1", count: 65).joined(separator: ",")),
        ("blur", "redactFaces", "none"), ("blur", "losslessCrop", "true"), ("blur", "redactShape", "round"),
        ("blur", "redactAreas", ""), ("blur", "redactAreas", "0,0,1,1;"), ("blur", "redactAreas", "0,0,1"),
        ("blur", "redactAreas", "0,0,0,1"),
        ("blur", "redactAreas", [String](repeating: "0,0,1,1", count: 65).joined(separator: ";")),
    ]

    @Test(arguments: refused)
    func `other words and combinations are rejected`(redact: String?, name: String, value: String) throws {
        let pairs = (redact.map { [("redact", $0)] } ?? []) + [(name, value)]
        let errors = try #require(throws: ParameterErrors.self) { try read(pairs) }.all
        #expect(errors.count == 1)
    }
}
