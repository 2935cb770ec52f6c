import Framing
import Pipeline
import Requests
import TestPacing
import Testing

/// Parameters with values from client hints.
@Suite(.limitedConcurrency) struct ClientHintTests {
    static let values: [(hints: [ClientHints.Field: String], width: String, dpr: String, quality: String)] = [
        ([:], "1280", "1", "82"),
        ([.width: "320"], "320", "1", "82"), ([.width: "321"], "480", "1", "82"),
        ([.oldWidth: "700"], "800", "1", "82"),
        ([.width: "500", .oldWidth: "3000"], "640", "1", "82"), ([.width: "99999"], "3840", "1", "82"),
        ([.viewport: "400", .ratio: "2"], "800", "2", "82"), ([.oldViewport: "400"], "480", "1", "82"),
        ([.ratio: "1.25"], "1280", "1.5", "82"), ([.oldRatio: "2.6"], "1280", "3", "82"),
        ([.ratio: "9"], "1280", "3", "82"), ([.saveData: "on"], "1280", "1", "50"),
        ([.saveData: "ON"], "1280", "1", "50"), ([.saveData: "off"], "1280", "1", "82"),
        ([.width: "1200", .ratio: "2", .saveData: "on"], "640", "1", "50"),
        ([.viewport: "600", .ratio: "3", .saveData: "on"], "640", "1", "50"),
        // Invalid values count as absent.
        ([.width: "-1"], "1280", "1", "82"), ([.width: "9999999999999999999"], "1280", "1", "82"),
        ([.ratio: "nan"], "1280", "1", "82"), ([.ratio: "1e9"], "1280", "1", "82"), ([.width: "0"], "1280", "1", "82"),
    ]

    @Test(arguments: values)
    func `values are rounded to steps`(
        hints: [ClientHints.Field: String],
        width: String,
        dpr: String,
        quality: String
    ) throws {
        let hints = ClientHints { hints[$0] }
        for (parameter, expected) in [(Parameter.width, width), (.dpr, dpr), (.quality, quality)] {
            let parameters = try FrameParameters(
                [(parameter.name, "auto")],
                known: Parameter.of(.frame),
                hints: hints
            )
            #expect(parameters.hinted == [parameter])
            switch parameter {
            case .width: #expect(parameters.options.resultSize.width.map { "\($0)" } == expected)
            case .dpr: #expect(parameters.options.resultSize.devicePixelRatio == Double(expected))
            default: #expect(parameters.quality == .level(Int(expected) ?? 0))
            }
        }
    }

    @Test func `auto is rejected if there is no client`() {
        for name in ["width", "dpr", "quality", "height"] {
            #expect(throws: ParameterErrors.self) {
                try FrameParameters([(name, "auto")], known: Parameter.all, hints: nil)
            }
        }
    }
}
