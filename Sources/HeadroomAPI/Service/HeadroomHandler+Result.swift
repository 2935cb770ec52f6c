import Admission
import Fetching
import Pipeline
import Requests
import Workers

/// Runs the job of an exchange, or finds its result in the cache.
extension HeadroomHandler {
    /// The result of a job: cached, joined (single flight) or computed now; that of an upload is always computed.
    func result(
        of job: FrameJob,
        for exchange: Exchange,
        _ responseKey: ResponseKey,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> ResultCache.Found {
        let (deadline, route) = (exchange.deadline, exchange.route)
        let terms = jobTerms(exchange.grant)
        do throws(ResultCache.Failure) {
            guard exchange.isCacheable else {
                return .computed(try await compute(job, responseKey, by: deadline, terms).get(), isJoined: false)
            }
            var picture: (@Sendable (FrameResult) -> CachedPicture?)?
            if job.answer.product.isSingleImage { picture = { result in CachedPicture(result, route: route) } }
            return try await caches.results.result(for: responseKey.digest, picture: picture) {
                await compute(job, responseKey, by: deadline, terms)
            }
        } catch {
            entry.failure = error.failure
            throw error.problem
        }
    }

    /// Runs a job; when detection fails, runs it again without detection and returns a degraded result, because a page
    /// prefers a centred crop to none.
    private func compute(
        _ job: FrameJob,
        _ responseKey: ResponseKey,
        by deadline: ContinuousClock.Instant,
        _ terms: JobTerms
    ) async -> Result<ResultCache.Computed, ResultCache.Failure> {
        let source = responseKey.source
        var shares: [ByteShare] = []
        do throws(FetchError) {
            // The server accounts for the memory of uploads.
            for case let cached? in [source.cached, responseKey.backdrop?.cached] {
                shares.append(try caches.sources.share(of: cached.source))
            }
        } catch {
            return .failure(.init(problem: Problem(error), failure: "\(error)"))
        }
        defer { withExtendedLifetime(shares) {} }
        do throws(PipelineError) {
            let result = try await caches.detections.run(job, digest: source.digest, by: deadline, terms)
            let isDamaged = result.plan.source.isDamaged
            if isDamaged, let url = source.url, let cached = source.cached {
                caches.sources.distrust(cached.source, at: url)
            }
            return .success(.init(result: result, degradation: isDamaged ? .damagedSource : nil, failure: nil))
        } catch {
            let failure: String? =
                switch error {
                case .detector(let message), .workerLost(let message): message
                default: nil
                }
            guard case .detector = error, let degraded = job.withoutFaces else {
                return .failure(.init(problem: Problem(error), failure: failure))
            }
            do throws(PipelineError) {
                let result = try await service.run(degraded, by: deadline, terms)
                return .success(.init(result: result, degradation: .noDetection, failure: failure))
            } catch {
                return .failure(.init(problem: Problem(error), failure: failure))
            }
        }
    }
}
