import Requests
import TestPacing
import Testing

/// The advice for names that a route does not have.
@Suite(.limitedConcurrency) struct UnknownParameterTests {
    private func errors(
        _ pairs: [(String, String)],
        known: [Parameter] = Parameter.of(.frame),
        encodedPairs: Int = 0
    ) -> [ParameterError] {
        do {
            _ = try FrameParameters(pairs.map { (name: $0.0, value: $0.1) }, known: known, encodedPairs: encodedPairs)
            return []
        } catch {
            return error.all
        }
    }

    private func sentence(_ name: String, known: [Parameter] = Parameter.of(.frame)) throws -> String {
        let error = try #require(errors([(name, "1")], known: known).first)
        #expect(error.isUnknown)
        return error.sentence
    }

    @Test(arguments: [
        ("asspect", "aspect"), ("Width", "width"), ("WIDTH", "width"), ("heigth", "height"), ("hieght", "height"),
        ("widht", "width"), ("qualtiy", "quality"), ("gravty", "gravity"), ("min_face", "minFace"),
        ("min-face", "minFace"), ("backdropurl", "backdropUrl"), ("max_bytes", "maxBytes"), ("fromat", "format"),
        ("zooom", "zoom"), ("aspekt", "aspect"), ("roatte", "rotate"), ("paddding", "padding"),
        ("backgroundcolr", "background"), ("maxage", "maxAge"), ("Maxage", "maxAge"), ("max-age", "maxAge"),
        ("signatur", "signature"), ("Expires", "expires"), ("max_upload", "maxUpload"),
    ])
    func `a misspelt name gets the nearest name as a suggestion`(name: String, nearest: String) throws {
        #expect(try sentence(name) == "Unknown parameter \(name). Did you mean \(nearest)?")
        #expect(errors([(name, "1")]).first?.expected == nearest)
    }

    @Test(arguments: ["foo", "b", "hello", "xyzzy", "wizard", "a-name-that-is-like-no-other", "fall", "gate"])
    func `a name that differs in more than a third of its letters gets no suggestion`(name: String) throws {
        #expect(try sentence(name) == "Unknown parameter \(name). All parameters are listed in docs/parameters.md.")
    }

    @Test(arguments: [
        ("ratio", "aspect"), ("ar", "aspect"), ("w", "width"), ("h", "height"), ("q", "quality"), ("fm", "format"),
        ("bg", "background"), ("src", "url"), ("image", "url"), ("img", "url"), ("max-w", "width"),
        ("max_width", "width"),
        ("maxWidth", "width"), ("imwidth", "width"), ("rot", "rotate"), ("radius", "mask=rounded:24px or mask=circle"),
        ("border-radius", "mask=rounded:24px or mask=circle"), ("blur", "filter=blur:5"), ("sharp", "filter=sharpen:1"),
        ("bri", "filter=brightness:10"), ("grayscale", "filter=mono"), ("size", "width or height"), ("g", "gravity"),
        ("position", "gravity"), ("smart", "gravity"), ("fp-x", "gravity=point:X,Y"), ("rect", "region"),
        ("crop", "gravity, region, aspect or fit"), ("mode", "fit"), ("resizing_type", "fit"), ("strip", "metadata"),
        ("interlace", "progressive"), ("dl", "download"), ("auto", "format=auto"), ("webp", "format=webp"),
        ("device-pixel-ratio", "dpr"), ("scale", "dpr"), ("version", "v"), ("cb", "v"), ("pixelate", "redact"),
        ("facepad", "padding"), ("default", "--fallback-image"),
        ("sig", "signature"), ("upscale", "enlarge"), ("flop", "flip"), ("lqip", "placeholder"), ("icc", "profile"),
    ])
    func `one sentence suggests Headroom's name for a name of another service`(name: String, ours: String) throws {
        let text = try sentence(name)
        #expect(text.hasPrefix("Unknown parameter \(name). Use \(ours)"), "\(text)")
        #expect(text.count < 120)
    }

    @Test func `every name of another service has advice on every route`() throws {
        let names = [
            "w", "h", "q", "crop", "size", "src", "ar", "fm", "bg", "radius", "dpi", "blur", "g", "mode", "dl",
        ]
        for known in [Parameter.of(.frame), Parameter.of([.portraits, .list, .annotated]), Parameter.of(.stream)] {
            for name in names {
                let text = try sentence(name, known: known)
                #expect(text.contains(" Use ") || text.contains(" is a parameter of /"), "\(name): \(text)")
            }
        }
    }

    @Test(arguments: [
        "utm_source", "utm_medium", "UTM_Campaign", "fbclid", "gclid", "msclkid", "mc_eid", "_ga", "_hsenc", "igshid",
        "ttclid",
        "srsltid", "yclid", "gbraid", "pk_campaign",
    ])
    func `a tracking parameter is not compared with other names`(name: String) throws {
        #expect(
            try sentence(name)
                == "Unknown parameter \(name). It is a tracking parameter, which has no effect on images: remove it."
        )
    }

    @Test(arguments: [
        ("_token", "is a field that your uploader or framework adds; leave it out."),
        ("csrfmiddlewaretoken", "is a field that your uploader or framework adds; leave it out."),
        ("MAX_FILE_SIZE", "is a field that your uploader or framework adds; leave it out."),
        ("authenticity_token", "is a field that your uploader or framework adds; leave it out."),
        ("relativePath", "is a field that your uploader or framework adds; leave it out."),
        (
            "dzuuid",
            "is a field of chunked uploads; chunked uploads are not supported, so send the file in one request."
        ),
        (
            "dzchunkbyteoffset",
            "is a field of chunked uploads; chunked uploads are not supported, so send the file in one request."
        ),
        ("callback", "is a parameter of JSONP, which is not supported; leave it out."),
        ("jsonp", "is a parameter of JSONP, which is not supported; leave it out."),
        ("signature", "is allowed only in the query."), ("maxAge", "is allowed only in the query."),
        ("expires", "is allowed only in the query."), ("maxUpload", "is allowed only in the query."),
        ("digest", "is allowed only in the query."),
    ])
    func `a name that is not a parameter by mistake is explained`(name: String, rule: String) throws {
        #expect(try sentence(name) == "\(name) \(rule)")
    }

    @Test(arguments: [
        ("name", "Use download instead. If your uploader or framework adds it, leave it out."),
        ("type", "Use format instead. If your uploader or framework adds it, leave it out."),
        ("expiry", "Use expires, in seconds since 1970, instead."),
        ("default", "Use --fallback-image, a setting of the service, instead."),
        ("amp;width", "The URL contains the HTML escape &amp; in place of &: write & only."),
        ("width=100", "Do not encode the = between a name and its value."),
        ("width%3D100", "Do not encode the = between a name and its value."),
        ("width%3d100", "Do not encode the = between a name and its value."),
    ])
    func `the advice on a name is a whole sentence`(name: String, advice: String) throws {
        #expect(try sentence(name) == "Unknown parameter \(name). \(advice)")
    }

    @Test func `equal sentences are written once`() {
        let errors = errors([("filter[]", "mono"), ("filter[]", "sepia"), ("dzuuid", "1"), ("dzuuid", "2")])
        #expect(errors.count == 4)
        let text = ParameterError.sentences(errors)
        #expect(text.split(separator: "filter[] is not a parameter", omittingEmptySubsequences: false).count == 2)
        #expect(text.split(separator: "dzuuid is a field", omittingEmptySubsequences: false).count == 2)
    }

    static let elsewhere: [(name: String, route: Parameter.Routes, advice: String)] = [
        ("upright", .frame, "upright is a parameter of /faces and /faces/N, not of this route."),
        ("align", .frame, "align is a parameter of /faces and /faces/N, not of this route."),
        ("lookAhead", .frame, "lookAhead is a parameter of /stream, not of this route."),
        ("zoom", .portraits, "zoom is a parameter of /frame and /stream, not of this route."),
        (
            "gravity", [.portraits, .list, .annotated],
            "gravity is a parameter of /frame and /stream, not of this route."
        ),
        ("upwright", .frame, "Unknown parameter upwright. upright is a parameter of /faces and /faces/N."),
        ("fp-z", .portraits, "Unknown parameter fp-z. zoom is a parameter of /frame and /stream."),
    ]

    @Test(arguments: elsewhere)
    func `a parameter of another route is named with that route`(
        name: String,
        route: Parameter.Routes,
        advice: String
    ) throws {
        #expect(try sentence(name, known: Parameter.of(route)) == advice)
    }

    @Test func `a parameter that only requests have is not allowed elsewhere`() throws {
        let known = Parameter.of(.frame).filter { $0 != .url }
        #expect(try sentence("url", known: known) == "url is not allowed here.")
    }

    private static let url = ("url", "http://o/p?a=1")

    @Test(arguments: [
        (["b"], "Unknown parameter b, which belongs to url: write the & before it as %26, and encode all of url."),
        (
            ["b", "c", "d"],
            "Unknown parameters b, c and d, which belong to url: write the & before them as %26, and encode all of url."
        ),
        (
            ["w"], "Unknown parameter w. Use width instead. If w belongs to url, write the & before it as %26."
        ),
        (
            ["widht"],
            "Unknown parameter widht. Did you mean width? If widht belongs to url, write the & before it as %26."
        ),
        (
            ["aspect", "b"],
            "Unknown parameter b, which belongs to url: write the & before it as %26, and encode all of url."
        ),
    ])
    func `a parameter that belongs to an unencoded URL is named`(names: [String], text: String) {
        let pairs = [Self.url] + names.map { ($0, $0 == "aspect" ? "1:1" : "2") } + [("quality", "80")]
        let errors = errors(pairs, encodedPairs: pairs.count)
        #expect(ParameterError.sentences(errors) == text)
        #expect(errors.count == names.count { $0 != "aspect" })
    }

    @Test func `an unencoded query is also detected after another service's name for url`() {
        let pairs = [("src", "https://o/p?a=1"), ("b", "2")]
        let text = ParameterError.sentences(errors(pairs, encodedPairs: 2))
        #expect(text.contains("Unknown parameter b, which belongs to src: write the & before it as %26"))
    }

    @Test func `the error for a repeated or invalid parameter suggests that it belongs to a URL`() {
        let repeated = [("width", "400"), Self.url, ("width", "800")]
        let advice = "If width belongs to url, write the & before it as %26."
        #expect(ParameterError.sentences(errors(repeated, encodedPairs: 3)) == "width is allowed only once. \(advice)")
        let invalid = [Self.url, ("width", "full")]
        #expect(ParameterError.sentences(errors(invalid, encodedPairs: 2)).hasSuffix(advice))
        let apart = [Self.url, ("zoom", "1"), ("width", "full")]
        #expect(!ParameterError.sentences(errors(apart, encodedPairs: 3)).contains("%26"))
    }

    @Test(arguments: [
        [("url", "http://o/p?a=1&x=2"), ("b", "2")], [("b", "2"), ("url", "http://o/p?a=1")],
        [("url", "http://o/p"), ("b", "2")], [("v", "why?"), ("b", "2")],
    ])
    func `other unknown parameters do not count as parts of a URL`(pairs: [(String, String)]) {
        #expect(!ParameterError.sentences(errors(pairs, encodedPairs: 2)).contains("%26"))
    }

    @Test func `members of JSON do not count as parts of a URL`() {
        #expect(!ParameterError.sentences(errors([Self.url, ("b", "2")], encodedPairs: 0)).contains("%26"))
    }
}
