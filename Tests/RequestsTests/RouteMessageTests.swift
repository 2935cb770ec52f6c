import Requests
import TestPacing
import Testing

/// Messages name only parameters that the route has.
@Suite(.limitedConcurrency) struct RouteMessageTests {
    /// Valid and invalid values of a parameter.
    private static func values(_ parameter: Parameter) -> [String] {
        let own: [String] =
            switch parameter.values.kind {
            case .words(let words): Array(words.prefix(3))
            case .boolean: ["true"]
            case .decimal(let range): ["\(range.upperBound)"]
            case .whole(let range): ["\(range.upperBound)"]
            case .text: texts[parameter.name] ?? []
            }
        return own + ["x"]
    }

    private static let texts: [String: [String]] = [
        "aspect": ["16:9", "faces", "16:9,1:1"], "width": ["40", "auto", "50%"], "height": ["30", "50%"], "dpr": ["2"],
        "background": ["ff0000", "blur", "transparent"], "region": ["0,0,0.5,0.5"], "gravity": ["center", "face:2"],
        "focus": ["0,0,1,1", "0,0,1,1,-1"], "padding": ["0.2"], "offset": ["1px,1px"], "place": ["thirds"],
        "mask": ["circle"], "filter": ["mono"], "quality": ["80", "source"], "format": ["json", "html", "png", "zip"],
        "redactFaces": ["none", "1"], "redactAreas": ["0,0,1,1"], "url": ["http://o/a.jpg"],
    ]

    @Test(arguments: [Parameter.Routes.frame, [.portraits, .list, .annotated], .stream])
    func `errors of pairs of parameters name only parameters of the route`(route: Parameter.Routes) {
        let known = Parameter.of(route)
        let names = Set(known.map(\.name))
        let foreign = Parameter.all.map(\.name).filter { !names.contains($0) }
        var sentences: Set<String> = []
        for first in known {
            for second in known where first != second {
                for value in Self.values(first) {
                    for other in Self.values(second) {
                        do {
                            _ = try FrameParameters([(first.name, value), (second.name, other)], known: known)
                        } catch {
                            sentences.formUnion(error.all.map(\.sentence))
                        }
                    }
                }
            }
        }
        #expect(sentences.count > 20)
        for sentence in sentences {
            for name in foreign {
                #expect(!sentence.contains(" \(name)="), "\(sentence)")
            }
        }
    }

    private static let pixels = "a whole number of pixels from 1 to 16384"

    private static let accepted: [(known: [Parameter], hints: ClientHints?, name: String, expected: String)] = [
        (Parameter.of(.frame), ClientHints(), "width", "\(pixels), a percentage, for example 50%, or auto"),
        (Parameter.of(.frame), ClientHints(), "height", "\(pixels), or a percentage, for example 50%"),
        (Parameter.of(.frame), ClientHints(), "dpr", "a number from 0.1 to 5, or auto"),
        (Parameter.of(.frame), ClientHints(), "quality", "a whole number from 1 to 100, source or auto"),
        (Parameter.all, nil, "width", "\(pixels), or a percentage, for example 50%"),
        (Parameter.all, nil, "dpr", "a number from 0.1 to 5"),
        (Parameter.all, nil, "quality", "a whole number from 1 to 100, or source"),
        (Parameter.of(.stream), nil, "width", pixels), (Parameter.of(.stream), nil, "height", pixels),
        (Parameter.of(.stream), nil, "quality", "a whole number from 1 to 100"),
    ]

    @Test func `the error for a value lists the values that the route accepts`() {
        for (known, hints, name, expected) in Self.accepted {
            for value in hints == nil ? ["auto", "x"] : ["x"] {
                let error = #expect(throws: ParameterErrors.self) {
                    try FrameParameters([(name, value)], known: known, hints: hints)
                }
                #expect(error?.all.first?.expected == expected)
            }
        }
    }

    @Test(arguments: [FrameParameters.Format.ofFace, FrameParameters.Format.ofFaces, FrameParameters.Format.ofStream])
    func `the error for an unknown format lists the formats of the route`(formats: [String]) {
        let error = #expect(throws: ParameterErrors.self) {
            try FrameParameters([("format", "bmp")], known: Parameter.all, formats: formats)
        }
        #expect(error?.all.first?.expected == "one of \(formats.joined(separator: ", "))")
    }
}
