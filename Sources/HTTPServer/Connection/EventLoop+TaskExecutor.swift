import Dispatch

/// Runs handlers on the event loop of their connection.
///
/// On Swift's cooperative pool each request changes threads twice, which took a quarter of the time of a trivial
/// route.
extension EventLoop: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
