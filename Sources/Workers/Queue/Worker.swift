import Dispatch

/// One worker: a serial queue, and the resource that only jobs on that queue use.
///
/// Unchecked because the compiler cannot see that `resource` is used on `queue` alone: the pool hands a worker to one job
/// at a time, and the job uses the resource inside `queue.async` only.
final class Worker<Resource>: @unchecked Sendable {
    let queue: DispatchQueue
    var resource: Resource

    init(number: Int, resource: Resource) {
        queue = DispatchQueue(label: "headroom.worker.\(number)", qos: .userInitiated)
        self.resource = resource
    }
}
