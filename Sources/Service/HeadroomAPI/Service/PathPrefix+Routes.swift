package import HTTPServer
import Requests
import UntrustedText

extension PathPrefix {
    /// Removes the prefix from the target of a request; nil if the request is not below the prefix.
    ///
    /// The paths of some routes also exist without the prefix (``Route/isOutsidePrefix``).
    package func removed(from request: ServerRequest) -> ServerRequest? {
        if request.target.bytes.hasPrefix(description) {
            let rest = request.target.bytes.dropFirst(description.utf8.count)
            if rest.utf8.first == UInt8(ascii: "/") {
                var inner = request
                inner.target = String(rest)
                return inner
            }
        }
        return Route.of(path: request.path)?.isOutsidePrefix == true ? request : nil
    }
}
