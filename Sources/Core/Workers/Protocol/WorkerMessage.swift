import CSandbox

/// The kinds of messages between a worker process and its parent, except jobs.
///
/// Payloads are sent through memory files.
///
/// A message to the worker with any other number is a job, and the number is its ``WorkerJob/kind``.
enum WorkerMessage: UInt32 {
    /// From the worker: it is ready and sandboxed.
    ///
    /// The head is a ``WorkerGreeting``.
    case greeting = 1
    /// From the worker: it cannot work.
    ///
    /// The head is the reason as text, and the value may be ``sandboxFailed``.
    case failure = 2
    /// From the worker: the memory estimate of the job, in bytes.
    case estimate = 4
    /// To the worker: the memory may be used.
    case proceed = 5
    /// From the worker: the job has finished.
    case reply = 6
    /// To the worker: the job's result is no longer needed.
    case cancel = 7
    /// To the worker: release the memory that is retained for the next job.
    case releaseMemory = 8

    /// The value of ``failure`` if the system does not allow the sandbox.
    static let sandboxFailed: UInt64 = 1

    /// Creates a message of this kind about the job with a number, or about no job.
    func message(job: UInt64 = 0, head: Int = 0, body: Int = 0, value: UInt64 = 0) -> hr_message {
        hr_message(version: 0, kind: rawValue, job: job, head: UInt64(head), body: UInt64(body), value: value)
    }

    /// Creates the message for a job of a kind, with the lengths of its head and body in bytes.
    static func job(_ number: UInt64, ofKind kind: UInt32, head: Int, body: Int) -> hr_message {
        hr_message(version: 0, kind: kind, job: number, head: UInt64(head), body: UInt64(body), value: 0)
    }
}
