import Requests
import Testing

/// Default parameters and ignored parameters.
@Suite struct DefaultParametersTests {
    private static func defaults() throws -> DefaultParameters {
        DefaultParameters([
            try Preset("all", [("quality", "70"), ("accuracy", "low"), ("format", "webp")]),
            try Preset("frame", [("quality", "80"), ("fallback", "top")]),
        ])
    }

    private static func text(_ route: ImageRoute) throws -> [String] {
        try defaults().values(of: route.name, known: route.defaultParameters, formats: route.formats).map {
            "\($0.parameter.name)=\($0.value)"
        }.sorted()
    }

    @Test func `a section of a route has precedence over the section of all routes`() throws {
        #expect(try Self.text(.frame) == ["accuracy=low", "fallback=top", "format=webp", "quality=80"])
        #expect(DefaultParameters().values(of: "frame", known: Parameter.all, formats: []).isEmpty)
    }

    @Test func `defaults of all routes apply only where they have an effect`() throws {
        #expect(try Self.text(.faces) == ["accuracy=low"])
        #expect(try Self.text(.face(2)) == ["accuracy=low", "format=webp", "quality=70"])
    }

    @Test func `parameters of the request and of its preset have precedence over defaults`() throws {
        let presets = PresetSet([try Preset("card", [("fallback", "bottom"), ("width", "30")])])
        let known = ImageRoute.frame.parameters
        let defaults = try Self.defaults().values(of: "frame", known: known, formats: ImageRoute.frame.formats)
        let pairs = [(name: "preset", value: "card"), (name: "quality", value: "5"), (name: "width", value: "40")]
        let given = try FrameParameters(pairs, known: known, presets: presets, defaults: defaults).given
        #expect(given[.fallback] == "bottom" && given[.quality] == "5" && given[.width] == "40")
        #expect(given[.format] == "webp" && given[.accuracy] == "low")
    }

    @Test(arguments: [
        ("none", "none"), ("fbclid", "fbclid"), ("utm_*, fbclid,gclid", "fbclid,gclid,utm_*"), ("a.b-c_D9", "a.b-c_D9"),
    ])
    func `names and prefixes are parsed`(text: String, expected: String) throws {
        #expect(try #require(IgnoredParameters(text, besides: [])).text == expected)
    }

    @Test(arguments: [
        "", ",", "a,,b", "*", "u*", "utm_**", "utm*x", "a b", "a=b", "a&b", "\u{E9}", "width", "widt*", "key", "v",
        "url",
        "expires", "signat*", String(repeating: "a", count: 65),
        (1...101).map { "x\($0)" }.joined(separator: ","),
    ])
    func `other texts, and names of parameters, are rejected`(text: String) {
        #expect(IgnoredParameters(text, besides: ["signature", "expires"]) == nil)
    }

    @Test func `names are compared exactly, and prefixes with the start of names`() throws {
        let ignored = try #require(IgnoredParameters("utm_*,fbclid", besides: []))
        for name in ["utm_", "utm_source", "utm_\u{E9}", "fbclid"] { #expect(ignored.contains(name), "\(name)") }
        for name in ["", "utm", "UTM_source", "fbclid2", "xfbclid", "fbcli"] {
            #expect(!ignored.contains(name), "\(name)")
        }
        #expect(!IgnoredParameters().contains(""))
    }
}
