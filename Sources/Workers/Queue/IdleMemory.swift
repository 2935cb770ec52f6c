import Dispatch
import Synchronization

/// Returns memory to the system after a second without work.
///
/// While there is work, memory is reused for the next picture: fresh pages cost more than scaling a small picture.
final class IdleMemory: Sendable {
    private static let delay = DispatchTimeInterval.seconds(1)

    private let release: @Sendable () -> Void
    private let isPending = Atomic(false)

    /// - Parameter release: Returns the memory.
    init(release: @escaping @Sendable () -> Void) { self.release = release }

    /// To be called at the end of a job; `isIdle` is called now, and again before memory is released.
    func jobEnded(isIdle: @escaping @Sendable () -> Bool) {
        guard isIdle(), !isPending.exchange(true, ordering: .relaxed) else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.delay) {
            self.isPending.store(false, ordering: .relaxed)
            if isIdle() { self.release() }
        }
    }
}
