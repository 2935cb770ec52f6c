package import Admission
package import Framing
package import Geometry
package import Imaging

/// Limits on the cost of a job.
package struct PipelineLimits: Hashable, Codable, Sendable {
    /// The largest area and the longest side of a source, checked before pixels are decoded.
    package var decode: DecodeLimits
    /// The largest area of a result, in pixels.
    package var maxResultPixels: Int
    /// The largest area of a result in an expensive format, in pixels; see ``ImageFormat/isExpensive``.
    package var maxExpensivePixels: Int
    /// The most frames of an animation; of a longer one the result shows the first picture.
    package var maxFrames: Int
    /// The most pixels of all frames of an animation together, before and after scaling; of a larger one the result
    /// shows the first picture.
    package var maxAnimationPixels: Int
    /// The most time of a job from the beginning of its work; nil sets no limit.
    package var maxTime: Duration?

    package init(
        decode: DecodeLimits = DecodeLimits(),
        maxResultPixels: Int = 50_000_000,
        maxExpensivePixels: Int = .max,
        maxFrames: Int = 1000,
        maxAnimationPixels: Int = 50_000_000,
        maxTime: Duration? = nil
    ) {
        self.decode = decode
        self.maxResultPixels = maxResultPixels
        self.maxExpensivePixels = maxExpensivePixels
        self.maxFrames = maxFrames
        self.maxAnimationPixels = maxAnimationPixels
        self.maxTime = maxTime
    }

    /// Whether all frames of an animation may be decoded.
    package func allows(_ animation: AnimationInfo) -> Bool {
        animation.frames <= maxFrames && animation.pixels <= maxAnimationPixels
    }
}

/// The reason why a job has no result.
package enum PipelineError: Error, Codable, Sendable {
    /// The source cannot be decoded, or the result cannot be encoded.
    case codec(CodecError)
    /// The backdrop cannot be decoded.
    case backdrop(CodecError)
    /// The requested faces were not found, and the fallback is an error.
    case framing(FramingError)
    /// No face has the requested number.
    case noSuchFace(index: Int, found: Int)
    /// The result would exceed the pixel limit.
    case resultTooLarge(PixelSize, mostPixels: Int)
    /// The result would exceed the pixel limit of the requested format.
    case formatTooLarge(ImageFormat, PixelSize, mostPixels: Int)
    /// The pictures of all faces together would exceed the pixel limit.
    case portraitsTooLarge(pixels: Int, mostPixels: Int)
    /// The requested region begins beyond the picture, whose upright size is given.
    case regionOutside(PixelSize)
    /// A lossless crop was requested of a picture that does not support it, or together with redaction.
    case notLossless(SourceFormat)
    /// The detector failed; the text is for logs.
    case detector(String)
    /// Too many jobs are waiting for this one to start in time; the value is the delay before a retry.
    case overloaded(retryAfter: Duration)
    /// The job needs more memory than the budget for all jobs.
    case tooMuchMemory(bytes: Int, limit: Int)
    /// The job took longer than a job may; it stopped between two stages.
    case tookTooLong(limit: Duration)
    /// The worker process ended during the job; the text is for logs.
    case workerLost(String)
    /// The same bytes ended a worker process recently; the value is the remaining time until they are accepted again.
    case sourceRefused(retryAfter: Duration)
    /// The result is no longer needed.
    case cancelled
}

extension PipelineError {
    /// The error of steps that throw errors of this kind, of codecs, or others.
    init(_ error: any Error) {
        self =
            switch error {
            case let error as PipelineError: error
            case let error as CodecError: .codec(error)
            default: .codec(.failed("\(error)"))
            }
    }
}

/// The value of a step with pictures, whose error becomes a ``PipelineError/codec(_:)``.
func codec<Value>(_ step: @autoclosure () throws(CodecError) -> Value) throws(PipelineError) -> Value {
    try codec(step)
}

/// The same for several statements.
func codec<Value>(_ steps: () throws(CodecError) -> Value) throws(PipelineError) -> Value {
    do { return try steps() } catch { throw .codec(error) }
}

/// The value of steps with a detector or a model, whose error becomes a ``PipelineError/detector(_:)`` with its name.
func detecting<Value>(_ name: String, _ steps: () throws -> Value) throws(PipelineError) -> Value {
    do { return try steps() } catch { throw .detector("\(name): \(error)") }
}

/// The deadline and cancellation of a job.
package struct JobContext: Sendable {
    /// The latest start of work; nil sets no limit.
    package let deadline: ContinuousClock.Instant?
    /// Cancelled when the result is no longer needed.
    package let cancellation: Cancellation
    /// The client's own limits.
    package let terms: JobTerms
    /// The time at which a running job must end, and the limit that led to it; nil sets no limit.
    private var end: (time: ContinuousClock.Instant, limit: Duration)?

    /// The context of one job; by default without a deadline and not cancelled.
    package init(
        deadline: ContinuousClock.Instant? = nil,
        cancellation: Cancellation = Cancellation(),
        terms: JobTerms = JobTerms()
    ) {
        self.deadline = deadline
        self.cancellation = cancellation
        self.terms = terms
    }

    /// The same context for a job that begins now and may take `limit`; nil sets no limit.
    func beginning(_ limit: Duration?) -> JobContext {
        var context = self
        context.end = limit.map { (.now + $0, $0) }
        return context
    }

    /// Throws ``PipelineError/cancelled`` if the job is cancelled, or ``PipelineError/tookTooLong(limit:)``; called
    /// between stages, passes and frames.
    package func check() throws(PipelineError) {
        if cancellation.isCancelled { throw .cancelled }
        if let end, .now > end.time { throw .tookTooLong(limit: end.limit) }
    }
}

/// The limits and the accounting of one client, in addition to the service's limits.
package struct JobTerms: Sendable {
    /// The client that the job counts for in queues and budgets; nil if it is unknown.
    package var client: Client?
    /// The most pixels of a source, a result, or all frames of an animation; nil for the service's limits.
    package var maxPixels: Int?
    /// Receives the processor time of each attempt to run the job, also of one that failed; called on the worker's
    /// thread.
    package var charge: (@Sendable (Duration) -> Void)?
    /// The time until the client may use more processor time; nil while it may.
    ///
    /// For live streams, which send many jobs.
    package var pause: (@Sendable () -> Duration?)?

    /// No limits besides those of the service.
    package init() {}

    /// The service's limits, or lower ones.
    package func limited(_ limits: PipelineLimits) -> PipelineLimits {
        guard let maxPixels else { return limits }
        var limits = limits
        limits.decode.maxPixels = min(limits.decode.maxPixels, maxPixels)
        limits.maxResultPixels = min(limits.maxResultPixels, maxPixels)
        limits.maxExpensivePixels = min(limits.maxExpensivePixels, maxPixels)
        limits.maxAnimationPixels = min(limits.maxAnimationPixels, maxPixels)
        return limits
    }
}
