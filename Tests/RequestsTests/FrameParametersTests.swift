import Framing
import Geometry
import Imaging
import Pipeline
import Requests
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct FrameParametersTests {
    private func read(
        _ pairs: [(String, String)],
        known: [Parameter] = Parameter.all
    ) throws(ParameterErrors) -> FrameParameters {
        try FrameParameters(pairs.map { (name: $0.0, value: $0.1) }, known: known)
    }

    private func errors(
        _ pairs: [(String, String)],
        known: [Parameter] = Parameter.all
    ) throws -> [ParameterError] {
        try #require(throws: ParameterErrors.self) { try read(pairs, known: known) }.all
    }

    @Test(arguments: [
        ("aspect", "16:9"), ("aspect", "1.5"), ("aspect", "1.91:1"), ("aspect", "1:100"), ("aspect", "100"),
        ("aspect", "16:9,1:1,9:16"),
        ("width", "1"), ("width", "16384"), ("height", "1"), ("height", "16384"),
        ("dpr", "1"), ("dpr", "1.5"), ("dpr", "5"),
        ("enlarge", "true"), ("enlarge", "false"), ("enlarge", "1"), ("enlarge", "0"),
        ("gravity", "faces"), ("gravity", "largest"), ("gravity", "smallest"), ("gravity", "face:1"),
        ("gravity", "face:12"), ("gravity", "center"), ("gravity", "top"), ("gravity", "bottom"),
        ("gravity", "left"), ("gravity", "right"), ("gravity", "point:0,1"), ("gravity", "point:.5,0.333"),
        ("gravity", "attention"), ("gravity", "top-left"), ("gravity", "bottom-right"), ("fallback", "attention"),
        ("region", "0,0,1,1"), ("region", "0.1,20px,.5,100000px"), ("region", "inset,1px,0.2,3px,0"),
        ("filter", "hue:360,gamma:2.2"), ("trim", "0"), ("trim", "255"),
        ("focus", "0,0,1,1"), ("focus", "0,0,1,1,0.01;1px,1px,9px,9px,10"),
        ("rotate", "0"), ("rotate", "90"), ("rotate", "180"), ("rotate", "270"),
        ("flip", "horizontal"), ("flip", "vertical"), ("flip", "both"),
        ("fallback", "center"), ("fallback", "top"), ("fallback", "original"), ("fallback", "error"),
        ("fit", "cover"), ("fit", "inside"), ("fit", "fill"), ("fit", "pad"), ("fit", "auto"),
        ("zoom", "0"), ("zoom", "0.5"), ("zoom", "1"),
        ("padding", "0"), ("padding", "0.2"), ("padding", "10"), ("padding", "24px"), ("padding", "100000px"),
        ("place", "center"), ("place", "thirds"), ("place", "left"), ("place", "right"), ("place", "top"),
        ("place", "bottom"),
        ("accuracy", "low"), ("accuracy", "high"),
        ("format", "auto"), ("format", "jpeg"), ("format", "jpg"), ("format", "png"), ("format", "webp"),
        ("format", "json"), ("format", "focus"),
        ("quality", "1"), ("quality", "100"), ("profile", "srgb"), ("profile", "keep"),
        ("url", "http://example.com/"),
    ])
    func `a valid value is accepted`(name: String, value: String) throws {
        _ = try read([(name, value)])
    }

    @Test(arguments: [
        ("aspect", ""), ("aspect", "16:"), ("aspect", ":9"), ("aspect", "16:9:1"), ("aspect", "0"), ("aspect", "1:0"),
        ("aspect", "0:0"), ("aspect", "-1"), ("aspect", "1e1"), ("aspect", "nan"), ("aspect", "inf"), ("aspect", "101"),
        ("aspect", "1:101"), ("aspect", "16/9"), ("aspect", " 1"), ("aspect", "16:9,"), ("aspect", ",1"),
        ("aspect", "."), ("aspect", "1..2"),
        ("width", ""), ("width", "0"), ("width", "16385"), ("width", "-1"), ("width", "+1"), ("width", "1.5"),
        ("width", "0x10"), ("width", "99999999999999999999"), ("width", "４"), ("height", "0"), ("height", "16385"),
        ("dpr", "0.09"), ("dpr", "5.1"), ("dpr", "x"), ("dpr", "nan"),
        ("enlarge", ""), ("enlarge", "maybe"), ("enlarge", "2"),
        ("gravity", ""), ("gravity", "Faces"), ("gravity", "face"), ("gravity", "face:"), ("gravity", "face:0"),
        ("gravity", "face:-1"), ("gravity", "face:1.5"), ("gravity", "point"), ("gravity", "point:1"),
        ("gravity", "point:0,1.1"), ("gravity", "point:0,0,0"), ("gravity", "point:,"),
        ("gravity", "left-top"), ("gravity", "topleft"), ("gravity", "focus"),
        ("region", ""), ("region", "0,0,1"), ("region", "0,0,1,1,1"), ("region", "0,0,0,1"), ("region", "0,0,1,0px"),
        ("region", "0,0,1.1,1"), ("region", "10%,0,1,1"), ("region", "-0.1,0,1,1"), ("region", "0,0,100001px,1"),
        ("region", "0,0,1.5px,1"), ("region", "0, 0,1,1"), ("region", "inset,1px,0,0"), ("region", "inset,1px,0,0,2"),
        ("filter", "hue:361"), ("region", "100,50,300,200"),
        ("trim", "-1"), ("trim", "256"), ("trim", "true"), ("trim", "1.5"), ("trim", ""),
        ("focus", ""), ("focus", "0,0,1"), ("focus", "0,0,1,1,0"), ("focus", "0,0,1,1,10.1"), ("focus", "0,0,1,1;"),
        ("focus", "0,0,1,1,1,1"),
        ("rotate", ""), ("rotate", "45"), ("rotate", "360"), ("rotate", "-90"), ("rotate", "090"),
        ("flip", ""), ("flip", "none"), ("flip", "h"),
        ("fallback", ""), ("fallback", "Center"), ("fallback", "middle"),
        ("zoom", "1.1"), ("zoom", "-0"), ("zoom", "50%"),
        ("padding", "10.1"), ("padding", "px"), ("padding", "1.5px"), ("padding", "100001px"), ("padding", "-1"),
        ("place", ""), ("place", "middle"), ("place", "Left"), ("place", "third"),
        ("accuracy", "medium"), ("accuracy", "HIGH"),
        ("format", "tiff"), ("format", "JPEG"), ("format", ""),
        ("quality", "0"), ("quality", "101"), ("quality", "80.5"),
    ])
    func `an invalid value is rejected with the received and the expected value`(name: String, value: String) throws {
        let errors = try errors([(name, value)])
        #expect(errors.count == 1)
        #expect(errors.first?.name == name)
        #expect(errors.first?.received == value)
        #expect(errors.first?.sentence.hasPrefix("\(name)=\(value) is not valid: expected ") == true)
    }

    @Test func `the defaults equal the service's defaults`() throws {
        let parameters = try read([])
        #expect(parameters.url == nil)
        #expect(parameters.options.aspects == [nil])
        #expect(parameters.options.framing == FramingRequest())
        #expect(parameters.options.resultSize == ResultSize())
        #expect(parameters.options.accuracy == .high)
        #expect(parameters.format == .auto)
        #expect(parameters.quality == nil)
    }

    @Test func `every parameter sets its option`() throws {
        let parameters = try read([
            ("url", "http://example.com/a.jpg"), ("aspect", "2:1"), ("width", "200"), ("height", "100"), ("dpr", "2"),
            ("enlarge", "true"), ("gravity", "face:2"), ("fallback", "error"), ("zoom", "0.25"), ("padding", "9px"),
            ("place", "thirds"),
            ("accuracy", "low"), ("format", "png"), ("quality", "7"),
        ])
        #expect(parameters.url == "http://example.com/a.jpg")
        #expect(parameters.options.aspects == [AspectRatio("2:1")])
        #expect(parameters.options.resultSize.width == 200)
        #expect(parameters.options.resultSize.height == 100)
        #expect(parameters.options.resultSize.devicePixelRatio == 2)
        #expect(parameters.options.resultSize.allowsEnlargement)
        #expect(parameters.options.framing.gravity == .face(2))
        #expect(parameters.options.framing.fallback == .error)
        #expect(parameters.options.framing.zoom == 0.25)
        #expect(parameters.options.framing.padding == .pixels(9))
        #expect(parameters.options.framing.place == .thirds)
        #expect(parameters.options.accuracy == .low)
        #expect(parameters.format == .image(.png))
        #expect(parameters.quality == 7)
    }

    @Test func `all errors are reported at once`() throws {
        let errors = try errors([("zoom", "2"), ("aspect", "x"), ("nonsense-of-mine", "1"), ("quality", "0")])
        #expect(Set(errors.map(\.name)) == ["zoom", "aspect", "nonsense-of-mine", "quality"])
    }

    @Test func `names that are too long or not ASCII are rejected without further checks`() throws {
        let long = String(repeating: "a", count: 65)
        #expect(
            try errors([("zoom", "no"), ("wi\u{308}dth", "1"), (long, "1")]).map(\.name) == ["wi\u{308}dth", long]
        )
    }

    @Test(arguments: Parameter.all)
    func `only URLs, versions and file names may contain non-ASCII characters`(parameter: Parameter) throws {
        let others: [Parameter] = [.url, .backdropURL, .version, .download]
        // A non-ASCII decimal digit, a non-ASCII letter, and a letter with a combining mark.
        for value in ["\u{661}", "\u{FF41}", "e\u{301}"] {
            do {
                let known = Parameter.of(.all)
                let given = try FrameParameters([(parameter.name, value), ("chromaKey", "00ff00")], known: known).given
                #expect(others.contains(parameter) && given[parameter] == value)
            } catch {
                #expect(error.all.contains { $0.name == parameter.name } && !others.contains(parameter))
            }
        }
    }

    @Test func `only the first unknown names get suggestions`() throws {
        let all = try errors((0..<20).map { ("heigth\($0)", "1") })
        #expect(all.count == 20 && all[0].expected == "height" && all[19].expected == "a known name")
    }

    @Test func `a repeated parameter is rejected, even with the same value`() throws {
        let errors = try errors([("zoom", "0"), ("zoom", "0")])
        #expect(errors.map(\.expected) == ["zoom only once"])
    }

    @Test func `without aspect, width and height determine the aspect ratio`() throws {
        #expect(
            try read([("width", "300"), ("height", "200")]).options.aspects == [
                AspectRatio(ofResult: PixelSize(width: 300, height: 200))
            ]
        )
        #expect(try errors([("width", "16384"), ("height", "1")]).map(\.name) == ["height"])
    }

    @Test(arguments: [("160", "90"), ("160", "91"), ("1600", "900")])
    func `width, height and aspect may be combined if they agree`(width: String, height: String) throws {
        #expect(try read([("width", width), ("height", height), ("aspect", "16:9")]).options.aspects.count == 1)
    }

    @Test func `width, height and aspect that disagree are rejected`() throws {
        #expect(try errors([("width", "160"), ("height", "120"), ("aspect", "16:9")]).map(\.name) == ["aspect"])
        #expect(try errors([("width", "160"), ("height", "90"), ("aspect", "16:9,1:1")]).map(\.name) == ["aspect"])
    }

    @Test func `the aspect ratio and size of a rotated output apply after the rotation`() throws {
        let asked = [("aspect", "16:9,1:2"), ("width", "160"), ("flip", "horizontal")]
        let plain = try read(asked).options
        #expect(plain.turn == .upMirrored)
        let half = try read(asked + [("rotate", "180")]).options
        #expect(half.turn == .downMirrored && half.aspects == plain.aspects && half.resultSize == plain.resultSize)
        let quarter = try read(asked + [("rotate", "90")]).options
        #expect(quarter.turn == .leftMirrored)
        #expect(quarter.aspects.map { $0?.text } == ["16:9", "1:2"])
        #expect(quarter.aspects.map { $0?.value } == [1 / (16.0 / 9), 2])
        #expect(quarter.resultSize.width == nil && quarter.resultSize.height == 160)
        let both = try read([("width", "300"), ("height", "200"), ("rotate", "270")]).options
        #expect(both.aspects[0]?.value == 200.0 / 300 && both.resultSize.height == 300)
    }

    @Test func `a box is not an aspect ratio`() throws {
        let options = try read([("fit", "inside"), ("width", "16384"), ("height", "1")]).options
        #expect(options.aspects == [nil])
    }

    @Test func `focal areas replace faces unless a gravity selects faces`() throws {
        let alone = try read([("focus", "0.1,0.2,30px,0.4;0,0,1,1,2")]).options.framing
        #expect(alone.gravity == .focus && !alone.needsFaces)
        #expect(alone.focal.map(\.weight) == [1, 2])
        #expect(
            alone.focal[0].region == Region(x: .share(0.1), y: .share(0.2), width: .pixels(30), height: .share(0.4))
        )
        for gravity in ["faces", "largest", "smallest", "face:2"] {
            let framing = try read([("focus", "0,0,1,1"), ("gravity", gravity)]).options.framing
            #expect(framing.gravity == Gravity(gravity) && framing.needsFaces)
        }
        for gravity in ["center", "top-left", "attention", "point:0,1"] {
            #expect(try errors([("focus", "0,0,1,1"), ("gravity", gravity)]).map(\.name) == ["focus"])
        }
    }

    @Test(arguments: [
        ("object:unicorn", "a class of docs/framing.md#subjects, in place of unicorn"),
        ("object:person:2,dgo", "dog, or another class of docs/framing.md#subjects, in place of dgo"),
    ])
    func `the error for a gravity names the unknown class`(gravity: String, expected: String) throws {
        #expect(try errors([("gravity", gravity)]).map(\.expected) == [expected])
    }

    @Test func `the number of focal areas is limited`() throws {
        let maximum = Array(repeating: "0,0,1,1", count: FocalArea.maxCount)
        #expect(try read([("focus", maximum.joined(separator: ";"))]).options.framing.focal.count == FocalArea.maxCount)
        #expect(try errors([("focus", (maximum + ["0,0,1,1"]).joined(separator: ";"))]).map(\.name) == ["focus"])
    }

    @Test(arguments: [("rotate", "90"), ("flip", "both"), ("filter", "mono")])
    func `a lossless crop cannot be rotated`(name: String, value: String) throws {
        let errors = try errors([("losslessCrop", "true"), (name, value)])
        #expect(errors.map(\.sentence) == ["losslessCrop=true is not allowed with \(name)."])
        #expect(errors.map(\.expected) == ["no losslessCrop=true"])
    }

    @Test func `filters are an ordered list`() throws {
        let filters = try read([("filter", "mono,blur:2.5,sharpen:0,sharpen:1.5:2,vignette,brightness:10,contrast:.5")])
            .options
            .filters
        #expect(
            filters == [
                .mono, .blur(2.5), .sharpen(0), .sharpen(1.5, radius: 2), .vignette, .brightness(10), .contrast(0.5),
            ]
        )
        #expect(try read([]).options.filters.isEmpty)
    }

    @Test(arguments: ImageFilter.Name.allCases)
    func `every filter can be requested by its name, with the numbers of its row`(name: ImageFilter.Name) {
        let numbers = FilterRow.row(of: name).numbers
        #expect((ImageFilter(name.rawValue) == nil) == (numbers.maximum != nil), "the name alone")
        #expect((ImageFilter("\(name.rawValue):1") == nil) == (numbers.maximum == nil), "the name and a number")
        let text = numbers.maximum.map { "\(name.rawValue):\(Int($0))" } ?? name.rawValue
        #expect(ImageFilter(text)?.name == name)
        if let maximum = numbers.maximum { #expect(ImageFilter("\(name.rawValue):\(Int(maximum) + 1)") == nil) }
    }

    @Test(arguments: [
        "", "mono,", "Mono", "blur", "blur:", "blur:100.1", "blur:-1", "blur:1e1", "blur:nan", "blur:1:2", "mono:1",
        "sharpen:11", "sharpen:1:", "sharpen:1:11", "sharpen:1:1:1", "blur:1:1",
        "brightness:10.5", "mono,mono,mono,mono,mono,mono,mono,mono,mono", "blur: 1", "unknown",
    ])
    func `an unknown filter is rejected`(text: String) throws {
        #expect(try errors([("filter", text)]).map(\.name) == ["filter"])
    }

    @Test func `the number of aspect ratios is limited`() throws {
        let maximum = Array(repeating: "1:1", count: FrameParameters.maxAspects)
        #expect(
            try read([("aspect", maximum.joined(separator: ","))]).options.aspects.count == FrameParameters.maxAspects
        )
        #expect(try errors([("aspect", (maximum + ["1:1"]).joined(separator: ","))]).count == 1)
    }

    @Test func `a value of several megabytes is rejected because of its length and not repeated`() throws {
        let error = try #require(try errors([("aspect", String(repeating: "1,", count: 1_000_000))]).first)
        #expect(error.expected == "at most 8192 bytes")
        #expect(error.sentence.count < 200)
    }
}
