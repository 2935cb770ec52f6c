import CSandbox

/// What a worker process and its parent say to each other; bytes go through memory files, so messages are small.
enum WorkerMessage: UInt32 {
    /// From the worker: it is ready, and its doors are closed; the head tells of it.
    case greeting = 1
    /// From the worker: it cannot work; the head is the reason as text, the value may be ``sandboxFailed``.
    case failure = 2
    /// To the worker: a job.
    case request = 3
    /// From the worker: the bytes of memory that the job takes.
    case estimate = 4
    /// To the worker: the memory may be used.
    case proceed = 5
    /// From the worker: the job is done.
    case reply = 6
    /// To the worker: nobody waits for the job any more.
    case cancel = 7
    /// To the worker: there is nothing to do, so that memory kept for the next job may be given back.
    case rest = 8

    /// Tells that it is the system that does not let the worker close its doors.
    static let sandboxFailed: UInt64 = 1

    func message(job: UInt64 = 0, head: Int = 0, body: Int = 0, value: UInt64 = 0) -> hr_message {
        hr_message(
            version: 0,
            kind: rawValue,
            job: job,
            head: UInt64(head),
            body: UInt64(body),
            value: value
        )
    }
}
