import HTTPTypes
package import Pipeline
package import Requests

/// An image request that is received over a pipe instead of HTTP, without credentials.
package struct PipeRequest: Sendable {
    /// `/frame`, `/faces` or `/faces/N`.
    package let route: ImageRoute
    package let path: String
    /// The names and values of parameters, as received.
    package let parameters: [(name: String, value: String)]
    /// The uploaded image; empty with the parameter `url`.
    package let bytes: SourceBytes

    /// Creates a request to a route.
    ///
    /// - Parameters:
    ///   - path: The path of a route that serves images.
    ///   - parameters: The names and values of parameters, as received.
    ///   - bytes: The uploaded image; empty with the parameter `url`.
    /// - Throws: A ``Problem`` with status 404 for another path.
    package init(path: String, parameters: [(name: String, value: String)], bytes: SourceBytes) throws(Problem) {
        guard let route = ImageRoute(path: path) else {
            throw Problem(.notFound, .notFound, "Unknown route: expected /frame, /faces or /faces/N (from 1).")
        }
        self.route = route
        self.path = path
        self.parameters = parameters
        self.bytes = bytes
    }
}

/// Handles image requests by the rules of the service.
package protocol ImageHandler: Sendable {
    /// Returns the response to a request, which may be a problem.
    func reply(to request: PipeRequest) async -> ImageReply
}
