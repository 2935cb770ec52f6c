import BinaryCoding
import Caching
import Pipeline
import Requests
import Workers

/// Runs jobs and keeps the findings of their searches, so that pictures with equal bytes are searched once in a run.
///
/// With a file, later runs reuse the findings too.
final class KnownFindings: Sendable {
    /// The memory limit of findings in bytes.
    private static let cacheBytes = 64 << 20

    private let service: FrameService
    private let file: FindingsFile?
    private let cache = ByteCache<String, FaceFindings>(budget: cacheBytes)
    private let flights = SingleFlight<String, JobOutcome>()

    init(_ service: FrameService, file: FindingsFile?) {
        self.service = service
        self.file = file
    }

    /// Runs a job.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - digest: The digest of the picture's bytes as text.
    /// - Returns: The result, and whether findings of another picture were reused.
    /// - Throws: A ``BatchError`` if findings cannot be written.
    func run(
        _ job: FrameJob,
        digest: String
    ) async throws -> (result: Result<FrameResult, PipelineError>, isKnown: Bool) {
        guard job.needsFaces else { return (await service.outcome(of: job).result, false) }
        let key = "\(ResponseVersion.current),\(service.detectorName),\(job.searchKey),\(digest)"
        var known = job
        known.findings = findings(for: key)
        if known.findings != nil { return (await service.outcome(of: known).result, true) }
        let arrival = await flights.join(key) { [service, cache, job] in
            var job = job
            // Another search may have ended since.
            job.findings = cache.value(for: key)
            let outcome = await service.outcome(of: job)
            if let findings = outcome.findings { cache.store(findings, for: key, bytes: findings.bytes) }
            return outcome
        }
        guard let arrival else { return (.failure(.cancelled), false) }
        guard arrival.isJoined else {
            if let findings = arrival.value.findings { try keep(findings, for: key) }
            return (arrival.value.result, arrival.value.findings == nil)
        }
        // The joined job may have had other parameters, so this one runs in any case.
        known.findings = arrival.value.findings ?? cache.value(for: key)
        return (await service.outcome(of: known).result, known.findings != nil)
    }

    private func findings(for key: String) -> FaceFindings? {
        if let findings = cache.value(for: key) { return findings }
        let stored = file?.bytes(for: key).flatMap {
            FaceFindings(decoding: $0, detectorName: service.detectorName, limits: service.limits)
        }
        if let stored { cache.store(stored, for: key, bytes: stored.bytes) }
        return stored
    }

    private func keep(_ findings: FaceFindings, for key: String) throws {
        if let file, let bytes = try? BinaryCoder.bytes(of: findings) { try file.add(bytes, for: key) }
    }
}
