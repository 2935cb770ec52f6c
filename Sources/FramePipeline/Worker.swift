import Dispatch

/// One worker: a serial queue, and the context that only jobs on that queue touch.
///
/// Unchecked because the compiler cannot see that `context` is used on `queue` alone: the pool hands a worker to one job
/// at a time, and the job touches the context inside `queue.async` only.
final class Worker<Context>: @unchecked Sendable {
    let queue: DispatchQueue
    var context: Context

    init(number: Int, context: Context) {
        queue = DispatchQueue(label: "headroom.worker.\(number)", qos: .userInitiated)
        self.context = context
    }
}
