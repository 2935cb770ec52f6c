import Admission
import HTTPServer
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
