package import Admission
package import Imaging

/// The value of a step with images, whose error becomes a ``PipelineError/codec(_:)``.
package func codec<Value>(_ step: @autoclosure () throws(CodecError) -> Value) throws(PipelineError) -> Value {
    try codec(step)
}

/// The same for several statements.
package func codec<Value>(_ steps: () throws(CodecError) -> Value) throws(PipelineError) -> Value {
    do { return try steps() } catch { throw .codec(error) }
}

/// The value of steps with a detector or a model, whose error becomes a ``PipelineError/detector(_:)`` with its name.
package func detecting<Value>(_ name: String, _ steps: () throws -> Value) throws(PipelineError) -> Value {
    do { return try steps() } catch { throw .detector("\(name): \(error)") }
}

/// The limits and the accounting of one client, in addition to the service's limits.
package struct JobLimits: Sendable {
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
