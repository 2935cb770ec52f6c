import Encodings
import Geometry
import HeadroomAPI
import Pipeline

/// The work on one picture, from its source to files in the parts folder.
struct PictureWork: Sendable {
    /// What became of a job.
    struct Outcome: Sendable {
        var result: Result<Product, RowError>
        var attempts = 1
        var sha256: String?
        var milliseconds: [String: Double] = [:]
        /// Whether the faces were known from equal bytes.
        var isKnown = false
        /// Whether the run ended before the job: a later run does it.
        var isAbandoned = false

        init(_ result: Result<Product, RowError>) { self.result = result }
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
    let parts: PartsFolder?
    let configuration: BatchConfiguration
    let clock: BatchClock
    let stop: StopRequest

    /// Runs a job.
    ///
    /// - Throws: A ``BatchError`` if nothing can be written.
    func run(_ job: BatchJob) async throws -> Outcome {
        let parameters: FrameParameters
        switch self.parameters.parameters(of: job) {
        case .success(let parsed): parameters = parsed
        case .failure(let error): return Outcome(.failure(error))
        }
        if let name = configuration.name, parameters.options.aspects.count > 1, !name.hasAspect, parts != nil {
            let text = "--name without {aspect} is for one aspect a picture."
            return Outcome(.failure(RowError("invalid-parameter", text)))
        }
        let start = clock.now()
        let (tried, attempts, isAbandoned) = await load(job.source)
        let loaded: SourceLoader.Loaded
        switch tried {
        case .success(let found): loaded = found
        case .failure(let error):
            var outcome = Outcome(.failure(error))
            outcome.attempts = attempts
            outcome.isAbandoned = isAbandoned
            return outcome
        }
        let loadTime = clock.now() - start
        let digest = Hexadecimal.text(SHA256.digest(of: loaded.bytes))
        var outcome = try await frame(job, parameters, loaded.bytes, digest)
        // The bytes count as in work until the results are written.
        withExtendedLifetime(loaded) {}
        outcome.attempts = attempts
        outcome.sha256 = digest
        outcome.milliseconds["load"] = Self.milliseconds(loadTime)
        return outcome
    }

    /// Loads a source, and tries again what may pass.
    private func load(
        _ source: JobSource
    ) async -> (result: Result<SourceLoader.Loaded, RowError>, attempts: Int, isAbandoned: Bool) {
        var attempts = 1
        while true {
            do throws(SourceLoader.Failure) {
                return (.success(try await loader.load(source)), attempts, false)
            } catch {
                guard error.mayPass, error.isOwn || attempts <= configuration.retries.count else {
                    return (.failure(error.error), attempts, false)
                }
                let delay = configuration.retries.delay(after: error.isOwn ? 1 : attempts)
                guard await stop.sleep(delay, clock) else { return (.failure(error.error), attempts, true) }
                if !error.isOwn { attempts += 1 }
            }
        }
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
            var outcome = Outcome(.success(try product(job, result)))
            outcome.isKnown = isKnown
            for (stage, time) in result.times.spent { outcome.milliseconds[stage.rawValue] = Self.milliseconds(time) }
            return outcome
        }
    }

    private func product(_ job: BatchJob, _ result: FrameResult) throws -> Product {
        let images = result.image.map { [$0] } ?? result.images
        var product = Product(plan: JSONDocument.bytes(of: PlanDocument(result.plan, crops: true)))
        guard let parts else { return product }
        let isArchive = if case .archive = configuration.target { true } else { false }
        let name = configuration.name ?? .standard(isArchive: isArchive, hasSeveral: images.count > 1)
        for (index, image) in images.enumerated() {
            let shape = index < result.plan.crops.count ? result.plan.crops[index].aspect : nil
            let aspect = shape?.text ?? "own"
            let path = name.path(key: job.key, aspect: aspect, format: image.format)
            product.parts.append(.init(file: try parts.write(image.bytes), name: path, bytes: image.bytes.count))
            product.outputs.append(
                .init(
                    path: path,
                    aspect: aspect,
                    width: image.size.width,
                    height: image.size.height,
                    bytes: image.bytes.count
                )
            )
        }
        return product
    }

    private static func milliseconds(_ time: Duration) -> Double { (time / .milliseconds(1) * 100).rounded() / 100 }
}
