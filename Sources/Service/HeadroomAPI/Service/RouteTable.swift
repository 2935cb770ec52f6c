import HTTPServer
import HTTPTypes
import Requests
import UntrustedText

/// The routes of a service: its own routes, and the routes of other services' URLs.
package struct RouteTable: Sendable {
    /// The other services whose URLs the program supports; settings select the served ones.
    private let urlFormats: [URLFormatName]
    /// Every route; a path belongs to at most one.
    package let all: [Route]

    /// Creates the routes of a program that supports these URL formats.
    package init(urlFormats: [URLFormatName] = []) {
        self.urlFormats = urlFormats
        all = Route.all + urlFormats.map(Route.init(urlFormat:))
    }

    /// Returns the route of a raw path, whether it is served or not; nil for an unknown path.
    package func route(ofPath path: String) -> Route? { all.first { $0.paths.contains(path) } }
}

/// The routes of the service: their paths, the clients that may use them, and their responses.
///
/// A new route needs a row here, its name in ``all``, and a response. `openapi.yaml` and the README must describe it.
extension Route {
    /// Every route of this service; a path belongs to at most one.
    package static let all: [Route] =
        [playground, frame, faces, face, preset, stream, health, readiness, metrics, openAPI]

    /// A crop or its plan.
    package static let frame = Route(
        "frame",
        at: .one("/frame"),
        methods: uploads,
        credentials: .service,
        image: .frame,
        respond: imageResponse
    )

    /// The list of all faces, as JSON.
    package static let faces = Route(
        "faces",
        at: .one("/faces"),
        methods: uploads,
        credentials: .service,
        image: .faces,
        respond: imageResponse
    )

    /// The image of one face, `/faces/N`; 1 is the largest.
    package static let face = Route(
        "face",
        at: .matching("/faces/N (from 1)") { if case .face? = ImageRoute(path: $0) { true } else { false } },
        methods: uploads,
        credentials: .service,
        image: .face(1),
        respond: imageResponse
    )

    /// A crop with the parameters of a preset, `/preset/NAME`.
    package static let preset = Route(
        "preset",
        at: .matching(nil) { Route.presetName(ofPath: $0) != nil },
        methods: uploads,
        credentials: .service,
        image: .frame,
        isServed: { !$0.settings.presets.isEmpty },
        requirement: "Presets require --presets.",
        respond: imageResponse
    )

    /// A live video.
    package static let stream = Route(
        "stream",
        at: .one("/stream"),
        methods: uploads,
        credentials: .service,
        parameters: Parameter.of(.stream),
        formats: FrameParameters.Format.ofStream,
        isServed: { $0.streams?.isServed ?? false },
        requirement: "Streams require --max-streams above 0.",
        respond: { (handler, request, _, entry) async throws(Problem) in
            try await handler.streamResponse(to: request, log: &entry)
        }
    )

    /// A crop requested by a URL in another service's syntax.
    fileprivate convenience init(urlFormat name: URLFormatName) {
        self.init(
            name.rawValue,
            at: .matching(nil) { name.contains(path: $0) },
            methods: Route.reads,
            credentials: .urlFormat(name),
            isServed: { $0.settings.urlFormats[name] != nil },
            requirement: "URLs of \(name.rawValue) require --url-formats \(name.rawValue).",
            respond: { (handler, request, route, entry) async throws(Problem) in
                try await handler.response(to: request, in: name, route: route, log: &entry)
            }
        )
    }

    /// A file of the playground.
    package static let playground = Route(
        "playground",
        at: .matching("/ (the playground)") { PlaygroundFile.contains(path: $0) },
        methods: reads,
        credentials: .none,
        isServed: { $0.servesPlayground },
        requirement: "The playground requires --playground.",
        respond: { handler, request, _, _ in
            let file = PlaygroundFile(path: request.path)
            let page = file == .page ? handler.publicPage : nil
            return (page ?? StatusResponse.playground(file)).response(to: request)
        }
    )

    /// Liveness of the process.
    package static let health = Route(
        "healthz",
        at: .one("/healthz"),
        methods: reads,
        credentials: .none,
        isOutsidePrefix: true,
        respond: { _, _, _, _ in StatusResponse.alive }
    )

    /// Readiness for requests.
    package static let readiness = Route(
        "readyz",
        at: .one("/readyz"),
        methods: reads,
        credentials: .none,
        isOutsidePrefix: true,
        respond: { handler, _, _, _ in handler.readiness.response(for: handler.images.workers) }
    )

    /// Metrics in the Prometheus format.
    package static let metrics = Route(
        "metrics",
        at: .one("/metrics"),
        methods: reads,
        credentials: .none,
        isOutsidePrefix: true,
        isServed: { $0.servesMetrics },
        requirement: "Metrics are at --metrics-address.",
        respond: { handler, request, _, _ in handler.log.metrics.response(accept: request.headers[.accept]) }
    )

    /// The OpenAPI description.
    package static let openAPI = Route(
        "openapi",
        at: .one("/openapi.yaml"),
        methods: reads,
        credentials: .none,
        respond: { handler, request, _, _ in handler.openAPI.response(to: request) }
    )
}

extension Route {
    /// The response of routes that serve one image, a plan or a list of faces.
    private static let imageResponse: Response = { (handler, request, route, entry) async throws(Problem) in
        try await handler.imageResponse(to: request, route: route, log: &entry)
    }

    /// Returns the route for an encoded path, even if the route is not served; nil for an unknown path.
    package static func of(path: String) -> Route? { all.first { $0.paths.contains(path) } }

    /// Returns the name of the preset in a path `/preset/NAME`; nil for other paths.
    static func presetName(ofPath path: String) -> String? {
        let folder = "/preset/"
        guard path.bytes.hasPrefix(folder) else { return nil }
        let name = String(path.bytes.dropFirst(folder.count))
        return Preset.isName(name) ? name : nil
    }
}

extension RouteTable {
    /// Returns advice on a path that this handler or every handler does not serve, as a sentence; nil for no advice.
    func advice(forUnknownPath path: String) -> String? {
        if let route = route(ofPath: path) { return route.requirement }
        if Route.presetName(ofPath: path) != nil || path.bytes == "/preset" { return Route.preset.requirement }
        if path.bytes == HeadroomHandler.purgePath.bytes { return "Purges require --purge-secrets-file." }
        // The prefix of a URL format without a URL, and URLs without the prefix.
        let name = urlFormats.first { name in
            path.bytes == name.prefix.bytes || name.otherStarts.contains(where: path.bytes.hasPrefix)
        }
        return name.map {
            "\($0.rawValue) URLs start with \($0.prefix)/ and require --url-formats \($0.rawValue)."
        }
    }

    /// Returns the served path that an unknown path means: a path with a similar spelling, or the path of a synonym such as
    /// `/crop`; nil for none, and for long paths.
    func path(similarTo path: String, of handler: HeadroomHandler) -> String? {
        let served = all.filter { $0.isServed(handler) }.compactMap(\.paths.listing)
            .map { String($0.bytes.prefix(before: " ")) }
        // The path of the playground has no letters to compare.
        let spelt = served.filter { $0.utf8.count > 1 }
        let word = path.bytes.dropFirst(1)
        let synonym = Self.synonyms.first { row in row.words.contains { word.bytes.matches($0) } }?.path
        return synonym.flatMap { served.contains($0) ? $0 : nil }
            ?? SpellingSuggestion.nearest(to: path, among: spelt)
    }

    /// Paths of other services with the purpose of a route, without their first slash.
    static let synonyms: [(path: String, words: [String])] = [
        (
            "/frame",
            ["crop", "resize", "thumbnail", "thumb", "smartcrop", "image", "img", "convert", "transform", "reframe"]
        ),
        ("/faces", ["detect", "detection", "facedetect"]),
        ("/stream", ["video", "live", "mjpeg"]),
        ("/healthz", ["livez", "liveness", "healthcheck", "ping", "status"]),
        ("/readyz", ["ready", "readiness"]),
        ("/metrics", ["prometheus", "stats"]),
        ("/openapi.yaml", ["openapi", "openapi.json", "openapi.yml", "swagger", "swagger.json", "docs", "api"]),
        ("/", ["playground", "index.html", "ui", "demo"]),
    ]

    /// Returns the routes that a handler serves, as listed in the problem for an unknown path.
    func listing(of handler: HeadroomHandler) -> String {
        let paths = all.filter { $0.isServed(handler) }.compactMap(\.paths.listing)
        return paths.count < 2
            ? paths.joined() : "\(paths.dropLast().joined(separator: ", ")) and \(paths[paths.count - 1])"
    }
}

extension ServiceMetrics {
    /// Creates metrics of all routes with all counters at 0.
    package convenience init(_ routes: RouteTable = RouteTable()) { self.init(routes: routes.all.map(\.name)) }
}
