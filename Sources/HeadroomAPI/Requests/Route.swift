package import HTTPTypes

/// A route of the service.
package enum Route: Hashable, Sendable {
    /// A crop or its plan.
    case frame
    /// The list of all faces, as JSON.
    case faces
    /// The picture of one face; 1 is the largest.
    case face(Int)
    /// A live video.
    case stream
    /// Liveness of the process.
    case health
    /// Readiness for requests.
    case readiness
    /// Metrics in the Prometheus format.
    case metrics
    /// The OpenAPI description.
    case openAPI
    /// A file of the playground, which a service may not have.
    case playground(PlaygroundFile)
    /// An address in the words of another service, which a service may not have.
    case grammar(GrammarName)

    /// The route of a raw path; nil for an unknown path.
    ///
    /// `/faces/N` counts from 1.
    package init?(path: String) {
        switch path {
        case "/frame": self = .frame
        case "/faces": self = .faces
        case "/stream": self = .stream
        case "/healthz": self = .health
        case "/readyz": self = .readiness
        case "/metrics": self = .metrics
        case "/openapi.yaml": self = .openAPI
        default:
            if let file = PlaygroundFile(rawValue: path) {
                self = .playground(file)
                return
            }
            if let name = GrammarName.of(path: path) {
                self = .grammar(name)
                return
            }
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0].isEmpty, parts[1] == "faces",
                parts[2].utf8.allSatisfy({ (48...57).contains($0) }), let index = Int(parts[2]), index >= 1
            else { return nil }
            self = .face(index)
        }
    }

    /// The supported methods.
    package var methods: [HTTPRequest.Method] {
        switch self {
        case .frame, .faces, .face, .stream: [.get, .head, .post, .options]
        case .health, .readiness, .metrics, .openAPI, .playground, .grammar: [.get, .head, .options]
        }
    }

    /// The supported methods, as the value of `Allow`.
    var methodList: String { methods.map(\.rawValue).joined(separator: ", ") }

    /// Whether the route serves pictures and so may require credentials.
    ///
    /// The other routes report on the service itself. Load balancers, probes and monitors use them without credentials;
    /// the network controls access to them.
    package var servesPictures: Bool {
        switch self {
        case .frame, .faces, .face, .grammar, .stream: true
        case .health, .readiness, .metrics, .openAPI, .playground: false
        }
    }

    /// The name of unknown paths.
    static let unknownName = "none"

    /// Every route name in logs and metrics.
    static let names: [String] = {
        let routes: [Route] = [
            .frame, .faces, .face(1), .stream, .health, .readiness, .metrics, .openAPI, .playground(.page),
        ]
        return routes.map(\.name) + GrammarName.allCases.map(\.rawValue) + [unknownName]
    }()

    /// The name in logs and metrics, without the number of a face.
    var name: String {
        switch self {
        case .frame: "frame"
        case .faces: "faces"
        case .face: "face"
        case .stream: "stream"
        case .health: "healthz"
        case .readiness: "readyz"
        case .metrics: "metrics"
        case .openAPI: "openapi"
        case .playground: "playground"
        case .grammar(let name): name.rawValue
        }
    }

    /// The supported parameters.
    package var parameters: [ParameterName] {
        switch self {
        case .frame: ParameterName.allCases.filter { ![.upright, .align, .eyes, .lookAhead].contains($0) }
        case .faces, .face:
            [
                .url, .aspect, .width, .height, .dpr, .enlarge, .region, .padding, .rotate, .flip, .key, .tolerance,
                .spill, .backdrop, .backdropURL, .filter, .accuracy, .minFace, .overlay, .upright, .align, .eyes,
                .background, .redact, .redactFaces, .redactShape, .redactAreas, .format, .quality, .chroma,
                .progressive, .maxBytes, .metadata,
                .lossless, .profile, .version,
            ]
        case .stream:
            [
                .url, .aspect, .width, .height, .gravity, .fallback, .zoom, .padding, .place, .accuracy, .minFace,
                .lookAhead, .redact, .redactFaces, .redactShape, .redactAreas, .format, .quality,
            ]
        case .health, .readiness, .metrics, .openAPI, .playground, .grammar: []
        }
    }
}
