import CLinux
import CSandbox
import Glibc

/// The connection of a worker process to its parent.
///
/// It must be used on one thread.
package struct WorkerLink: Sendable {
    /// The reason why a process cannot be a worker.
    package struct Failure: Error, CustomStringConvertible {
        /// A sentence that describes the failure.
        package let description: String
        fileprivate var isOfSandbox = false
    }

    /// A job.
    package struct Request: Sendable {
        package let job: UInt64
        /// The ``WorkerJob/kind`` of the job.
        package let kind: UInt32
        /// The encoded ``WorkerJob/Request``.
        package let head: [UInt8]
        /// The bytes of the source.
        package let body: [UInt8]
    }

    /// Makes this process a worker, which is killed when its parent dies.
    ///
    /// - Throws: ``Failure`` if the other end is not a parent, for example if a user ran the command.
    package init() throws(Failure) {
        var call: UnsafePointer<CChar>?
        let status = hr_sandbox_prepare(&call)
        guard status == 0 else { throw Failure(description: "a worker process can only be started by headroom serve") }
    }

    /// The number of bytes of address space in use.
    ///
    /// Must be read before ``enterSandbox()``.
    package var addressSpaceBytes: Int { max(0, Int(hr_sandbox_address_space())) }

    /// Enters the sandbox, where the process can only compute and exchange messages with its parent.
    ///
    /// - Throws: ``Failure`` if the system does not allow the sandbox.
    package func enterSandbox() throws(Failure) {
        var call: UnsafePointer<CChar>?
        let status = hr_sandbox_enter(&call)
        guard status < 0 else { return }
        let name = call.map { String(cString: $0) } ?? ""
        throw Failure(
            description:
                "worker processes cannot be sandboxed here: \(name): \(String(cString: hr_error_text(-status)))",
            isOfSandbox: true
        )
    }

    /// Sends the greeting that the parent waits for.
    ///
    /// `head` is the encoded description of the worker.
    package func greet(_ head: [UInt8]) { say(.greeting, head: head) }

    /// Reports that the process cannot run jobs.
    package func fail(_ reason: any Error) {
        let isOfSandbox = (reason as? Failure)?.isOfSandbox ?? false
        say(.failure, head: Array("\(reason)".utf8), value: isOfSandbox ? WorkerMessage.sandboxFailed : 0)
    }

    /// Waits for the next job; nil when the parent has ended.
    ///
    /// `releaseMemory` is called when the parent requests it, because it does not have a job for the worker.
    package func next(releaseMemory: () -> Void) -> Request? {
        while let message = receive() {
            if let kind = WorkerMessage(rawValue: message.kind) {
                // All other messages are cancellations that arrived after the reply.
                if kind == .releaseMemory { releaseMemory() }
                continue
            }
            guard let head = bytes(Int(message.head), at: 0), let body = bytes(Int(message.body), at: Int(message.head))
            else { return nil }
            return Request(job: message.job, kind: message.kind, head: head, body: body)
        }
        return nil
    }

    /// Sends the memory estimate of a job in bytes and waits for the reply.
    ///
    /// Returns false if the job must not run.
    package func ask(for bytes: Int, of request: Request) -> Bool {
        send(WorkerMessage.estimate.message(job: request.job, value: UInt64(max(0, bytes))))
        while let message = receive() {
            guard message.job == request.job else { continue }
            return message.kind == WorkerMessage.proceed.rawValue
        }
        return false
    }

    /// Whether the parent has cancelled the job.
    package func isCancelled(_ request: Request) -> Bool {
        hr_message_waits(Int32(HR_WORKER_CONTROL.rawValue), WorkerMessage.cancel.rawValue, request.job)
    }

    /// Sends the result of a job.
    ///
    /// Aborts the process if the result cannot be written.
    ///
    /// - Parameters:
    ///   - request: The job.
    ///   - head: The encoded description of the result.
    ///   - body: The bytes of the result's images, in order, which are concatenated.
    package func reply(to request: Request, head: [UInt8], body: [[UInt8]]) {
        say(.reply, job: request.job, head: head, body: body)
    }

    private func say(_ kind: WorkerMessage, job: UInt64 = 0, head: [UInt8], body: [[UInt8]] = [], value: UInt64 = 0) {
        var offset: UInt64 = 0
        for part in [head] + body {
            // The reply exceeds the file size limit, or memory is exhausted. The parent detects the exit of the
            // process.
            guard hr_file_write(Int32(HR_WORKER_REPLY.rawValue), part, part.count, offset) == 0 else { abort() }
            offset += UInt64(part.count)
        }
        send(kind.message(job: job, head: head.count, body: Int(offset) - head.count, value: value))
    }

    private func send(_ message: hr_message) {
        var message = message
        // If the parent has ended, the next receive fails.
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
