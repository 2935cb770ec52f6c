import Imaging
import Pipeline
import Requests
import TestAddresses
import TestPacing
import Testing

/// No parameter in a request crashes the process, regardless of its value.
@Suite(.limitedConcurrency) struct HostileParameterTests {
    private static func read(_ pairs: [(name: String, value: String)]) {
        for hints in [nil, ClientHints { _ in pairs.first?.value }] {
            guard let parameters = try? FrameParameters(pairs, known: Parameter.all, hints: hints) else { continue }
            for form in [ImageRoute.frame, .faces, .face(1)] {
                let accepted = Negotiation.Accepted(formats: [.jpeg], prefersJSON: false, prefersMultipart: false)
                let negotiation = Negotiation(parameters.format, accepted: accepted, route: form)
                _ = form.refusal(of: parameters, form: negotiation.form)
                _ = negotiation.job(source: [], parameters: parameters)
            }
        }
    }

    @Test func `every parameter accepts or rejects every hostile value`() {
        let others = [
            [], [("aspect", "16:9"), ("width", "300")],
            [("chromaKey", "auto"), ("watermark", "a"), ("redact", "blur")],
        ]
        for (row, parameter) in Parameter.all.enumerated() {
            for (column, value) in HostileValue.all.enumerated() {
                Self.read(others[(row + column) % others.count] + [(parameter.name, value)])
            }
        }
    }

    @Test func `pairs of parameters accept or reject hostile values`() {
        let values = HostileValue.all
        var step = 0
        for first in Parameter.all {
            for second in Parameter.all {
                step += 1
                let pair = (values[step % values.count], values[step * 7 % values.count])
                Self.read([(first.name, pair.0), (second.name, pair.1)])
            }
        }
    }

    @Test(arguments: ["&", "=", "&&", "==", "&=&", "a=&=a", "%", "a=%", "%=", "?", "??", "a=b=c", "=&=", "\u{0}=\u{0}"])
    func `separators alone form a valid query`(query: String) { _ = try? QueryString.pairs(query) }
}
