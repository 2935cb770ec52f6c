import Framing
import Geometry
import HTTPServer
package import HTTPTypes
import Imaging
import Pipeline

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
    package var parameters: [Parameter] {
        switch self {
        case .frame: Parameter.of(.frame)
        case .faces, .face: Parameter.of([.portraits, .list, .annotated])
        case .stream: Parameter.of(.stream)
        case .health, .readiness, .metrics, .openAPI, .playground, .grammar: []
        }
    }
}

/// The formats that a route supports.
extension Route {
    /// The error for a combination of parameters that this route does not support.
    ///
    /// - Parameters:
    ///   - parameters: The request's parameters.
    ///   - answer: The form of the response.
    /// - Returns: The error; nil when the combination is valid.
    func refusal(of parameters: FrameParameters, answer: Negotiation.Shape) -> ParameterError? {
        let format = parameters.format.word
        guard formats.contains(format) else {
            return ParameterError(
                name: Parameter.format.name,
                received: format,
                expected: "one of \(formats.joined(separator: ", "))\(formatAdvice)"
            )
        }
        if parameters.format == .html, parameters.url == nil,
            let (name, expected) = Self.unavailableInBrowsers(parameters)
        {
            return ParameterError(name: name.name, received: parameters.given[name], expected: expected)
        }
        if self != .frame, parameters.given[.background] != nil, parameters.options.faceTurn == nil {
            return ParameterError(
                name: Parameter.background.name,
                received: parameters.given[.background],
                expected: "no background without upright=true or align=eyes, because the picture fills the result"
            )
        }
        guard self == .faces, ![.archive, .parts].contains(answer) else { return nil }
        // A list of faces has no pictures, so parameters of pictures have no effect.
        let made: Parameter.Routes = parameters.format == .debug ? [.list, .annotated] : .list
        let meaningless = self.parameters.first {
            $0.routes.isDisjoint(with: made) && parameters.given[$0] != nil
        }
        return meaningless.map {
            ParameterError(
                name: $0.name,
                received: parameters.given[$0],
                expected: "no \($0.name) without format=zip or format=multipart"
            )
        }
    }

    /// The first parameter whose effect on an uploaded picture a browser cannot reproduce, and the expected value.
    private static func unavailableInBrowsers(
        _ parameters: FrameParameters
    ) -> (name: Parameter, expected: String)? {
        let options = parameters.options
        if options.redaction != nil {
            return (.redact, "no redact for format=html without url, which shows the picture itself")
        }
        if !parameters.overlays.isEmpty {
            return (.overlay, "no overlay for format=html without url, which shows the picture itself")
        }
        let upload = "for format=html without url, because a browser cannot"
        if options.framing.zoom > 0 { return (.zoom, "0 \(upload) crop closer") }
        if options.framing.place != .center { return (.place, "center \(upload) crop closer") }
        if options.framing.fit == .auto { return (.fit, "cover or pad \(upload) detect heads") }
        if options.region != nil { return (.region, "no region \(upload) crop twice") }
        if options.trim != nil { return (.trim, "no trim \(upload) crop twice") }
        if options.turn != .up {
            let name = parameters.given[.rotate] == nil ? Parameter.flip : .rotate
            return (name, "no \(name.name) \(upload) turn a crop")
        }
        if options.key != nil { return (.key, "no key \(upload) remove a colour") }
        if !options.filters.isEmpty { return (.filter, "no filter \(upload) apply these filters") }
        if options.background.css == nil {
            let reason = "because an img element cannot blur its picture"
            return (.background, "a colour or transparent for format=html without url, \(reason)")
        }
        return nil
    }

    /// The values of `format` that this route supports.
    package var formats: [String] {
        switch self {
        case .frame: FrameParameters.Format.ofFrame
        case .faces: FrameParameters.Format.ofFaces
        case .face: FrameParameters.Format.ofFace
        case .stream: FrameParameters.Format.ofStream
        case .health, .readiness, .metrics, .openAPI, .playground, .grammar: []
        }
    }

    private var formatAdvice: String { self == .faces ? "; /faces/N has the picture of one face" : "" }
}

extension Problem {
    /// The problem for an unknown path; `paths` lists the existing ones.
    static func nothing(at request: ServerRequest, paths: String) -> Problem {
        let path = ParameterError.shortened(request.path)
        let advice = GrammarName.of(path: request.path).map { name in
            " Addresses of \(name.rawValue) need the option --grammars \(name.rawValue)."
        }
        return Problem(
            .notFound,
            .notFound,
            "There is no route \(path); the routes are \(paths).\(advice ?? "")"
        )
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
