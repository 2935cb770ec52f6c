import Admission
package import HTTPServer
import HTTPTypes
import Requests
import UntrustedText

/// A handler for paths below a prefix.
///
/// It removes the prefix from each request.
struct PrefixedHandler: HTTPHandler, ServerHooks {
    let prefix: PathPrefix
    let handler: ReplaceableHandler

    func respond(to request: ServerRequest) async -> ServerResponse {
        guard let inner = prefix.removed(from: request) else { return handler.response(to: request, outside: prefix) }
        return await handler.respond(to: inner)
    }

    func immediateResponse(to request: ServerRequest) -> ServerResponse? {
        prefix.removed(from: request).flatMap(handler.immediateResponse)
    }

    func refusal(ofHead request: ServerRequest, bodyLength: Int?) -> ServerResponse? {
        prefix.removed(from: request).flatMap { handler.refusal(ofHead: $0, bodyLength: bodyLength) }
    }

    func client(of request: ServerRequest) -> Client? {
        prefix.removed(from: request).map(handler.client) ?? request.client.client
    }

    func bodyReceiver(for request: ServerRequest) -> (any BodyReceiver)? {
        prefix.removed(from: request).flatMap(handler.bodyReceiver)
    }

    func client(behind peer: PeerAddress, _ headers: HTTPFields) -> PeerAddress? {
        handler.client(behind: peer, headers)
    }

    func isProxy(_ peer: PeerAddress) -> Bool { handler.isProxy(peer) }

    func refusal(status: HTTPResponse.Status, detail: String) -> ServerResponse {
        handler.refusal(status: status, detail: detail)
    }
}

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

extension HeadroomHandler {
    /// Returns the response to a request that is not below the prefix.
    ///
    /// The prefix itself is redirected to the page below it; other paths get a problem.
    func response(to request: ServerRequest, outside prefix: PathPrefix) -> ServerResponse {
        var entry = log.begin(request, route: nil)
        do throws(Problem) {
            guard request.method.isKnown else { throw .notImplemented(request.method) }
            guard let address = prefix.addressBelow(request) else { throw .outside(prefix, request) }
            let response = StatusResponse.redirect(to: address)
            log.write(entry, status: response.status, bytes: 0)
            return finished(response, for: request, id: entry.id)
        } catch {
            return finished(log.refuse(error, &entry), for: request, id: entry.id)
        }
    }
}

extension Problem {
    /// Returns the problem for a path that is not below the prefix.
    fileprivate static func outside(_ prefix: PathPrefix, _ request: ServerRequest) -> Problem {
        let path = ParameterError.shortened(request.path)
        return Problem(.notFound, .notFound, "Unknown route \(path). All routes are below \(prefix)/.")
    }
}
