import Requests
import TestPacing
import Testing

/// Booleans and lists in the notations of clients.
@Suite(.limitedConcurrency) struct BooleanTextTests {
    private static let words: [(text: String, value: Bool)] = [
        ("true", true), ("True", true), ("TRUE", true), ("1", true), ("yes", true), ("Yes", true), ("on", true),
        ("ON", true),
        ("false", false), ("False", false), ("0", false), ("no", false), ("NO", false), ("off", false), ("Off", false),
    ]

    @Test func `each word is accepted for every boolean parameter`() throws {
        let booleans = Parameter.all.filter { $0.values.kind == .boolean }
        #expect(booleans.count > 3)
        for parameter in booleans {
            for (text, _) in Self.words {
                var pairs = [(name: parameter.name, value: text)]
                if parameter == .progressive { pairs.append(("format", "jpeg")) }
                #expect(throws: Never.self, "\(parameter)=\(text)") {
                    try FrameParameters(pairs, known: Parameter.of(.all))
                }
            }
        }
        for (text, value) in Self.words { #expect(BooleanText.value(text) == value) }
    }

    @Test(arguments: ["", "2", "t", "y", "ja", "truee", " true", "on ", "\u{ff54}rue", "nan"])
    func `other text is not a boolean`(text: String) { #expect(BooleanText.value(text) == nil) }

    /// Repeated parameters and lists in brackets, and the sentence of their error.
    private static let repeated: [(pairs: [(name: String, value: String)], sentence: String)] = [
        (
            [("filter", "mono"), ("filter", "sharpen:1")],
            "filter is allowed only once: separate the values with commas."
        ),
        ([("aspect", "1:1"), ("aspect", "16:9")], "aspect is allowed only once: separate the values with commas."),
        (
            [("focus", "0,0,1,1"), ("focus", "0,0,0.5,1")],
            "focus is allowed only once: separate the values with semicolons."
        ),
        ([("width", "1"), ("width", "1")], "width is allowed only once."),
        (
            [("filter[]", "mono"), ("filter[]", "sharpen:1")],
            "filter[] is not a parameter: write filter once, and separate the values with commas."
        ),
        (
            [("aspect[0]", "1:1")],
            "aspect[0] is not a parameter: write aspect once, and separate the values with commas."
        ),
        (
            [("overlay[a]", "halo")],
            "overlay[a] is not a parameter: write overlay once, and separate the values with commas."
        ),
        ([("width[]", "5")], "width[] is not a parameter: write width once."),
    ]

    @Test func `the error for a list advises how to separate its values`() throws {
        for (pairs, sentence) in Self.repeated {
            let errors = #expect(throws: ParameterErrors.self) {
                try FrameParameters(pairs, known: Parameter.of(.frame))
            }
            #expect(errors?.all.first?.sentence == sentence)
        }
    }
}
