package import HTTPServer
import HTTPTypes
package import Requests
import UntrustedText

extension Problem {
    /// Returns the problem for an invalid request.
    package static func badRequest(_ detail: String) -> Problem { Problem(.invalidRequest, .badRequest, detail) }

    /// Returns the problem for a request without permission.
    package static func forbidden(_ detail: String) -> Problem { Problem(.forbidden, .forbidden, detail) }

    /// Returns the problem for a response that does not fit into the memory for unsent responses.
    static func responseTooLarge(_ bytes: Int, limit: Int) -> Problem {
        let sentence = "The response has \(bytes) bytes, more than the service can hold for all clients (\(limit))."
        return Problem(.responseTooLarge, .unprocessableContent, "\(sentence) Request a smaller width or maxBytes.")
    }

    /// Evaluates an expression that reads parameters: `try Problem.checked(QueryString.pairs(text))`.
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

    /// Returns the problem for an unknown path.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - paths: The list of the existing paths.
    ///   - advice: What to do, as a sentence; nil for no advice.
    /// - Returns: The problem.
    static func nothing(at request: ServerRequest, paths: String, advice: String?) -> Problem {
        let path = ParameterError.shortened(request.path)
        let ending = advice.map { " \($0)" } ?? ""
        return Problem(.notFound, .notFound, "Unknown route \(path). The routes are \(paths).\(ending)")
    }

    /// Returns the problem for a method that no path supports (RFC 9110 §15.6.2).
    static func notImplemented(_ method: HTTPRequest.Method) -> Problem {
        let name = ParameterError.shortened(method.rawValue)
        let ending = method.isPurge ? " \(purgeAdvice)" : ""
        return Problem(.invalidRequest, .notImplemented, "The method \(name) is not supported.\(ending)")
    }

    /// Advice on replacing cached images, for clients that try to purge them.
    private static let purgeAdvice =
        "To replace an image, change its URL or the parameter v. Operators can remove it from the caches of this service with "
        + "POST /purge, which requires --purge-secrets-file. To purge a cache in front of this service, send the request to that cache: responses have a Cache-Tag."

    /// Returns the problem for a method that the path does not support.
    ///
    /// `methods` are the supported methods.
    static func notAllowed(_ method: HTTPRequest.Method, methods: [HTTPRequest.Method]) -> Problem {
        let name = ParameterError.shortened(method.rawValue)
        let list = HTTPRequest.Method.list(methods)
        var problem = Problem(
            .methodNotAllowed,
            .methodNotAllowed,
            "\(name) is not supported; this route supports \(list).\(method.isPurge ? " \(purgeAdvice)" : "")"
        )
        problem.allowed = methods
        return problem
    }
}
