import Synchronization

/// Tells running work that nobody waits for its result any more.
package final class Cancellation: Sendable {
    private let flag = Atomic(false)

    /// Not cancelled yet.
    package init() {}

    /// Whether the work may stop.
    package var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Asks the work to stop.
    package func cancel() { flag.store(true, ordering: .relaxed) }

    /// Called between stages: throws once nobody waits.
    func check() throws(PipelineError) {
        if isCancelled { throw .cancelled }
    }
}
