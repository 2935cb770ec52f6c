import Caching
import Fetching
import HTTPServer
import HTTPTypes
import Synchronization

/// An index of cached images by raw request target, which serves repeated requests without parsing their parameters.
///
/// An entry contains the result-cache key of an image, and the header of the response. It is valid while the image's
/// source is fresh. A hit costs two lookups. Each handler has its own index, so all entries interpret a target in the
/// same way.
final class ResponseIndex: Sendable {
    /// The parts of a request that determine its response, except for the time and the client.
    struct Key: Hashable, Sendable {
        private let target: String
        private let accept: String?
        /// The credential that is required in addition to the target; nil if the target alone, which may be signed,
        /// gives access.
        ///
        /// Set for requests with a bearer secret and for requests of tenants, which have their own limits.
        private let holder: String?
        /// The presets that the request may name.
        private let presets: String

        /// Longer targets are not indexed, to limit the memory.
        private static let maxBytes = 4096

        /// Creates the key of a request.
        ///
        /// If `authorization` is nil, the target alone gives access. Returns nil for a request that is not indexed.
        init?(_ request: ServerRequest, _ authorization: Authorization?, _ presets: String) {
            guard request.method == .get || request.method == .head else { return nil }
            target = request.target
            accept = request.headers.value(of: .accept)
            holder =
                switch authorization {
                case nil, .everyone, .signature(_, _, tenant: nil): nil
                case .bearer(_, let tenant): "bearer \(tenant?.name ?? "")"
                case .signature(_, _, let tenant?): "signature \(tenant.name)"
                }
            // A tenant may lose a preset while the service runs.
            self.presets = presets.isEmpty ? "" : "\(presets) \(authorization?.tenant?.allowedPresets ?? ["*"])"
            guard bytes <= Self.maxBytes else { return nil }
        }

        var bytes: Int { target.utf8.count + (accept?.utf8.count ?? 0) }
    }

    /// A response without the bytes of its image, before ``Authorization/limitCaching(of:now:)``.
    struct Entry: Sendable {
        /// The key of the image in the result cache.
        let imageKey: String
        let tag: EntityTag
        /// The value of `Last-Modified`; nil if the response does not contain it.
        let lastModified: UnixTime?
        /// The header of the 200 response; nil if the entry contains only the 304 response.
        let headers: HTTPFields?
        let headersOfNotModified: HTTPFields
        let preset: String?
        /// The deprecated names in the request, formatted as in the header `Headroom-Deprecated`; nil for none.
        let deprecated: String?
        /// The time when the source becomes stale, in seconds since 1970.
        let freshUntil: Int
        /// The name of the route in logs and metrics.
        let route: String
        /// The authorization of the request that created the entry.
        ///
        /// It is the same for every request whose target alone gives access.
        let authorization: Authorization
        /// The serialised heads of responses.
        let heads = PreparedHeads()

        /// Returns the response with an image, or the 304 response if `image` is nil.
        func response(with image: CachedImage?) -> ServerResponse {
            guard let image, let headers else {
                return ServerResponse(status: .notModified, headers: headersOfNotModified)
            }
            return ServerResponse(status: .ok, headers: headers, body: image.bytes)
        }
    }

    /// A response that was found; `image` is nil for a 304.
    typealias Hit = (entry: Entry, image: CachedImage?)

    /// The divisor of the result cache's budget that gives the index's budget.
    static let budgetDivisor = 8

    /// Estimated memory of an entry's header fields and prepared heads, in bytes.
    private static let bytesOfHeaders = 4096

    private let entries: ByteCache<Key, Entry>
    private let results: ResultCache
    private let now: @Sendable () -> Int

    init(_ configuration: CacheConfiguration, results: ResultCache) {
        entries = ByteCache(budget: configuration.resultBytes / Self.budgetDivisor)
        self.results = results
        now = configuration.now
    }

    /// Returns the cached response to a request.
    ///
    /// Nil if the index does not contain an entry, if its source is stale, or if the image has been evicted.
    ///
    /// If `authorization` is nil, the target alone gives access.
    func hit(_ request: ServerRequest, _ authorization: Authorization?, _ presets: String) -> Hit? {
        guard entries.isEnabled, let key = Key(request, authorization, presets), let entry = entries.value(for: key),
            entry.freshUntil > now()
        else { return nil }
        if IfNoneMatch.holds(request.headers.value(of: .ifNoneMatch), for: entry.tag) { return (entry, nil) }
        if let lastModified = entry.lastModified, let since = IfNoneMatch.modifiedSince(request.headers),
            lastModified <= since
        {
            return (entry, nil)
        }
        guard entry.headers != nil else { return nil }
        if let image = results.image(for: entry.imageKey) { return (entry, image) }
        // The entry is removed, so that a second call for the same request does not look up the image again.
        entries.remove(key)
        return nil
    }

    /// Removes all entries.
    ///
    /// A purge may concern the backdrop of any response, and later requests recreate the entries soon.
    func purge() { entries.removeAll { _ in true } }

    func store(_ entry: Entry, for request: ServerRequest, _ presets: String) {
        guard entries.isEnabled, entry.freshUntil > now(), let key = Key(request, entry.authorization, presets) else {
            return
        }
        entries.store(entry, for: key, bytes: key.bytes + Self.bytesOfHeaders)
    }
}

/// The serialised heads of an entry's responses, each created at its first use.
final class PreparedHeads: Sendable {
    private struct State {
        var time = 0
        var heads: [Int: PreparedHead] = [:]
    }

    private let state = Mutex(State())

    /// Returns the head of a response with a status; `make` creates a missing head.
    ///
    /// The head is valid at `time`, in seconds since 1970; 0 if heads never change.
    func head(_ status: HTTPResponse.Status, at time: Int, make: () -> PreparedHead) -> PreparedHead {
        if let head = state.withLock({ $0.time == time ? $0.heads[status.code] : nil }) { return head }
        let head = make()
        state.withLock { state in
            if state.time != time { state = State(time: time) }
            state.heads[status.code] = head
        }
        return head
    }
}
