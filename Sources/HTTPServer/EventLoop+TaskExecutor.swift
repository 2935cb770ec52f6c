import Dispatch

/// Handlers run on the loop of their connection.
///
/// On Swift's cooperative pool each request would change threads twice, which on trivial routes was a quarter of all
/// time, and more where other work keeps the processors busy.
extension EventLoop: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
