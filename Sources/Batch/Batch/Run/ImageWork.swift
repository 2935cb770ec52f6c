import Admission
import Cryptography
import Encodings
import Fetching
import Geometry
import HeadroomAPI
import Imaging
import Pipeline
import Requests

/// Processes one image: loads its source, crops it, and writes results to the parts folder or a bucket.
struct ImageWork: Sendable {
    struct Outcome: Sendable {
        var result: Result<Product, RowError>
        var attempts = 1
        var sha256: String?
        var milliseconds: [String: Double] = [:]
        /// Whether detections of an image with equal bytes were reused.
        var isKnown = false
        /// Whether the run stopped before the job was done; a later run processes it.
        var isAbandoned = false

        /// The outcome of a job that no worker had started when a stop was requested.
        static let abandoned = Outcome(
            result: .failure(RowError("stopped", detail: "The run was stopped.")),
            isAbandoned: true
        )

        /// The outcome of a job if all attempts have failed, with the failure of the last attempt.
        ///
        /// - Throws: A ``BatchError`` for a fatal failure, which would also affect every other job.
        static func failed<Value>(_ failure: Retries.Failure, _ tried: Retries.Tried<Value>) throws -> Outcome {
            if failure.isFatal { throw BatchError(failure.error.detail) }
            return Outcome(
                result: .failure(failure.error),
                attempts: tried.attempts,
                isAbandoned: tried.isAbandoned
            )
        }
    }

    struct Product: Sendable {
        var parts: [OutputWriter.Part] = []
        var outputs: [ResultLine.Output] = []
        /// The plan as a line of JSON.
        var plan: [UInt8]
        /// Whether the job requests a redaction.
        var isRedacted = false
    }

    let loader: SourceLoader
    /// Crops images.
    let images: ImageService
    /// The file of cached detections; nil for none.
    let findings: FindingsStore?
    let parameters: JobParameters
    /// The folder of finished files that are not yet at their final paths; nil if results are not files.
    let parts: PartsFolder?
    /// Writes objects; nil without a bucket.
    let objects: ObjectOutput?
    let retries: Retries
    /// Limits the number of images that workers process or that wait for a worker.
    ///
    /// A stop finishes these images and leaves all others to a later run.
    let running: ByteGate
    let configuration: BatchConfiguration
    let clock: BatchClock

    /// Processes the image of a job.
    ///
    /// - Throws: A ``BatchError`` if results cannot be written at all.
    func run(_ job: BatchJob) async throws -> Outcome {
        let parameters: FrameParameters
        do throws(RowError) {
            parameters = try self.parameters.parameters(of: job)
        } catch {
            return Outcome(result: .failure(error))
        }
        if let name = configuration.name, parameters.options.aspects.count > 1, !name.hasAspect,
            configuration.target != .plans
        {
            return Outcome(result: .failure(.parameter("--name requires {aspect} for several aspect ratios.")))
        }
        if retries.stop.isRequested { return .abandoned }
        let start = clock.now()
        let tried = await retries.run { () async throws(Retries.Failure) in try await loader.load(job.source) }
        let loaded: SourceLoader.Loaded
        switch tried.result {
        case .success(let source): loaded = source
        case .failure(let failure): return try Outcome.failed(failure, tried)
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
        let wantsImages = configuration.target != .plans
        let result: Result<ImageFiles, ImageFailure>
        do throws(ImageFailure) {
            let source = SourceBytes(bytes)
            result = .success(try await images.files(of: source, digest: digest, parameters, wantsImages: wantsImages))
        } catch {
            result = .failure(error)
        }
        if let failure = findings?.failure { throw failure }
        switch result {
        case .failure(let failure):
            return Outcome(result: .failure(RowError(failure)))
        case .success(let files):
            let plan = JSONDocument.bytes(of: PlanDocument(files.plan, crops: true))
            let product = Product(plan: plan, isRedacted: parameters.options.redaction != nil)
            var outcome = try await write(files.images, shapes: files.plan.crops.map(\.aspect), of: job, as: product)
            outcome.isKnown = files.usesKnownDetections
            for (stage, time) in files.times.spent { outcome.milliseconds[stage.rawValue] = Self.milliseconds(time) }
            return outcome
        }
    }

    private static func milliseconds(_ time: Duration) -> Double { (time / .milliseconds(1) * 100).rounded() / 100 }
}

extension ImageWork {
    /// Writes the results of an image, before its line of the journal: as files in the parts folder, or as objects.
    ///
    /// `shapes` are the aspect ratios of the results; nil for the aspect ratio of the image. On entry, `product`
    /// contains no outputs.
    private func write(
        _ images: [EncodedImage],
        shapes: [AspectRatio?],
        of job: BatchJob,
        as product: Product
    ) async throws -> Outcome {
        var product = product
        guard configuration.target != .plans else { return Outcome(result: .success(product)) }
        let name = configuration.outputName(hasSeveral: images.count > 1)
        for (index, image) in images.enumerated() {
            let aspect = (index < shapes.count ? shapes[index] : nil)?.text ?? "own"
            product.outputs.append(
                .init(
                    path: name.path(key: job.key, aspect: aspect, format: image.format),
                    aspect: aspect,
                    width: image.size.width,
                    height: image.size.height,
                    bytes: image.bytes.count
                )
            )
        }
        if let objects { return try await send(images, product, objects, of: job) }
        guard let parts else { return Outcome(result: .success(product)) }
        for (image, output) in zip(images, product.outputs) {
            let file = try parts.write(image.bytes)
            product.parts.append(.init(file: file, name: output.path, bytes: output.bytes))
        }
        return Outcome(result: .success(product))
    }

    private func send(
        _ images: [EncodedImage],
        _ product: Product,
        _ objects: ObjectOutput,
        of job: BatchJob
    ) async throws -> Outcome {
        let names = product.outputs.map(\.path)
        do throws(RowError) {
            try objects.claim(names, of: job)
        } catch {
            return Outcome(result: .failure(error))
        }
        var attempts = 1
        for (image, name) in zip(images, names) {
            let tried = await retries.run { () async throws(Retries.Failure) in
                do throws(FetchError) {
                    try await objects.put(image.bytes, to: name, type: image.format.mediaType)
                } catch {
                    let detail = "The output \(name) cannot be written: \(error)."
                    throw Retries.Failure(
                        error: RowError("output-failed", detail: detail),
                        isTransient: error.isTransient,
                        isFatal: !error.isTransient
                    )
                }
            }
            attempts += tried.attempts - 1
            if case .failure(let failure) = tried.result {
                objects.release(names)
                var outcome = try Outcome.failed(failure, tried)
                outcome.attempts = attempts
                return outcome
            }
        }
        return Outcome(result: .success(product), attempts: attempts)
    }
}
