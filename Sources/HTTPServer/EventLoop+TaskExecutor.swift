import Dispatch

/// Lets handlers run on the loop of their connection.
///
/// On Swift's cooperative pool each request changes threads twice, which on a trivial route was a quarter of all time.
extension EventLoop: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
