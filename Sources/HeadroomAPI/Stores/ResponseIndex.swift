import Caching
import HTTPServer
import HTTPTypes

/// An index of cached pictures by raw request target, which serves repeated requests without parsing their parameters.
///
/// An entry has the key of a picture in the result cache and the response's header; it holds while the picture's source is
/// fresh. A hit costs two lookups. Access is checked before the index is used.
final class ResponseIndex: Sendable {
    /// Everything in a request that decides its response, except for the time and the client.
    struct Key: Hashable, Sendable {
        private let target: String
        private let accept: String?
        /// Responses to signed requests have another `Cache-Control`.
        private let isSigned: Bool
        /// Each tenant has limits of its own.
        private let tenant: String?
        /// The presets that the target may name.
        private let presets: String

        /// Longer targets are not indexed, to bound memory.
        private static let maxBytes = 4096

        /// Creates the key of a request; nil for a request that is not indexed.
        init?(_ request: ServerRequest, _ grant: Grant, _ presets: String) {
            guard request.method == .get || request.method == .head else { return nil }
            target = request.target
            accept = request.headers[.accept]
            isSigned = grant.isSigned
            tenant = grant.tenant?.name
            // A tenant may lose a preset while the service runs.
            self.presets = presets.isEmpty ? "" : "\(presets) \(grant.tenant?.allowedPresets ?? ["*"])"
            guard bytes <= Self.maxBytes else { return nil }
        }

        var bytes: Int { target.utf8.count + (accept?.utf8.count ?? 0) }
    }

    /// A response without the bytes of its picture, before ``Grant/limitCaching(of:now:)``.
    struct Entry: Sendable {
        /// The key of the picture in the result cache.
        let pictureKey: String
        let tag: EntityTag
        let headers: HTTPFields
        let headersOfNotModified: HTTPFields
        /// The preset that the request named.
        let preset: String?
        /// The end of the source's freshness, in seconds since 1970.
        let freshUntil: Int
    }

    /// The index takes one part in so many of the result cache's budget.
    static let budgetDivisor = 8

    /// Memory of an entry's header fields, estimated.
    private static let bytesOfHeaders = 2048

    private let entries: ByteCache<Key, Entry>
    private let results: ResultCache
    private let now: @Sendable () -> Int

    init(_ configuration: CacheConfiguration, results: ResultCache) {
        entries = ByteCache(budget: configuration.resultBytes / Self.budgetDivisor)
        self.results = results
        now = configuration.now
    }

    /// The cached response to a request that has been granted access.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - grant: Its grant.
    ///   - presets: The digest of the presets that it may name.
    /// - Returns: The response, its picture, which is nil for a 304, and the named preset; nil when the index has no entry, its source is no
    ///   longer fresh, or the picture has been evicted.
    func response(
        to request: ServerRequest,
        _ grant: Grant,
        _ presets: String
    ) -> (response: ServerResponse, picture: CachedPicture?, preset: String?)? {
        guard entries.isEnabled, let key = Key(request, grant, presets), let entry = entries.value(for: key),
            entry.freshUntil > now()
        else { return nil }
        if IfNoneMatch.holds(request.headers[.ifNoneMatch], for: entry.tag) {
            return (ServerResponse(status: .notModified, headers: entry.headersOfNotModified), nil, entry.preset)
        }
        guard let picture = results.picture(for: entry.pictureKey) else { return nil }
        return (ServerResponse(status: .ok, headers: entry.headers, body: picture.bytes), picture, entry.preset)
    }

    /// Stores the entry of a request.
    func store(_ entry: Entry, for request: ServerRequest, _ grant: Grant, _ presets: String) {
        guard entries.isEnabled, entry.freshUntil > now(), let key = Key(request, grant, presets) else { return }
        entries.store(entry, for: key, bytes: key.bytes + Self.bytesOfHeaders)
    }
}
