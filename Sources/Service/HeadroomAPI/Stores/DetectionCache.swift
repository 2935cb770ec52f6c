import Admission
import BinaryCoding
import Caching
import Pipeline
import Requests
import Workers

/// Runs jobs and caches their detection results.
///
/// The key is the digest of the source's bytes, the detector, and the job's search options. A result without faces is
/// also cached. Concurrent jobs with the same key share one search (single flight): the other jobs wait for the
/// detection result and then frame the image.
final class DetectionCache: Sendable {
    /// The lifetime of detection results in Redis: a week.
    private static let lifetime = Duration.seconds(7 * 86_400)

    private let service: WorkerService
    private let cache: TieredCache<DetectionResult>
    private let flights = SingleFlight<String, Result<FrameResult, PipelineError>>()

    init(_ configuration: CacheConfiguration, store: (any SharedStore)?, service: WorkerService) {
        self.service = service
        let (name, limits) = (service.detectorName, service.limits)
        cache = TieredCache(
            name: "detection",
            budget: configuration.detectionBytes,
            store: store,
            coding: .init(lifetime: Self.lifetime) { findings in
                (try? BinaryCoder.bytes(of: findings)).map { SharedRecord(head: $0) }
            } decode: { record in
                DetectionResult(decoding: record.head, detectorName: name, limits: limits).map { ($0, $0.bytes) }
            }
        )
    }

    /// Removes the results of sources from memory.
    ///
    /// - Parameter digests: The digests of the sources' bytes.
    /// - Returns: The number of removed entries.
    func purge(_ digests: [String]) -> Int {
        // trusted: digests in hexadecimal digits.
        cache.forgetAll { key in digests.contains { key.hasSuffix($0) } }.count
    }

    var statistics: CacheStatistics { cache.statistics(joined: flights.joined) }

    /// Runs a job, with the cached detection result if there is one.
    ///
    /// The digest is evaluated only if the job needs faces.
    ///
    /// - Throws: The errors of ``WorkerService/run(_:by:_:)``.
    func run(
        _ job: FrameJob,
        digest: @autoclosure () -> String,
        by deadline: ContinuousClock.Instant,
        _ limits: JobLimits
    ) async throws(PipelineError) -> FrameResult {
        guard cache.isEnabled, job.needsFaces else { return try await service.run(job, by: deadline, limits) }
        let key = "\(ResponseVersion.current),\(service.detectorName),\(job.searchKey),\(digest())"
        var job = job
        if let findings = cache.value(for: key) {
            job.findings = findings
            return try await service.run(job, by: deadline, limits)
        }
        // A tenant does not wait for jobs of another tenant.
        let arrival = await flights.join("\(limits.client?.tenant ?? "") \(key)") { [self, job] in
            var job = job
            job.findings = await cache.missedValue(for: key)?.value
            return await search(job, key, by: deadline, limits)
        }
        guard let arrival else { throw .cancelled }
        guard arrival.isJoined else { return try arrival.value.get() }
        // The joined job may have failed for a reason that does not affect this job, so this job runs in either case.
        job.findings = cache.value(for: key)
        return try await search(job, key, by: deadline, limits).get()
    }

    /// Runs a job and caches its detection result even if the job fails later.
    ///
    /// For example, an image without faces may be rejected, but its search is not repeated.
    private func search(
        _ job: FrameJob,
        _ key: String,
        by deadline: ContinuousClock.Instant,
        _ limits: JobLimits
    ) async -> Result<FrameResult, PipelineError> {
        let outcome = await service.outcome(of: job, by: deadline, limits)
        if let findings = outcome.findings { cache.keep(findings, for: key, bytes: findings.bytes) }
        return outcome.result
    }
}
