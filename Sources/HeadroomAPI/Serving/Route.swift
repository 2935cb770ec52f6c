package import HTTPTypes

/// What a path leads to.
package enum Route: Hashable, Sendable {
    /// The crop or its plan.
    case frame
    /// Every face, as JSON.
    case faces
    /// The picture of one face; 1 is the largest.
    case face(Int)
    /// Whether the process is alive.
    case health
    /// Whether requests are welcome.
    case readiness
    /// What Prometheus asks for.
    case metrics
    /// The description of every route.
    case openAPI

    /// The route of a path as it was sent; nil when there is none.
    ///
    /// `/faces/N` counts from 1; anything else below `/faces/` is no route.
    package init?(path: String) {
        switch path {
        case "/frame": self = .frame
        case "/faces": self = .faces
        case "/healthz": self = .health
        case "/readyz": self = .readiness
        case "/metrics": self = .metrics
        case "/openapi.yaml": self = .openAPI
        default:
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0].isEmpty, parts[1] == "faces",
                parts[2].utf8.allSatisfy({ (48...57).contains($0) }), let index = Int(parts[2]), index >= 1
            else { return nil }
            self = .face(index)
        }
    }

    /// The methods that it answers.
    package var methods: [HTTPRequest.Method] {
        switch self {
        case .frame, .faces, .face: [.get, .head, .post, .options]
        case .health, .readiness, .metrics, .openAPI: [.get, .head, .options]
        }
    }

    /// The methods that it answers, as `Allow` has them.
    var methodList: String { methods.map(\.rawValue).joined(separator: ", ") }

    /// Whether it is about pictures, so that credentials are needed where the service asks for any.
    ///
    /// The others tell of the service itself and nothing of whom it serves. Balancers, probes and monitors ask for
    /// them and have no credentials; who may reach them at all is for the network to decide.
    package var servesPictures: Bool {
        switch self {
        case .frame, .faces, .face: true
        case .health, .readiness, .metrics, .openAPI: false
        }
    }

    /// The name of what is no route.
    static let unknownName = "none"

    /// Every name that a request can have in logs and metrics.
    static let names: [String] = {
        let routes: [Route] = [.frame, .faces, .face(1), .health, .readiness, .metrics, .openAPI]
        return routes.map(\.name) + [unknownName]
    }()

    /// The name in logs and metrics: one word, whatever the number of the face.
    var name: String {
        switch self {
        case .frame: "frame"
        case .faces: "faces"
        case .face: "face"
        case .health: "healthz"
        case .readiness: "readyz"
        case .metrics: "metrics"
        case .openAPI: "openapi"
        }
    }

    /// The parameters that it takes.
    package var parameters: [ParameterName] {
        switch self {
        case .frame: ParameterName.allCases
        case .faces, .face:
            [
                .url, .aspect, .width, .height, .dpr, .enlarge, .padding, .accuracy, .minFace, .format, .quality,
                .lossless, .version,
            ]
        case .health, .readiness, .metrics, .openAPI: []
        }
    }
}
