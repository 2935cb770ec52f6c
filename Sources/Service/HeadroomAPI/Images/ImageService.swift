import Admission
import Fetching
import Framing
import HTTPTypes
import Pipeline
package import Requests
package import Workers

/// Serves image requests: loads the source, computes the key of the result, returns the cached result or runs the job,
/// and encodes the result in the negotiated form.
///
/// It does not depend on HTTP: ``HeadroomHandler`` creates an ``ImageRequest`` from an HTTP request, and a response
/// from an ``ImageResult``. Pipes use ``reply(to:)``.
package struct ImageService: Sendable {
    let workers: WorkerService
    private(set) var caches: ServiceCaches
    /// The maximum time between a complete request and the start of work on its image.
    let queueTimeout: Duration
    /// The stickers and watermarks that requests may name.
    private(set) var overlays: OverlaySet
    /// The digest of ``overlays``.
    private(set) var overlayDigest: String
    /// The fallback image; nil for none.
    private(set) var missingImage: FallbackImage?
    /// The converters of files that the workers do not read.
    var converters = ConverterSet()
    /// The path prefix of routes, for URLs in markup; nil for none.
    var pathPrefix: PathPrefix?
    /// The public URL of the service, without a slash at its end; nil for URLs without a host.
    var publicURL: String?

    /// Creates a service without a fallback image.
    ///
    /// - Parameters:
    ///   - workers: Runs jobs.
    ///   - caches: Caches of sources, detection results and results.
    ///   - queueTimeout: The maximum time between a complete request and the start of work on its image.
    ///   - overlays: The stickers and watermarks that requests may name.
    package init(
        workers: WorkerService,
        caches: ServiceCaches,
        queueTimeout: Duration = .seconds(10),
        overlays: OverlaySet = OverlaySet()
    ) {
        self.workers = workers
        self.caches = caches
        self.queueTimeout = queueTimeout
        self.overlays = overlays
        overlayDigest = overlays.digest
    }

    /// Applies the settings of a reload.
    ///
    /// - Parameters:
    ///   - overlays: The stickers and watermarks that requests may name.
    ///   - missingImage: The fallback image; nil for none.
    ///   - rules: The rules for fetches.
    mutating func adopt(overlays: OverlaySet, missingImage: FallbackImage?, _ rules: FetchRules) {
        self.overlays = overlays
        overlayDigest = overlays.digest
        self.missingImage = missingImage
        caches = caches.adopting(rules)
    }

    /// A request whose images are loaded, with its job and the key of its result.
    struct Loaded: Sendable {
        let request: ImageRequest
        let key: ResponseKey
        let job: FrameJob
        /// The time before the images were loaded.
        let start: ResultCache.Start
        /// The problem of the source that a fallback image replaces; nil for other sources.
        var replaced: Problem?
    }

    /// Loads the images of a request.
    ///
    /// - Throws: A ``Problem`` if an image is unavailable and has no fallback, or if no worker can start before the
    ///   deadline.
    func load(_ request: ImageRequest, _ record: inout ImageRecord) async throws(Problem) -> Loaded {
        try checkVideo(of: request)
        let start = caches.start
        record.preset = request.parameters.preset
        record.deprecated = DeprecatedName.changes(request.parameters.deprecated)
        let drawn = try Problem.checked(overlays.drawn(by: request.parameters))
        var source: ImageSource
        var replaced: Problem?
        do throws(Problem) {
            source = try await self.source(of: request, &record)
        } catch {
            guard let fallbackImage = await fallbackImage(of: request, after: error, &record) else { throw error }
            source = fallbackImage
            replaced = error
        }
        var loaded = try await loaded(request, source, drawn, from: start, &record)
        loaded.replaced = replaced
        return loaded
    }

    /// Loads the other images of a request.
    func loaded(
        _ request: ImageRequest,
        _ source: ImageSource,
        _ drawn: OverlaySet.Drawn,
        from start: ResultCache.Start,
        _ record: inout ImageRecord
    ) async throws(Problem) -> Loaded {
        let backdrop = try await backdrop(of: request, &record)
        let job = request.negotiation.job(
            source: source.bytes,
            parameters: request.parameters,
            drawn: drawn,
            backdrop: backdrop?.bytes
        )
        let key = ResponseKey(request, source, backdrop, self)
        return Loaded(request: request, key: key, job: job, start: start)
    }

    /// Returns the result of a request: cached, joined (single flight) or computed now.
    ///
    /// If the source at a URL is not an image, or is broken, the function replaces `loaded` with the fallback image and
    /// returns the result for the fallback image.
    ///
    /// - Throws: A ``Problem`` when the job fails, or no worker starts it before the deadline.
    func result(of loaded: inout Loaded, _ record: inout ImageRecord) async throws(Problem) -> ImageResult {
        do throws(Problem) {
            return try await result(of: loaded, &record)
        } catch {
            guard error.cause == .brokenSource, !loaded.key.source.isFallbackImage else { throw error }
            record.failure = record.failure ?? error.detail
            guard let source = await fallbackImage(of: loaded.request, after: error, &record) else { throw error }
            let drawn = try Problem.checked(overlays.drawn(by: loaded.request.parameters))
            loaded = try await self.loaded(loaded.request, source, drawn, from: loaded.start, &record)
            loaded.replaced = error
            return try await result(of: loaded, &record)
        }
    }

    private func result(of loaded: Loaded, _ record: inout ImageRecord) async throws(Problem) -> ImageResult {
        defer { withExtendedLifetime(loaded.request.share) {} }
        var result: ImageResult
        switch try await found(loaded, &record) {
        case .cached(let image, let level):
            record.describe(cached: image)
            result = ImageResult(image, .cached(level))
        case .computed(let computed, let isJoined):
            record.failure = computed.failure
            let showsCrops = loaded.request.showsCrops
            record.describe(computed.result, of: loaded.job.options, showsCrops: showsCrops, isJoined: isJoined)
            result = try encoded(computed.result, of: loaded, isJoined: isJoined)
            result.degradation = computed.degradation
        }
        if loaded.key.source.isFallbackImage { result.degradation = .missingSource }
        return result
    }

    // MARK: Run

    /// Finds or runs a job; a job for an upload always runs.
    private func found(_ loaded: Loaded, _ record: inout ImageRecord) async throws(Problem) -> ResultCache.Found {
        let (route, limits) = (loaded.request.route, loaded.request.limits)
        do throws(ResultCache.Failure) {
            guard loaded.request.isCacheable else {
                return .computed(try await compute(loaded).get(), isJoined: false)
            }
            var image: (@Sendable (FrameResult) -> CachedImage?)?
            if loaded.job.target.product.isSingleImage { image = { result in CachedImage(result, route: route) } }
            return try await caches.results.result(
                for: loaded.key.cacheKey,
                labels: loaded.key.labels,
                image: image,
                from: loaded.start,
                of: limits.client
            ) {
                await compute(loaded)
            }
        } catch {
            record.failure = error.failure
            throw error.problem
        }
    }

    /// The deadline for the start of the next job of a request whose first job has ended.
    ///
    /// The time limit of a converter exceeds ``queueTimeout``, so the deadline of the request may have passed.
    var laterDeadline: ContinuousClock.Instant { .now + queueTimeout }

    /// Runs a job.
    ///
    /// If detection fails, runs it again without detection and returns a degraded result, because a centred crop is
    /// more useful to a page than an error. A request for files fails instead.
    func compute(_ loaded: Loaded) async -> Result<ResultCache.Computed, ResultCache.Failure> {
        let source = loaded.key.source
        var job = loaded.job
        let limits = loaded.request.limits
        var shares: [ByteShare] = []
        do throws(FetchError) {
            // The HTTP server accounts for the memory of uploads.
            for case let cached? in [source.cached, loaded.key.backdrop?.cached] {
                shares.append(try caches.sources.share(of: cached.source, for: limits.client))
            }
        } catch {
            return .failure(.init(problem: Problem(error), failure: "\(error)"))
        }
        let converted: Converted?
        do throws(ResultCache.Failure) {
            converted = try await self.converted(loaded)
        } catch {
            return .failure(error)
        }
        if let converted { job.source = converted.bytes }
        let deadline = converted == nil ? loaded.request.deadline : laterDeadline
        let encoding: VideoEncoding?
        do throws(ResultCache.Failure) {
            encoding = try videoEncoding(of: job, loaded.request)
        } catch {
            return .failure(error)
        }
        defer { withExtendedLifetime((shares, converted)) {} }
        do throws(PipelineError) {
            let digest = converted?.digest
            var result = try await caches.detections.run(job, digest: digest ?? source.digest, by: deadline, limits)
            let isDamaged = result.plan.source.isDamaged
            if isDamaged, !source.isFallbackImage, let url = source.url, let cached = source.cached {
                caches.sources.distrust(cached.source, at: url)
            }
            if let failure = await failure(of: encoding, &result, loaded.request) { return .failure(failure) }
            return .success(.init(result: result, degradation: isDamaged ? .damagedSource : nil, failure: nil))
        } catch {
            let failure: String? =
                switch error {
                case .detector(let message), .workerLost(let message): message
                default: nil
                }
            guard case .detector = error, !loaded.request.isForFiles, let degraded = job.withoutFaces else {
                let problem =
                    if loaded.request.isForFiles {
                        Problem(error)
                    } else {
                        converted == nil ? Problem(error, of: source) : Problem(error, ofConverted: source)
                    }
                return .failure(.init(problem: problem, failure: failure))
            }
            do throws(PipelineError) {
                var result = try await workers.run(degraded, by: deadline, limits)
                if let failure = await self.failure(of: encoding, &result, loaded.request) { return .failure(failure) }
                return .success(.init(result: result, degradation: .noDetection, failure: failure))
            } catch {
                return .failure(.init(problem: Problem(error), failure: failure))
            }
        }
    }

    // MARK: Encode

    /// Encodes a result in the negotiated form.
    private func encoded(
        _ result: FrameResult,
        of loaded: Loaded,
        isJoined: Bool
    ) throws(Problem) -> ImageResult {
        let (request, key) = (loaded.request, loaded.key)
        let (plan, fetch, json) = (result.plan, key.source.fetchTime, "application/json")
        func encoded(
            _ bytes: [UInt8],
            _ mediaType: String,
            disposition: String? = nil,
            decision: String? = nil
        ) -> ImageResult {
            ImageResult(
                bytes,
                mediaType,
                disposition: disposition,
                decision: decision,
                of: result,
                fetch: fetch,
                isJoined: isJoined
            )
        }
        let decision = plan.crops.first?.decision.description
        switch request.negotiation.form {
        case .snippet:
            let snippet = ImageSnippet(
                plan,
                parameters: request.parameters,
                signer: request.signer,
                below: publicURL ?? pathPrefix?.description ?? ""
            )
            return encoded(Array(snippet.html.utf8), "text/html; charset=utf-8", decision: decision)
        case .archive:
            let bytes = try FaceFiles.archive(of: result)
            return encoded(bytes, "application/zip", disposition: "attachment; filename=\"faces.zip\"")
        case .parts:
            let (mediaType, bytes) = FaceFiles.multipart(of: result, boundary: key.boundary)
            return encoded(bytes, mediaType)
        case .focus:
            guard let document = FocusDocument(plan) else { break }
            return encoded(JSONDocument.bytes(of: document), json, decision: document.decision)
        case .image, .images, .document, .debug, .video: break
        }
        guard let image = CachedImage(result, route: request.route) else {
            if let presenter = request.translation?.presenter {
                return encoded(presenter(plan), json, decision: decision)
            }
            let document = PlanDocument(plan, crops: request.route != .faces)
            return encoded(JSONDocument.bytes(of: document), json, decision: document.decision)
        }
        return ImageResult(image, of: result, fetch: fetch, isJoined: isJoined)
    }
}

extension ImageService: ImageHandler {
    /// Returns the response to a request, which may be a problem, and the plan of a result.
    package func reply(to job: PipeRequest) async -> ImageReply {
        var record = ImageRecord()
        do throws(Problem) {
            let parameters = try Problem.checked(
                FrameParameters(job.parameters, known: job.route.parameters, hints: nil)
            )
            let request = try ImageRequest(
                Problem.checked(.init(job.bytes, url: parameters.url, takesUploads: true)),
                parameters,
                route: job.route,
                path: job.path,
                accept: nil,
                deadline: .now + queueTimeout
            )
            var loaded = try await load(request, &record)
            let result = try await result(of: &loaded, &record)
            var fields = result.fields
            fields[.headroomDegraded] = result.degradation?.rawValue
            fields[.headroomDeprecated] = record.deprecated
            let plan = result.plan.map { PlanDocument($0, crops: request.showsCrops) }
            return ImageReply(status: .ok, headers: fields, body: result.bytes, plan: plan)
        } catch {
            return error.reply
        }
    }
}
