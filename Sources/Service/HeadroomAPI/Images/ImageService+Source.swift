import Fetching
import Geometry
import Pipeline
import Requests
import Workers

extension ImageService {
    /// Returns the uploaded bytes, or the cached or fetched source at the requested URL.
    ///
    /// - Throws: A ``Problem`` when the URL is invalid, the fetch fails, or no worker can start before the deadline.
    func source(of request: ImageRequest, _ record: inout ImageRecord) async throws(Problem) -> ImageSource {
        switch request.image {
        case .bytes(let bytes):
            // The queue may have filled since the header was checked.
            if let refusal = workers.refusal(by: request.deadline, for: request.client) { throw Problem(refusal) }
            return ImageSource(bytes: bytes)
        case .url(let address):
            let text = self.address(address, of: request)
            let isEncrypted = request.translation?.isEncrypted == true
            let url: SourceURL
            do throws(Problem) {
                url = try caches.fetcher.url(text, &record)
            } catch {
                throw isEncrypted ? Problem(ImageFetcher.invalidEncryptedURL) : error
            }
            record.describe(url)
            let isNamedInFull = caches.fetcher.namesOrigin(text) && request.translation?.namesOrigin != false
            return try await source(
                at: url,
                isNamedInFull: isNamedInFull,
                isEncrypted: isEncrypted || URLCipher.isEncrypted(text),
                for: request,
                &record
            )
        }
    }

    /// Returns the image that replaces a missing source: the fallback image of the request, under the same rules as
    /// every source, or else the configured fallback image.
    ///
    /// Nil without a fallback image, for other problems, and for responses without images.
    func fallbackImage(
        of request: ImageRequest,
        after problem: Problem,
        _ record: inout ImageRecord
    ) async -> ImageSource? {
        let negotiation = request.negotiation
        guard problem.isOfMissingSource, negotiation.makesResults, negotiation.video == nil,
            case .url(let missing) = request.image
        else { return nil }
        let url = try? caches.fetcher.url(address(missing, of: request))
        // The log contains the failure and the host of the missing source.
        let described = record
        if let text = request.translation?.fallbackImage, let address = try? caches.fetcher.url(text),
            let source = try? await source(
                at: address,
                isNamedInFull: false,
                for: request,
                isBackdrop: true,
                &record
            )
        {
            record.keepFailure(of: described)
            record.fallbackImage = .request
            return ImageSource(
                bytes: source.bytes,
                url: url,
                isFallbackImage: true,
                isNamedInFull: false,
                cached: source.cached
            )
        }
        record.keepFailure(of: described)
        guard let missingImage else { return nil }
        record.fallbackImage = .setting
        return ImageSource(
            bytes: missingImage.bytes,
            url: url,
            isFallbackImage: true,
            isNamedInFull: false,
            knownDigest: missingImage.digest
        )
    }

    /// Returns the URL of the source.
    ///
    /// Resolves a relative URL from another service's URL if this service has a base URL.
    private func address(_ address: String, of request: ImageRequest) -> String {
        guard let relative = request.translation?.relativeSource, caches.fetcher.resolves(relative) else {
            return address
        }
        return relative
    }

    /// Returns the backdrop of a request; nil without a backdrop, and for responses without output images.
    ///
    /// It is fetched under the same rules as the source.
    ///
    /// - Throws: Like ``source(of:_:)``, with a detail that names the backdrop.
    func backdrop(of request: ImageRequest, _ record: inout ImageRecord) async throws(Problem) -> ImageSource? {
        guard let text = request.parameters.given[.backdropURL], request.negotiation.makesResults else { return nil }
        let url = try caches.fetcher.url(text, as: .backdropURL, &record)
        let isNamedInFull = caches.fetcher.namesOrigin(text)
        do throws(Problem) {
            return try await source(
                at: url,
                isNamedInFull: isNamedInFull,
                isEncrypted: URLCipher.isEncrypted(text),
                for: request,
                isBackdrop: true,
                &record
            )
        } catch {
            var problem = error
            problem.detail = "The backdrop: \(problem.detail)"
            throw problem
        }
    }

    private func source(
        at url: SourceURL,
        isNamedInFull: Bool,
        isEncrypted: Bool = false,
        for request: ImageRequest,
        isBackdrop: Bool = false,
        _ record: inout ImageRecord
    ) async throws(Problem) -> ImageSource {
        // A source is not fetched if no worker can process it before the deadline.
        if !caches.sources.knows(url), let refusal = workers.refusal(by: request.deadline, for: request.client) {
            throw Problem(refusal)
        }
        let start = ContinuousClock.now
        do {
            let (source, use) = try await caches.sources.source(
                url,
                by: request.deadline,
                traceParent: record.beginFetch(),
                for: request.client,
                request.fetchLimits
            )
            let time = ContinuousClock.now - start
            record.endFetch(of: url, use)
            if !isBackdrop { record.describe(use, after: time) }
            return ImageSource(
                bytes: SourceBytes(source.bytes),
                fetchTime: time,
                url: url,
                isNamedInFull: isNamedInFull,
                cached: (source, use)
            )
        } catch {
            record.fetch = .now - start
            record.describe(error, of: url)
            var problem = Problem(error)
            problem.sourceTags = SourceLabels(url: url, isNamedInFull: isNamedInFull).cacheTag
            if problem.kind == .sourceNotFound {
                // The cause may contain a part of the URL.
                problem.add(error, of: url, isForLocalClient: request.isFromPrivateNetwork && !isEncrypted)
            }
            throw problem
        }
    }
}
