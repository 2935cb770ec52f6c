import HTTPServer
import HTTPTypes

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
