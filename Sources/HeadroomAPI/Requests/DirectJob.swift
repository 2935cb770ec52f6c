import HTTPServer
import HTTPTypes
package import Pipeline

/// A request for a picture that comes without HTTP and needs no credentials.
package struct DirectJob: Sendable {
    /// `/frame`, `/faces` or `/faces/N`.
    package let route: Route
    /// The request line as that of a `POST`.
    let request: ServerRequest
    /// Names and values as received.
    let parameters: [(name: String, value: String)]
    /// The uploaded picture; empty with the parameter `url`.
    let bytes: SourceBytes

    /// A job.
    ///
    /// - Parameters:
    ///   - path: The path of a route that serves pictures.
    ///   - parameters: Names and values as received.
    ///   - bytes: The uploaded picture; empty with the parameter `url`.
    /// - Throws: A ``Problem`` with status 404 for another path.
    package init(
        path: String,
        parameters: [(name: String, value: String)],
        bytes: SourceBytes
    ) throws(Problem) {
        switch Route(path: path) {
        case .frame?: route = .frame
        case .faces?: route = .faces
        case .face(let index)?: route = .face(index)
        default: throw Problem(.notFound, .notFound, "No such route: expected /frame, /faces or /faces/N (from 1).")
        }
        request = ServerRequest(method: .post, target: path)
        self.parameters = parameters
        self.bytes = bytes
    }
}
