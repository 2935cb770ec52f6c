import Synchronization

/// Tells running work that nobody waits for its result any more.
package final class Cancellation: Sendable {
    private let flag = Atomic(false)
    private let action = Mutex<(@Sendable () -> Void)?>(nil)
    private let probe: (@Sendable () -> Bool)?

    /// Not cancelled yet.
    ///
    /// - Parameter probe: Asked for what nobody says by ``cancel()``, such as by another process.
    package init(probe: (@Sendable () -> Bool)? = nil) { self.probe = probe }

    /// Whether the work may stop.
    package var isCancelled: Bool { flag.load(ordering: .relaxed) || probe?() ?? false }

    /// Asks the work to stop.
    package func cancel() {
        flag.store(true, ordering: .sequentiallyConsistent)
        action.withLock { $0 }?()
    }

    /// Calls `action` when the work is asked to stop, or at once when it was already; nil takes that back.
    ///
    /// It may be called twice, and for work that is over.
    func notify(_ action: (@Sendable () -> Void)?) {
        self.action.withLock { $0 = action }
        if flag.load(ordering: .sequentiallyConsistent) { action?() }
    }

    /// Called between stages: throws once nobody waits.
    func check() throws(PipelineError) {
        if isCancelled { throw .cancelled }
    }
}
