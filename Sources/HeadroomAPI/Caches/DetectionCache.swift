import FramePipeline
import SharedCache

/// Runs jobs, and looks for the same faces in the same picture only once.
///
/// What was found is kept by the digest of the picture's bytes, the detector, and what a job asks of the search; also that
/// there is nobody. Two jobs at once that need the same search share it: the second waits for the first, and then frames.
final class DetectionCache: Sendable {
    /// How long processes share what was found: a week.
    private static let lifetime = Duration.seconds(7 * 86_400)

    private let service: FrameService
    private let cache: TieredCache<FaceFindings>
    private let flights = Flights<String, Result<FrameResult, PipelineError>>()

    init(_ configuration: CacheConfiguration, store: (any SharedStore)?, service: FrameService) {
        self.service = service
        let (name, limits) = (service.detectorName, service.limits)
        cache = TieredCache(
            name: "detection",
            budget: configuration.detectionBytes,
            store: store,
            coding: .init(lifetime: Self.lifetime) { findings in
                (try? WorkerWire.bytes(of: findings)).map { SharedRecord(head: $0) }
            } decode: { record in
                FaceFindings(told: record.head, detectorName: name, limits: limits).map { ($0, $0.bytes) }
            }
        )
    }

    /// What it has done, and holds.
    var statistics: CacheStatistics {
        var statistics = cache.statistics
        statistics.joined = flights.joined
        return statistics
    }

    /// Runs a job, with what was found before if there is any.
    ///
    /// - Parameters:
    ///   - job: Of a picture.
    ///   - digest: Of the picture's bytes; asked for only when there are faces to be found.
    ///   - deadline: When work on it must have begun.
    /// - Returns: What the job gives.
    /// - Throws: What ``FrameService/run(_:by:)`` throws.
    func run(
        _ job: FrameJob,
        digest: @autoclosure () -> String,
        by deadline: ContinuousClock.Instant? = nil
    ) async throws(PipelineError) -> FrameResult {
        guard cache.isEnabled, job.needsFaces else { return try await service.run(job, by: deadline) }
        let key = "\(Representation.version),\(service.detectorName),\(job.search),\(digest())"
        var job = job
        if let findings = cache.value(for: key) {
            job.findings = findings
            return try await service.run(job, by: deadline)
        }
        let arrival = await flights.join(key) { [self, job] in
            var job = job
            job.findings = await cache.missedValue(for: key)?.value
            return await Self.outcome { () async throws(PipelineError) in try await search(job, key, by: deadline) }
        }
        guard let arrival else { throw .cancelled }
        guard arrival.isJoined else { return try arrival.value.get() }
        // Whether or not the other one had an answer in the end, for that may have been of its own making.
        job.findings = cache.value(for: key)
        return try await search(job, key, by: deadline)
    }

    /// Runs a job, and keeps what it found, also when it fails with that: a picture without faces is refused once more
    /// where that is asked for, but not searched again.
    private func search(
        _ job: FrameJob,
        _ key: String,
        by deadline: ContinuousClock.Instant?
    ) async throws(PipelineError) -> FrameResult {
        try await service.run(job, by: deadline) { [cache] in cache.keep($0, for: key, bytes: $0.bytes) }
    }

    private static func outcome<Value>(
        _ body: () async throws(PipelineError) -> Value
    ) async -> Result<Value, PipelineError> {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }
}
