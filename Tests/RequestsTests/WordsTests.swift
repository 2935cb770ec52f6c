import Framing
import Geometry
import Imaging
import Requests
import TestPacing
import Testing

/// The parsing of words in parameters.
@Suite(.limitedConcurrency) struct WordsTests {
    static let ratios: [(String, Double)] = [
        ("16:9", 16.0 / 9), ("1.91:1", 1.91), ("1.5", 1.5), ("1", 1), (".5", 0.5), ("1:100", 0.01), ("100", 100),
    ]

    @Test(arguments: ratios)
    func `an aspect ratio is parsed`(text: String, value: Double) throws {
        let ratio = try #require(AspectRatio(text))
        #expect(ratio.value == value)
        #expect(ratio.text == text)
    }

    @Test(arguments: [
        "", ":", "16:", ":9", "16:0", "0", "-1", "16:9:1", "1e3", "inf", "nan", "0x10", "101", "0.009", "16/9", " 1",
        "1 ",
        "+1", "1..5", ".", "1,5",
    ])
    func `any other text is rejected as an aspect ratio`(text: String) {
        #expect(AspectRatio(text) == nil)
    }

    @Test(arguments: [
        ("faces", Gravity.faces), ("largest", .largest), ("smallest", .smallest), ("face:12", .face(12)),
        ("centermost", .centermost), ("attention", .attention),
        ("center", .center), ("top", .top), ("bottom", .bottom), ("left", .left),
        ("right", .right),
        ("point:0.25,1", .point(x: 0.25, y: 1)), ("subject", .subject), ("object:dog", .object([WantedClass(.dog)])),
        (
            "object:person:2,traffic-light,cat:0.5",
            .object([WantedClass(.person, weight: 2), WantedClass(.trafficLight), WantedClass(.cat, weight: 0.5)])
        ),
    ])
    func `a gravity is parsed`(text: String, gravity: Gravity) {
        #expect(Gravity(text) == gravity)
    }

    @Test(arguments: [
        "", "face", "Faces", "face:", "face:0", "face:-1", "face:+1", "face:1.5", "point:", "point:0.5", "point:2,0",
        "point:0,nan", "point:0.5,0.5,0.5", "north", "face:99999999999999999999",
        "object", "object:", "object:,", "object:dog,", "object:unicorn", "object:Dog", "object:dog,dog",
        "object:dog:0",
        "object:dog:-1", "object:dog:nan", "object:dog:1e3", "object:dog:17", "object:dog:", "object:dog:1:2",
        "object:traffic light",
    ])
    func `any other text is rejected as a gravity`(text: String) {
        #expect(Gravity(text) == nil)
    }

    @Test(arguments: [
        ("center", Placement.center), ("keep", .keep), ("thirds", .thirds), ("0.25,1", .at(x: 0.25, y: 1)),
        ("0,.5", .at(x: 0, y: 0.5)),
    ])
    func `a position is parsed`(text: String, place: Placement) {
        #expect(Placement(text) == place)
    }

    @Test(arguments: [
        "", "0.5", "0.5,", ",", "0.5,0.5,0.5", "1.1,0", "-0.1,0", "point:0.5,0.5", "middle", "nan,0", "1e-1,0",
    ])
    func `any other text is rejected as a position`(text: String) {
        #expect(Placement(text) == nil)
    }

    @Test(arguments: [
        ("attention", Fallback.attention), ("bottom-left", .bottomLeft), ("error", .error),
        ("point:0.25,1", .point(x: 0.25, y: 1)),
    ])
    func `a fallback is parsed`(text: String, fallback: Fallback) {
        #expect(Fallback(text) == fallback)
    }

    @Test(arguments: ["", "point", "point:", "point:0.5", "point:2,0", "0.5,0.5", "faces", "topLeft"])
    func `any other text is rejected as a fallback`(text: String) {
        #expect(Fallback(text) == nil)
    }

    @Test(arguments: [
        ("0,0,1,1,-1", -1.0), ("0,0,1,1,-0.01", -0.01), ("0,0,1,1,-10", -10), ("0,0,1,1,2.5", 2.5), ("0,0,1,1", 1),
    ])
    func `the weight of a focal area may be negative`(text: String, weight: Double) {
        #expect(FocalArea(text)?.weight == weight)
    }

    @Test(arguments: ["0,0,1,1,-0", "0,0,1,1,--1", "0,0,1,1,-10.5", "0,0,1,1,-", "0,0,1,1,0", "-0.1,0,1,1"])
    func `any other text is rejected as a focal area`(text: String) {
        #expect(FocalArea(text) == nil)
    }

    @Test(arguments: [
        ("0.2", Padding.fraction(0.2)), ("0", .fraction(0)), ("10", .fraction(10)), ("24px", .pixels(24)),
        ("0px", .pixels(0)),
    ])
    func `padding is parsed`(text: String, padding: Padding) {
        #expect(Padding(text) == padding)
    }

    @Test(arguments: ["", "px", "-1", "-1px", "1.5px", "11", "100001px", "5%", "nan", "1e1"])
    func `any other text is rejected as padding`(text: String) {
        #expect(Padding(text) == nil)
    }

    @Test(arguments: [
        ("ffffff", Background.white), ("FFFFFF", .white), ("fff", .white), ("#fff", .white), ("#FfFfFf", .white),
        ("012abC", .color(red: 1, green: 42, blue: 188)), ("08f", .color(red: 0, green: 136, blue: 255)),
        ("transparent", .transparent), ("blur", .blur),
    ])
    func `a background is parsed`(text: String, background: Background) {
        #expect(Background(text) == background)
    }

    @Test(arguments: [
        "", "#", "##fff", "#transparent", "ff", "ffff", "fffff", "fffffff", "ffffffff", "ggg", "white", "Blur", " fff",
        "fff ", "0xffffff", "rgb(1,2,3)", "ｆｆｆ", "-ff", "+ff", "\u{0}ff", "fff\u{301}",
    ])
    func `any other text is rejected as a background`(text: String) {
        #expect(Background(text) == nil)
    }
}
