import HTTPServer
import HTTPTypes

extension Problem {
    /// There is no such path; `paths` are those that there are.
    static func nothing(at request: ServerRequest, paths: String) -> Problem {
        Problem(.notFound, .notFound, "There is no \(request.path.prefix(100)); there are \(paths).")
    }

    /// The path does not answer this method.
    static func notAllowed(_ method: HTTPRequest.Method, at route: Route) -> Problem {
        var problem = Problem(
            .methodNotAllowed,
            .methodNotAllowed,
            "\(method.rawValue) is not allowed here; \(route.methodList) are."
        )
        problem.allowed = route.methods
        return problem
    }
}
