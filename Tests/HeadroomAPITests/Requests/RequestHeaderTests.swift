import Addresses
import HTTPTypes
import HeadroomAPI
import Imaging
import Pipeline
import Requests
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct MediaTypeTests {
    @Test(arguments: [
        ("image/jpeg", "image/jpeg", [:]),
        (" Image/JPEG ", "image/jpeg", [:]),
        ("text/plain; charset=utf-8", "text/plain", ["charset": "utf-8"]),
        ("a/b;X=\"y; z\";q=0.5", "a/b", ["x": "y; z", "q": "0.5"]),
        (#"a/b; x="\"\\""#, "a/b", ["x": #""\"#]),
        ("a/b;;", "a/b", [:]),
        ("a/b; x=", "a/b", ["x": ""]),
        ("a/b; x=\"", "a/b", ["x": "\""]),
        ("*/*;q=0", "*/*", ["q": "0"]),
    ])
    func `a media type and its parameters are parsed`(
        text: String,
        essence: String,
        parameters: [String: String]
    ) throws {
        let media = try #require(MediaType(text))
        #expect(media.essence == essence)
        #expect(media.parameters == parameters)
    }

    @Test(arguments: HostileText.allCases)
    func `parsing time is proportional to the field's length`(kind: HostileText) {
        #expect(
            isLinear(upTo: 200_000) { count in
                let text = kind.text(count)
                _ = MediaType(text)
                _ = MediaType("form-data; name=\"\(text)\"; filename=\(text)")
                _ = MediaType("a/b; \(text)=1")
                _ = AcceptHeader("\(text), \(text);q=0.5, a/b;\(text)").outputFormats
                _ = IfNoneMatch("\"\(text)\", \(text)")
            }
        )
    }

    @Test func `non-ASCII names are invalid`() throws {
        #expect(MediaType("im\u{E4}ge/png") == nil)
        #expect(MediaType("a/b; n\u{E4}me=1") == nil)
        #expect(MediaType("form-data; name=\"\u{E4}\"")?.parameters == ["name": "\u{E4}"])
    }

    @Test(arguments: ["", "  ", ";", ";q=1", "a/b; x"])
    func `a media type without a subtype, or with a parameter without a value, is invalid`(text: String) {
        #expect(MediaType(text) == nil)
    }
}

@Suite(.limitedConcurrency) struct AcceptHeaderTests {
    @Test(arguments: [
        (nil, 1.0, 1.0), ("", 1, 1), ("*/*", 1, 1), ("image/*", 1, 1), ("image/png", 0, 1),
        ("image/png;q=0.5, image/*;q=0.1", 0.1, 0.5), ("*/*;q=0.2, image/jpeg", 1, 0.2), ("image/jpeg;q=0, */*", 0, 1),
        ("text/html", 0, 0), ("image/jpeg;q=9", 1, 0), ("IMAGE/JPEG", 1, 0), ("image/png;q=x", 0, 1), (",,", 1, 1),
    ])
    func `the most specific range determines the weight`(text: String?, jpeg: Double, png: Double) {
        let header = AcceptHeader(text)
        #expect(header.weight(of: "image/jpeg") == jpeg)
        #expect(header.weight(of: "image/png") == png)
    }

    @Test(arguments: [
        (nil, false), ("*/*", false), ("application/json", true), ("application/json, */*", false),
        // The default headers of axios, of jQuery for JSON, and of two libraries.
        ("application/json, text/plain, */*", false), ("application/json, text/javascript, */*; q=0.01", true),
        ("application/json, */*;q=0.5", true), ("application/json;q=0.9, */*;q=0.8", true),
        ("application/json, application/*+json, */*", false), ("*/*;q=0.5, application/json;q=0.5", false),
        // Browsers: for pages, for images in pages, and for scripts.
        ("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8", false),
        ("image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", false),
        ("image/webp,image/avif,image/jxl,image/heic,video/*;q=0.8,image/*,*/*;q=0.5", false), ("text/html", false),
        ("application/json, image/*;q=0, */*", true), ("application/json, text/html", true),
        ("APPLICATION/JSON", true), ("application/json;charset=utf-8", true), ("application/problem+json", false),
        ("application/*", false), ("application/json;q=0", false), ("image/*, application/json;q=0.9", false),
        ("image/*;q=0.5, application/json", true), ("image/jpeg, application/json", false),
        ("text/html, application/xhtml+xml, image/avif, */*;q=0.8", false),
    ])
    func `JSON is selected only if Accept names it with a higher weight than images`(text: String?, expected: Bool) {
        #expect(AcceptHeader(text).prefersJSON == expected)
    }

    @Test(
        arguments: [
            (nil, [.jpeg, .png, .webp, .gif]), ("*/*", [.jpeg, .png, .webp, .gif]),
            ("image/png, image/jpeg;q=0.5", [.jpeg, .png]), ("image/png;q=0.5, image/jpeg", [.jpeg, .png]),
            ("text/html", []), ("image/webp", [.webp]), ("image/png,image/webp", [.webp, .png]),
            ("image/webp,image/png,image/*;q=0.8,*/*;q=0.5", [.webp, .jpeg, .png, .gif]),
            ("image/webp;q=0.5,image/*", [.jpeg, .png, .webp, .gif]), ("image/webp;q=0,*/*", [.jpeg, .png, .gif]),
            ("image/jpeg,image/webp;q=0.5", [.jpeg, .webp]),
        ] as [(String?, [OutputFormat])]
    )
    func `Accept selects one of few format lists, and WebP comes first if it is named`(
        text: String?,
        expected: [OutputFormat]
    ) {
        #expect(AcceptHeader(text).outputFormats == expected)
    }

    #if AVIF
    @Test(
        arguments: [
            ("image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", [.avif, .webp, .jpeg, .png, .gif]),
            ("image/webp,*/*;q=0.1,image/avif", [.avif, .webp, .jpeg, .png, .gif]),
            ("image/avif;q=0.9,image/webp", [.webp, .avif]),
            ("image/avif,image/webp;q=0.9,*/*;q=0.5", [.avif, .webp, .jpeg, .png, .gif]),
            ("image/avif;q=0.5,image/*", [.jpeg, .png, .webp, .gif, .avif]), ("image/avif", [.avif]),
        ] as [(String, [OutputFormat])]
    )
    func `AVIF comes first if it is named and no type has a higher weight`(text: String, expected: [OutputFormat]) {
        #expect(AcceptHeader(text).outputFormats == expected)
    }
    #endif

    @Test func `the number of ranges is limited`() {
        let header = AcceptHeader(String(repeating: "a/b,", count: 1000) + "application/json")
        #expect(!header.prefersJSON)
    }
}

@Suite(.limitedConcurrency) struct NegotiationTests {
    @Test(arguments: [
        (FrameParameters.Format.auto, nil, ImageRoute.frame, Negotiation.Form.image(nil), true),
        (.auto, "application/json", .frame, .document, true),
        (.auto, "application/json", .face(1), .document, true),
        (.json, "image/png", .frame, .document, false),
        (.image(.png), "application/json", .frame, .image(.png), false),
        (.auto, "image/png", .faces, .document, true),
        (.auto, "multipart/mixed", .faces, .parts, true),
        (.json, "multipart/mixed", .faces, .document, false),
        (.multipart, "application/json", .faces, .parts, true),
        (.auto, "multipart/mixed", .frame, .image(nil), true),
    ])
    func `format has priority over Accept, and Vary lists Accept if it was used`(
        format: FrameParameters.Format,
        accept: String?,
        route: ImageRoute,
        form: Negotiation.Form,
        dependsOnAccept: Bool
    ) {
        let negotiation = Negotiation(format, accept: accept, route: route)
        #expect(negotiation.form == form)
        #expect(negotiation.dependsOnAccept == dependsOnAccept)
    }

    @Test(arguments: [
        (nil, InputFormat.png, OutputFormat.png), ("image/jpeg", .png, .jpeg), ("image/*", .png, .png),
        ("image/png;q=0.1, image/jpeg", .png, .png), ("text/html", .png, .png), ("image/png", .jpeg, .png),
    ])
    func `annotated images keep the source's format if it is accepted`(
        accept: String?,
        source: InputFormat,
        expected: OutputFormat
    ) throws {
        let parameters = try FrameParameters([], known: [])
        let job = Negotiation(.auto, accept: accept, route: .frame).job(
            source: [],
            parameters: parameters
        )
        guard case .image(let output) = job.target.product else {
            Issue.record("not an image")
            return
        }
        #expect(output.resolved(for: source) == expected)
    }

    @Test func `the route determines the job`() throws {
        let parameters = try FrameParameters([], known: [])
        func response(_ route: ImageRoute, _ format: FrameParameters.Format) -> String {
            let negotiation = Negotiation(format, accept: nil, route: route)
            let response = negotiation.job(source: [], parameters: parameters).target
            return switch (response.crops, response.product) {
            case (.shapes, .image): "image"
            case (.shapes, .images): "crops"
            case (.face(let index), .image): "face \(index)"
            case (.face(let index), .plan): "plan of face \(index)"
            case (.everyFace, .images): "portraits"
            case (_, .plan): "plan"
            case (_, .drawing(_, let showsCrop)): showsCrop ? "drawn crop" : "drawn faces"
            default: "\(response)"
            }
        }
        #expect(response(.frame, .auto) == "image")
        #expect(response(.frame, .json) == "plan")
        #expect(response(.faces, .auto) == "plan")
        #expect(response(.face(3), .auto) == "face 3")
        #expect(response(.frame, .debug) == "drawn crop")
        #expect(response(.faces, .zip) == "portraits")
        #expect(response(.faces, .debug) == "drawn faces")
        #expect(response(.face(3), .json) == "plan of face 3")
    }
}

@Suite(.limitedConcurrency) struct RouteTests {
    @Test(
        arguments: [
            ("/frame", Route.frame, ImageRoute.frame), ("/preset/avatar", .preset, .frame),
            ("/faces", .faces, .faces),
            ("/faces/1", .face, .face(1)), ("/faces/12", .face, .face(12)), ("/stream", .stream, nil),
            ("/healthz", .health, nil), ("/readyz", .readiness, nil), ("/metrics", .metrics, nil),
            ("/openapi.yaml", .openAPI, nil), ("/", .playground, nil), ("/playground/app.js", .playground, nil),
        ] as [(String, Route, ImageRoute?)]
    )
    func `a path selects its route`(path: String, route: Route, image: ImageRoute?) {
        #expect(Route.of(path: path) == route)
        #expect(route.image(at: path) == image)
    }

    @Test func `every URL of another service has the route of its format, which accepts no uploads`() throws {
        for name in URLFormatName.allCases {
            let route = try #require(URLFormats.routes.route(ofPath: "\(name.prefix)/a.jpg"))
            #expect(route.name == name.rawValue)
            #expect(route.credentials == .urlFormat(name))
            #expect(!route.methods.contains(.post))
            #expect(URLFormats.routes.route(ofPath: name.prefix) == nil)
            #expect(Route.of(path: "\(name.prefix)/a.jpg") == nil)
        }
    }

    @Test func `route names in logs and metrics are unique`() {
        let names = URLFormats.routes.all.map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test(arguments: [
        "", "*", "/Frame", "/frame/", "//frame", "/frames", "/faces/", "/faces/0", "/faces/-1", "/faces/+1",
        "/faces/1/", "/faces/1/2", "/faces/x", "/faces/1.5", "/faces/99999999999999999999", "/%66rame", "/faces/１",
    ])
    func `other paths select no route`(path: String) {
        #expect(URLFormats.routes.route(ofPath: path) == nil)
    }
}
