import UntrustedText
import Framing
import Geometry
package import HTTPServer
package import HTTPTypes
import Imaging
import Pipeline
package import Requests

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
    /// A file of the playground, if the service has one.
    case playground(PlaygroundFile)
    /// A crop with the parameters of a preset, if the service has presets.
    case preset(String)
    /// An address in another service's syntax, if its grammar is served.
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
            let preset = "/preset/"
            if PlaygroundFile.paths.contains(path) {
                self = .playground(PlaygroundFile(path: path))
            } else if let name = GrammarName.of(path: path) {
                self = .grammar(name)
            } else if path.bytes.hasPrefix(preset), Preset.isName(String(path.bytes.dropFirst(preset.count))) {
                self = .preset(String(path.bytes.dropFirst(preset.count)))
            } else if case .face(let index)? = PictureRoute(path: path) {
                self = .face(index)
            } else {
                return nil
            }
        }
    }

    package var methods: [HTTPRequest.Method] {
        switch self {
        case .frame, .faces, .face, .stream, .preset: [.get, .head, .post, .options]
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
        case .frame, .faces, .face, .grammar, .stream, .preset: true
        case .health, .readiness, .metrics, .openAPI, .playground: false
        }
    }

    static let unknownName = "none"

    /// Every route name in logs and metrics.
    static let names: [String] = {
        let routes: [Route] = [
            .frame, .faces, .face(1), .stream, .preset(""), .health, .readiness, .metrics, .openAPI,
            .playground(.page),
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
        case .preset: "preset"
        case .health: "healthz"
        case .readiness: "readyz"
        case .metrics: "metrics"
        case .openAPI: "openapi"
        case .playground: "playground"
        case .grammar(let name): name.rawValue
        }
    }

    /// The corresponding route of a single picture, independent of HTTP; nil for other routes.
    var picture: PictureRoute? {
        switch self {
        case .frame, .preset: .frame
        case .faces: .faces
        case .face(let index): .face(index)
        case .stream, .health, .readiness, .metrics, .openAPI, .playground, .grammar: nil
        }
    }

    package var parameters: [Parameter] { self == .stream ? Parameter.of(.stream) : picture?.parameters ?? [] }

    /// The values of `format` that this route supports.
    package var formats: [String] { self == .stream ? FrameParameters.Format.ofStream : picture?.formats ?? [] }
}

extension Problem {
    /// The problem of a request that is not valid.
    package static func badRequest(_ detail: String) -> Problem { Problem(.invalidRequest, .badRequest, detail) }

    /// The problem of a request without permission.
    package static func forbidden(_ detail: String) -> Problem { Problem(.forbidden, .forbidden, detail) }

    /// The value of an expression that reads parameters: `try Problem.checked(QueryString.pairs(text))`.
    ///
    /// - Throws: A problem with status 400 that names every invalid parameter.
    package static func checked<Value>(
        _ value: @autoclosure () throws(ParameterErrors) -> Value
    ) throws(Problem) -> Value {
        do {
            return try value()
        } catch {
            throw Problem(error)
        }
    }

    package var response: ServerResponse {
        let reply = reply
        return ServerResponse(status: reply.status, headers: reply.headers, body: reply.body)
    }

    /// The problem for an unknown path; `paths` lists the existing ones.
    static func nothing(at request: ServerRequest, paths: String) -> Problem {
        let path = ParameterError.shortened(request.path)
        let advice = GrammarName.of(path: request.path).map { name in
            " Addresses of \(name.rawValue) need the option --grammars \(name.rawValue)."
        }
        return Problem(.notFound, .notFound, "There is no route \(path); the routes are \(paths).\(advice ?? "")")
    }

    /// The problem for a method that no path supports (RFC 9110 §15.6.2).
    static func notImplemented(_ method: HTTPRequest.Method) -> Problem {
        Problem(.invalidRequest, .notImplemented, "The method \(method.rawValue.prefix(100)) is not known here.")
    }

    /// The problem for a method that the path does not support.
    static func notAllowed(_ method: HTTPRequest.Method, at route: Route) -> Problem {
        var problem = Problem(
            .methodNotAllowed,
            .methodNotAllowed,
            "\(ParameterError.shortened(method.rawValue)) is not supported; this route supports \(route.methodList)."
        )
        problem.allowed = route.methods
        return problem
    }
}

extension HTTPRequest.Method {
    /// Whether RFC 9110 §9.3 or RFC 5789 defines the method; methods are case-sensitive.
    var isKnown: Bool {
        [.get, .head, .post, .put, .delete, .connect, .options, .trace, .patch].contains(self)
    }
}
