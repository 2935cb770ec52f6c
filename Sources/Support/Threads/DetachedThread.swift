import Glibc

/// A separate thread for work that blocks or must not share a thread.
package enum DetachedThread {
    /// The work of a thread, as an object whose reference is passed to pthread_create(3).
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// The pause between attempts while the system cannot create more threads, in microseconds.
    private static let pause: UInt32 = 10_000

    /// Runs `body` on a new thread, which ends when `body` returns.
    ///
    /// The thread cannot be joined.
    ///
    /// Like Dispatch, waits while the system cannot create more threads.
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
