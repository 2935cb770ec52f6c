import HTTPServer
import HTTPTypes
import Requests
import Synchronization

/// A handler that can be replaced while requests are in progress; each request finishes with the handler it began with.
final class ReplaceableHandler: HTTPHandler {
    private let current: Mutex<HeadroomHandler>

    init(_ handler: HeadroomHandler) { current = Mutex(handler) }

    /// Replaces the current handler with one derived from it.
    func replace(_ change: (HeadroomHandler) -> HeadroomHandler) {
        current.withLock { $0 = change($0) }
    }

    /// Statistics of the current handler's caches.
    var cacheStatistics: ServiceCaches.Statistics { current.withLock(\.cacheStatistics) }

    func respond(to request: ServerRequest) async -> ServerResponse {
        await current.withLock(\.self).respond(to: request)
    }

    func refusal(ofHead request: ServerRequest, bodyLength: Int?) -> ServerResponse? {
        current.withLock(\.self).refusal(ofHead: request, bodyLength: bodyLength)
    }

    func bodyReceiver(for request: ServerRequest) -> (any BodyReceiver)? {
        current.withLock(\.self).bodyReceiver(for: request)
    }

    func refusal(status: HTTPResponse.Status, detail: String) -> ServerResponse {
        current.withLock(\.self).refusal(status: status, detail: detail)
    }
}
