import Dispatch
import Glibc
import Synchronization
import Testing
import Threads

@Suite struct DetachedThreadTests {
    @Test func `work runs once, on a separate thread`() {
        let threads = Mutex<Set<UInt>>([])
        let count = 8
        let arrived = DispatchSemaphore(value: 0)
        let released = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        for _ in 0..<count {
            DetachedThread.start {
                threads.withLock { _ = $0.insert(UInt(pthread_self())) }
                arrived.signal()
                // All threads are alive at the same time, so that no thread number is reused.
                released.wait()
                ended.signal()
            }
        }
        for _ in 0..<count { arrived.wait() }
        #expect(threads.withLock { $0.count } == count)
        #expect(!threads.withLock { $0.contains(UInt(pthread_self())) })
        for _ in 0..<count { released.signal() }
        for _ in 0..<count { ended.wait() }
    }

    @Test func `the objects that the work references are released at its end`() async throws {
        final class Held: Sendable {
            let released: DispatchSemaphore
            init(_ released: DispatchSemaphore) { self.released = released }
            deinit { released.signal() }
        }
        let released = DispatchSemaphore(value: 0)
        func start() {
            let held = Held(released)
            DetachedThread.start { withExtendedLifetime(held) {} }
        }
        start()
        released.wait()
    }
}
