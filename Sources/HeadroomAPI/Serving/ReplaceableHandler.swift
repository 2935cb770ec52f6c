import HTTPServer
import HTTPTypes
import Synchronization

/// A handler that another can follow while requests are being answered: each goes on with the one that it began with.
final class ReplaceableHandler: HTTPHandler {
    private let current: Mutex<HeadroomHandler>

    init(_ handler: HeadroomHandler) { current = Mutex(handler) }

    /// Puts another handler, made of the present one, in its place.
    func replace(_ change: (HeadroomHandler) -> HeadroomHandler) {
        current.withLock { $0 = change($0) }
    }

    /// What the present one's caches have done, and hold.
    var cacheStatistics: ServiceCaches.Statistics { current.withLock(\.cacheStatistics) }

    func respond(to request: ServerRequest) async -> ServerResponse {
        await current.withLock(\.self).respond(to: request)
    }

    func refusal(ofHead request: ServerRequest, bodyLength: Int?) -> ServerResponse? {
        current.withLock(\.self).refusal(ofHead: request, bodyLength: bodyLength)
    }

    func refusal(status: HTTPResponse.Status, detail: String) -> ServerResponse {
        current.withLock(\.self).refusal(status: status, detail: detail)
    }
}
