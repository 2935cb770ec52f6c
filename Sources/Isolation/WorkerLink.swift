import CSandbox
import Glibc

/// The other end: what a worker process sees of its parent.
///
/// One at a time, on the thread that works.
package struct WorkerLink: Sendable {
    /// Why a process cannot be a worker.
    package struct Failure: Error, CustomStringConvertible {
        /// One sentence.
        package let description: String
        fileprivate var isOfSandbox = false
    }

    /// A job.
    package struct Request: Sendable {
        /// Its number.
        package let job: UInt64
        /// What describes it.
        package let head: [UInt8]
        /// What it is about.
        package let body: [UInt8]
    }

    /// Makes this process a worker, which dies with its parent.
    ///
    /// - Throws: ``Failure`` when no parent holds the other end, as when somebody calls the command by hand.
    package init() throws(Failure) {
        var call: UnsafePointer<CChar>?
        let status = hr_sandbox_prepare(&call)
        guard status == 0 else { throw Failure(description: "a worker process is started by headroom serve only") }
    }

    /// The bytes of address space in use; to be asked before ``closeDoors()``.
    package var addressSpaceBytes: Int { max(0, Int(hr_sandbox_address_space())) }

    /// From now on this process can compute, and speak to its parent, and nothing else.
    ///
    /// - Throws: ``Failure`` when the system does not allow that.
    package func closeDoors() throws(Failure) {
        var call: UnsafePointer<CChar>?
        let status = hr_sandbox_enter(&call)
        guard status < 0 else { return }
        let name = call.map { String(cString: $0) } ?? ""
        throw Failure(
            description: "worker processes cannot be sandboxed here: \(name): \(systemMessage(-status))",
            isOfSandbox: true
        )
    }

    /// Tells the parent that the process is ready.
    package func greet(_ head: [UInt8]) { say(.greeting, head: head) }

    /// Tells the parent that the process cannot work.
    package func fail(_ reason: any Error) {
        let isOfSandbox = (reason as? Failure)?.isOfSandbox ?? false
        say(.failure, head: Array("\(reason)".utf8), value: isOfSandbox ? WorkerMessage.sandboxFailed : 0)
    }

    /// Waits for the next job.
    ///
    /// - Parameter rest: Called when the parent says that there is nothing to do.
    /// - Returns: The job; nil when the parent is gone.
    package func next(rest: () -> Void) -> Request? {
        while let message = receive() {
            if message.kind == WorkerMessage.rest.rawValue { rest() }
            // One that was cancelled too late is over.
            guard message.kind == WorkerMessage.request.rawValue else { continue }
            guard let head = bytes(Int(message.head), at: 0), let body = bytes(Int(message.body), at: Int(message.head))
            else { return nil }
            return Request(job: message.job, head: head, body: body)
        }
        return nil
    }

    /// Tells what the job takes and waits for the memory; false when the job is not to be done.
    package func ask(for bytes: Int, of request: Request) -> Bool {
        send(WorkerMessage.estimate.message(job: request.job, value: UInt64(max(0, bytes))))
        while let message = receive() {
            guard message.job == request.job else { continue }
            return message.kind == WorkerMessage.proceed.rawValue
        }
        return false
    }

    /// Whether the parent has said that nobody waits for the job any more.
    package func isCancelled(_ request: Request) -> Bool {
        hr_message_waits(Int32(HR_WORKER_CONTROL.rawValue), WorkerMessage.cancel.rawValue, request.job)
    }

    /// Answers a job.
    package func reply(to request: Request, head: [UInt8], body: [[UInt8]]) {
        say(.reply, job: request.job, head: head, body: body)
    }

    private func say(
        _ kind: WorkerMessage,
        job: UInt64 = 0,
        head: [UInt8],
        body: [[UInt8]] = [],
        value: UInt64 = 0
    ) {
        var offset: UInt64 = 0
        for part in [head] + body {
            // Too large for the job's limit, or no memory: the parent is to know, and only an end is sure to tell.
            guard hr_file_write(Int32(HR_WORKER_REPLY.rawValue), part, part.count, offset) == 0 else { abort() }
            offset += UInt64(part.count)
        }
        send(kind.message(job: job, head: head.count, body: Int(offset) - head.count, value: value))
    }

    private func send(_ message: hr_message) {
        var message = message
        // A parent that is gone is found out by the next receive.
        _ = hr_message_send(Int32(HR_WORKER_CONTROL.rawValue), &message)
    }

    private func receive() -> hr_message? {
        var message = hr_message()
        return hr_message_receive(Int32(HR_WORKER_CONTROL.rawValue), &message, -1) == 1 ? message : nil
    }

    private func bytes(_ count: Int, at offset: Int) -> [UInt8]? {
        var status: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            status = hr_file_read(Int32(HR_WORKER_REQUEST.rawValue), buffer.baseAddress, count, UInt64(offset))
            filled = status == 0 ? count : 0
        }
        return status == 0 ? bytes : nil
    }
}
