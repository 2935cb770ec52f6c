import Caching
import Fetching
import HTTPServer
import HTTPTypes
import Requests
import UntrustedText

/// Purges of one source from the service's own caches, for operators.
///
/// The request is `POST /purge?url=…` or `POST /purge?tag=…` with a bearer token. The path exists only if purge secrets
/// are configured, and is not part of the API for clients.
extension HeadroomHandler {
    static let purgePath = "/purge"

    /// Whether a request is a purge.
    func isPurge(_ request: ServerRequest) -> Bool {
        !settings.purgeSecrets.isEmpty && request.path.bytes == Self.purgePath.bytes
    }

    /// Purges the requested source from memory, Redis and the result store, and announces the purge to all processes
    /// that share the Redis server.
    ///
    /// - Throws: A ``Problem`` with status 400, 401, 405 or 503.
    func purge(_ request: ServerRequest) async throws(Problem) -> ServerResponse {
        guard request.method == .post else { throw .notAllowed(request.method, methods: [.post]) }
        try checkPurgeSecret(request)
        let (tag, url) = try purgedSource(request)
        // Announced first, so that no process stores the source again after its deletion.
        let isAnnounced = await images.caches.sharedPurges?.announce(tag.description) ?? true
        let (memory, keys, isStorePurged) = await images.caches.purge(tag, url: url)
        let isRemoved = isAnnounced && (images.caches.sharedPurges == nil || keys != nil)
        let unavailable = (isRemoved ? [] : ["Redis"]) + (isStorePurged ? [] : ["the result store"])
        guard unavailable.isEmpty else {
            let (names, verb) = (unavailable.joined(separator: " and "), unavailable.count > 1 ? "are" : "is")
            var problem = Problem(
                .overloaded,
                .serviceUnavailable,
                "\(tag) was removed from the memory of this process, but \(names) \(verb) unavailable. Repeat the request."
            )
            problem.retryAfter = .seconds(1)
            throw problem
        }
        let report = PurgeReport(tag: tag.description, memory: memory, redis: keys)
        return ServerResponse(
            status: .ok,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: JSONDocument.bytes(of: report)
        )
    }

    private func checkPurgeSecret(_ request: ServerRequest) throws(Problem) {
        let token = BearerToken.read(request.headers)
        // All secrets are compared, so that timing does not reveal which one matches.
        let matches = token.map { token in settings.purgeSecrets.map { $0.isEqual(to: token) } } ?? []
        guard !matches.contains(true) else { return }
        let detail =
            token == nil
            ? "A purge requires a purge secret: send Authorization: Bearer SECRET."
            : "The bearer token is not a purge secret."
        let mistake = BearerToken.mistake(in: request.headers).map { " \($0)" } ?? ""
        var problem = Problem(.unauthorized, .unauthorized, detail + mistake)
        problem.challenge = "Bearer realm=\"headroom-purge\"" + (token == nil ? "" : ", error=\"invalid_token\"")
        throw problem
    }

    private func purgedSource(_ request: ServerRequest) throws(Problem) -> (tag: SourceTag, url: SourceURL?) {
        let pairs = try Problem.checked(QueryString.pairs(request.query ?? ""))
        let expected = "either url or tag, exactly once, in the query"
        guard pairs.count == 1, let pair = pairs.first else {
            let error = ParameterError(name: "url", received: pairs.first?.value, expected: expected)
            throw Problem(ParameterErrors(all: [error]))
        }
        if pair.name.bytes == Parameter.url.name.bytes {
            var record = ImageRecord()
            let url = try images.caches.fetcher.url(pair.value, &record)
            return (SourceTag(url), url)
        }
        guard pair.name.bytes == "tag" else {
            throw Problem(ParameterErrors(all: [.init(name: pair.name, received: pair.value, expected: expected)]))
        }
        guard let tag = SourceTag(pair.value) else {
            let form = "source- and 16 hexadecimal digits, as in Cache-Tag"
            throw Problem(ParameterErrors(all: [.init(name: "tag", received: pair.value, expected: form)]))
        }
        return (tag, nil)
    }

    /// Purges the sources that other processes have announced since a given time, and returns the time for the next
    /// call; nil if Redis is unavailable.
    func purgeAnnounced(since: Int?) async -> Int? {
        guard let news = await images.caches.sharedPurges?.news(since: since) else { return nil }
        for tag in news.tags.compactMap(SourceTag.init) { _ = await images.caches.purge(tag) }
        return news.time
    }
}

/// The response to a purge.
private struct PurgeReport: Encodable {
    let tag: String
    /// The number of entries removed from the memory of this process.
    let memory: Int
    /// The number of keys removed from Redis; absent without Redis.
    let redis: Int?
}
