import Glibc

/// A separate thread, for work that blocks or that must not share a thread.
package enum DetachedThread {
    /// The work of a thread, as an object that is passed by reference to pthread_create(3).
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// The pause before another attempt while the system cannot create more threads, in microseconds.
    private static let pause: UInt32 = 10_000

    /// Runs `body` on a new thread, which ends when `body` returns; the thread cannot be joined.
    ///
    /// Waits while the system cannot create more threads, like Dispatch.
    package static func start(_ body: @escaping @Sendable () -> Void) {
        let work = Unmanaged.passRetained(Work(body)).toOpaque()
        var thread = pthread_t()
        while true {
            let error = pthread_create(
                &thread,
                nil,
                { work in
                    guard let work else { return nil }
                    Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
                    return nil
                },
                work
            )
            if error == 0 { break }
            precondition(error == EAGAIN, "pthread_create has no other error without attributes")
            usleep(pause)
        }
        pthread_detach(thread)
    }
}
