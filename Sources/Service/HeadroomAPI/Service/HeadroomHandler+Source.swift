package import Fetching
import Geometry
import HTTPServer
import HTTPTypes
import Pipeline
package import Requests
import Workers

extension HeadroomHandler {
    /// The uploaded bytes, or the cached or fetched source at the requested URL.
    ///
    /// - Throws: A ``Problem`` when the URL is invalid, the fetch fails, or no worker can start before the deadline.
    func source(of wanted: PictureRequest, log entry: inout AccessLog.Entry) async throws(Problem) -> PictureSource {
        switch wanted.image {
        case .bytes(let bytes):
            // The queue may have filled since the header was checked.
            if let refusal = service.refusal(by: wanted.deadline, for: wanted.client) { throw Problem(refusal) }
            return PictureSource(bytes: bytes)
        case .url(let text):
            let url = try caches.fetcher.url(text, log: &entry)
            entry.describe(url)
            let isNamedInFull = !BaseURL.isShort(text) && wanted.translation?.namesOrigin != false
            return try await source(at: url, isNamedInFull: isNamedInFull, for: wanted, log: &entry)
        }
    }

    /// The picture in place of one that is missing: that of the request, under the same rules as every source, else that
    /// of the setting; nil if there is none, for other problems, and for responses without pictures.
    func standIn(
        of wanted: PictureRequest,
        after problem: Problem,
        log entry: inout AccessLog.Entry
    ) async -> PictureSource? {
        guard problem.isOfMissingSource, wanted.negotiation.makesResults, case .url(let missing) = wanted.image else {
            return nil
        }
        let url = try? caches.fetcher.url(missing)
        // The log keeps the failure and the host of the missing source.
        let described = entry
        if let text = wanted.translation?.standIn, let address = try? caches.fetcher.url(text),
            let source = try? await source(
                at: address,
                isNamedInFull: false,
                for: wanted,
                isBackdrop: true,
                log: &entry
            )
        {
            entry.keepFailure(of: described)
            log.metrics.count(.request)
            return PictureSource(
                bytes: source.bytes,
                url: url,
                isStandIn: true,
                isNamedInFull: false,
                cached: source.cached
            )
        }
        entry.keepFailure(of: described)
        guard let missingPicture else { return nil }
        log.metrics.count(.setting)
        let bytes = SourceBytes(missingPicture.bytes)
        return PictureSource(bytes: bytes, url: url, isStandIn: true, isNamedInFull: false)
    }

    /// The backdrop of a request; nil without one, and for responses without pictures of results.
    ///
    /// It is fetched under the same rules as the source.
    ///
    /// - Throws: Like ``source(of:log:)``, with a detail that names the backdrop.
    func backdrop(of wanted: PictureRequest, log entry: inout AccessLog.Entry) async throws(Problem) -> PictureSource? {
        guard let text = wanted.parameters.given[.backdropURL], wanted.negotiation.makesResults else { return nil }
        let url = try caches.fetcher.url(text, as: .backdropURL, log: &entry)
        let isNamedInFull = !BaseURL.isShort(text)
        do throws(Problem) {
            return try await source(at: url, isNamedInFull: isNamedInFull, for: wanted, isBackdrop: true, log: &entry)
        } catch {
            var problem = error
            problem.detail = "The backdrop: \(problem.detail)"
            throw problem
        }
    }

    private func source(
        at url: SourceURL,
        isNamedInFull: Bool,
        for wanted: PictureRequest,
        isBackdrop: Bool = false,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> PictureSource {
        // A source is not fetched when no worker could use it in time.
        if !caches.sources.knows(url), let refusal = service.refusal(by: wanted.deadline, for: wanted.client) {
            throw Problem(refusal)
        }
        let start = ContinuousClock.now
        do {
            let (source, use) = try await caches.sources.source(
                url,
                by: wanted.deadline,
                traceParent: entry.beginFetch(),
                for: wanted.client,
                wanted.grant.tenant?.fetchTerms ?? FetchTerms()
            )
            let time = ContinuousClock.now - start
            entry.endFetch(of: url, use)
            if !isBackdrop { entry.describe(use, after: time) }
            return PictureSource(
                bytes: SourceBytes(source.bytes),
                fetchTime: time,
                url: url,
                isNamedInFull: isNamedInFull,
                cached: (source, use)
            )
        } catch {
            entry.fetch = .now - start
            entry.describe(error, of: url)
            var problem = Problem(error)
            if problem.kind == .sourceNotFound {
                problem.caching = SourceLabels(url: url, isNamedInFull: isNamedInFull).headersOfAbsence
                if !caches.fetcher.allowsPrivateSources, wanted.request.isFromPrivateNetwork {
                    problem.detail += " Sources at private addresses need the option --allow-private-sources."
                }
            }
            throw problem
        }
    }
}

extension ServerRequest {
    /// Whether the client is on this host or in a private network, and no proxy has forwarded the request but a trusted
    /// one, which names the client.
    fileprivate var isFromPrivateNetwork: Bool {
        guard proxy != nil || !headers.contains(.forwarded) && !headers.contains(.xForwardedFor),
            let address = client.host.flatMap(IPAddress.init)
        else { return false }
        return AddressPolicy.publicOnly.refusal(of: address) != nil
    }
}

extension ImageFetcher {
    /// The address in a parameter.
    ///
    /// - Parameters:
    ///   - text: The value of the parameter.
    ///   - parameter: The parameter, which a problem names.
    ///   - entry: Receives the cause of a failure.
    /// - Returns: An address that may be fetched, as far as that is known before its name is looked up.
    /// - Throws: A ``Problem`` for an address that cannot be fetched.
    package func url(
        _ text: String,
        as parameter: Parameter = .url,
        log entry: inout AccessLog.Entry
    ) throws(Problem) -> SourceURL {
        do {
            return try url(text)
        } catch {
            entry.failure = "\(error)"
            guard case .invalidURL(let reason) = error else { throw Problem(error) }
            let name = parameter.name
            let expected = "\(acceptedAddresses); \(reason)"
            throw Problem(ParameterErrors(all: [.init(name: name, received: text, expected: expected)]))
        }
    }
}
