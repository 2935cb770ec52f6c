import Admission
import Encodings
import Pipeline
import Requests

/// Processes one picture: loads its source, crops it, and writes results to the parts folder or a bucket.
struct PictureWork: Sendable {
    /// The outcome of a job.
    struct Outcome: Sendable {
        var result: Result<Product, RowError>
        var attempts = 1
        var sha256: String?
        var milliseconds: [String: Double] = [:]
        /// Whether findings of a picture with equal bytes were reused.
        var isKnown = false
        /// Whether the run stopped before the job was done; a later run does it.
        var isAbandoned = false

        init(_ result: Result<Product, RowError>) { self.result = result }

        /// The outcome of a job that no worker had begun when a stop was requested.
        static var abandoned: Outcome {
            var outcome = Outcome(.failure(RowError("stopped", "The run was stopped.")))
            outcome.isAbandoned = true
            return outcome
        }

        /// The outcome of a job whose attempts have all failed, with the failure of the last one.
        ///
        /// - Throws: A ``BatchError`` for a fatal failure, which would affect every other job too.
        init<Value>(_ failure: Retries.Failure, _ tried: Retries.Tried<Value>) throws {
            if failure.isFatal { throw BatchError(failure.error.detail) }
            result = .failure(failure.error)
            attempts = tried.attempts
            isAbandoned = tried.isAbandoned
        }
    }

    /// The results of a picture.
    struct Product: Sendable {
        var parts: [OutputWriter.Part] = []
        var outputs: [ResultLine.Output] = []
        /// The plan as a line of JSON.
        var plan: [UInt8]
    }

    let loader: SourceLoader
    let findings: KnownFindings
    let parameters: JobParameters
    let outputs: ResultWriter
    let retries: Retries
    /// Limits the pictures handed to workers; a stop finishes these and leaves all others to a later run.
    let running: ByteGate
    let configuration: BatchConfiguration
    let clock: BatchClock

    /// Processes the picture of a job.
    ///
    /// - Throws: A ``BatchError`` if results cannot be written at all.
    func run(_ job: BatchJob) async throws -> Outcome {
        let parameters: FrameParameters
        switch self.parameters.parameters(of: job) {
        case .success(let parsed): parameters = parsed
        case .failure(let error): return Outcome(.failure(error))
        }
        if let name = configuration.name, parameters.options.aspects.count > 1, !name.hasAspect,
            configuration.target != .plans
        {
            let text = "--name without {aspect} is for one aspect a picture."
            return Outcome(.failure(RowError("invalid-parameter", text)))
        }
        if retries.stop.isRequested { return .abandoned }
        let start = clock.now()
        let tried = await retries.run { () async throws(Retries.Failure) in try await loader.load(job.source) }
        let loaded: SourceLoader.Loaded
        switch tried.result {
        case .success(let source): loaded = source
        case .failure(let failure): return try Outcome(failure, tried)
        }
        let loadTime = clock.now() - start
        let digest = Hexadecimal.text(SHA256.digest(of: loaded.bytes))
        let turn = await running.take(1)
        if retries.stop.isRequested { return .abandoned }
        defer { withExtendedLifetime(turn) {} }
        var outcome = try await frame(job, parameters, loaded.bytes, digest)
        // Keeps the memory reserved for the source until the results are written.
        withExtendedLifetime(loaded) {}
        outcome.attempts += tried.attempts - 1
        outcome.sha256 = digest
        outcome.milliseconds["load"] = Self.milliseconds(loadTime)
        return outcome
    }

    private func frame(
        _ job: BatchJob,
        _ parameters: FrameParameters,
        _ bytes: [UInt8],
        _ digest: String
    ) async throws -> Outcome {
        let (result, isKnown) = try await findings.run(self.parameters.frameJob(bytes, parameters), digest: digest)
        switch result {
        case .failure(let error):
            let cause: String? =
                switch error {
                case .detector(let text), .workerLost(let text): text
                default: nil
                }
            return Outcome(.failure(RowError(Problem(error), cause: cause)))
        case .success(let result):
            let images = result.image.map { [$0] } ?? result.images
            let plan = JSONDocument.bytes(of: PlanDocument(result.plan, crops: true))
            var outcome = try await outputs.write(images, shapes: result.plan.crops.map(\.aspect), of: job, plan: plan)
            outcome.isKnown = isKnown
            for (stage, time) in result.times.spent { outcome.milliseconds[stage.rawValue] = Self.milliseconds(time) }
            return outcome
        }
    }

    private static func milliseconds(_ time: Duration) -> Double { (time / .milliseconds(1) * 100).rounded() / 100 }
}
