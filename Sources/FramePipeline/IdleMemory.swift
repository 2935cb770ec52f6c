import Dispatch
import Synchronization

/// Gives memory back to the system once no work is left for a moment.
///
/// While there is work, the memory of one picture is the next one's: fresh pages cost more than a small picture's scaling.
final class IdleMemory: Sendable {
    private static let delay = DispatchTimeInterval.seconds(1)

    private let release: @Sendable () -> Void
    private let isPending = Atomic(false)

    /// - Parameter release: Gives the memory back.
    init(release: @escaping @Sendable () -> Void) { self.release = release }

    /// Called at the end of a job; `isIdle` is asked later whether there is work again.
    func jobEnded(isIdle: @escaping @Sendable () -> Bool) {
        guard isIdle(), !isPending.exchange(true, ordering: .relaxed) else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.delay) {
            self.isPending.store(false, ordering: .relaxed)
            if isIdle() { self.release() }
        }
    }
}
