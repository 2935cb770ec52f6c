import CLinux
import CSandbox
import Glibc
import Synchronization
import SystemLimits

/// The parent's side of a worker process, which runs one job at a time.
///
/// The messages of the worker are untrusted and are validated.
///
/// Jobs and replies are bytes: a head with the description, and a body. Both are copied into and out of memory files
/// and are never mapped. Therefore neither process can change or truncate bytes while the other process reads them.
///
/// Calls block. Only one thread at a time may make calls, except for ``cancel(job:)`` and ``releaseMemory()``. The
/// caller of ``start(_:timeout:onExit:)`` must call ``end()``.
package final class WorkerProcess: Sendable {
    /// The reply to a job.
    package struct Reply: Sendable {
        package let head: [UInt8]
        /// The length of the body in bytes.
        ///
        /// ``WorkerProcess/body(of:at:count:)`` reads the body.
        package let bodyBytes: Int
    }

    /// The reason why no more messages can be exchanged.
    enum ProcessFailure: Error {
        case gone
        case end(WorkerExit)
    }

    /// The maximum size of a head, in bytes.
    static let maxHeadBytes = 4 << 20
    /// The number of bytes that memory files keep between jobs, because allocating pages costs more than overwriting
    /// them.
    private static let keptBytes: UInt64 = 4 << 20

    let worker: hr_worker
    private let words: WorkerStderr
    let timeout: Duration
    private let isOver = Mutex(false)
    private let isGone = Atomic(false)
    /// The number of bytes of the current job in each memory file.
    let requestBytes = Atomic(0)
    let replyBytes = Atomic(0)

    /// Whether the process has not been found to have ended.
    package var isRunning: Bool { !isGone.load(ordering: .acquiring) }

    package var processID: Int32 { worker.pid }

    /// Starts a process.
    ///
    /// The process accepts jobs after ``greeting(within:)`` has returned.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments.
    ///   - early: A process that was started early with the same command. It is used unless another worker has taken
    ///   it.
    ///   - timeout: The time limit of a job.
    ///   - onExit: Called once when the process has ended, on any thread.
    /// - Returns: The process; the caller must call ``end()``.
    /// - Throws: A ``WorkerExit`` with the cause ``WorkerExit/Cause/start``.
    package static func start(
        _ command: WorkerCommand,
        early: EarlyWorker? = nil,
        timeout: Duration,
        onExit: @escaping @Sendable () -> Void
    ) throws(WorkerExit) -> WorkerProcess {
        let worker = if let taken = early?.take(for: command) { taken } else { try spawn(command) }
        let process = WorkerProcess(worker, timeout: timeout)
        process.words.listen { [weak process] in
            guard let process else { return }
            process.isGone.store(true, ordering: .releasing)
            onExit()
        }
        return process
    }

    /// Starts the program of a command.
    ///
    /// - Returns: The process and its descriptors, which the caller must kill and close.
    /// - Throws: A ``WorkerExit`` with the cause ``WorkerExit/Cause/start``.
    static func spawn(_ command: WorkerCommand) throws(WorkerExit) -> hr_worker {
        let outcome: Result<hr_worker, WorkerExit> = SpawningThread.shared.run {
            var worker = hr_worker()
            var call: UnsafePointer<CChar>?
            let status = withCStrings(["headroom-worker"] + command.arguments) { arguments in
                withCStrings(environment) { hr_worker_start(command.program, arguments, $0, &worker, &call) }
            }
            guard status < 0 else { return .success(worker) }
            if let obstacle = ProcFilesystem.obstacle() { return .failure(WorkerExit(.start, obstacle)) }
            let name = call.map { String(cString: $0) } ?? ""
            let limits = ResourceLimit.inherited([.processes]).map { "; hard limit: \($0)" } ?? ""
            let reason = "\(name): \(String(cString: hr_error_text(-status)))\(limits)"
            return .failure(WorkerExit(.start, "cannot start a worker process: \(reason)"))
        }
        return try outcome.get()
    }

    private init(_ worker: hr_worker, timeout: Duration) {
        self.worker = worker
        self.timeout = timeout
        words = WorkerStderr(worker.words)
    }

    /// The parent's library path, which some programs need to start, and settings for the runtimes.
    ///
    /// The process inherits no other variables.
    private static var environment: [String] {
        // Backtraces are off, because the sandbox denies starting the program that prints them. malloc(3) returns
        // zeroed memory and overwrites freed memory, so that no data of an image reaches the next job. The per-thread
        // cache would be exempt from this, so it is off. 255 is the byte in freed memory, and its inverse is the byte
        // in new memory. Large blocks use huge pages if the kernel provides them. For example, 72 MB for the
        // coefficients of a progressive JPEG then take 13 ms instead of 52 ms.
        var variables = ["SWIFT_BACKTRACE=enable=no", "GLIBC_TUNABLES=\(mallocTunables)"]
        if let path = getenv("LD_LIBRARY_PATH") { variables.append("LD_LIBRARY_PATH=\(String(cString: path))") }
        return variables
    }

    private static let mallocTunables = "glibc.malloc.perturb=255:glibc.malloc.tcache_count=0:glibc.malloc.hugetlb=1"

    /// Waits until the process is ready, and returns the head of its greeting.
    ///
    /// - Throws: A ``WorkerExit`` with the cause ``WorkerExit/Cause/start`` or ``WorkerExit/Cause/sandbox``; the
    ///   process has then been killed.
    package func greeting(within timeout: Duration) throws(WorkerExit) -> [UInt8] {
        let message: hr_message
        let head: [UInt8]
        do {
            message = try receive(before: .now + timeout, of: timeout)
            head = try self.head(of: message)
        } catch {
            let limits =
                ResourceLimit.inherited([.addressSpace, .data, .processorTime]).map { "; hard limits: \($0)" } ?? ""
            throw WorkerExit(.start, "a worker process did not start: \(end(error))\(limits)")
        }
        if message.kind == WorkerMessage.greeting.rawValue { return head }
        end()
        let isSandbox = message.value == WorkerMessage.sandboxFailed
        throw WorkerExit(isSandbox ? .sandbox : .start, String(decoding: head, as: UTF8.self))
    }

    /// Clears the memory files of a job and of its reply, and releases the files of a large job.
    ///
    /// Must be called after the reply has been read.
    package func forget() {
        forget(worker.request, requestBytes)
        forget(worker.reply, replyBytes)
    }

    /// Clears a memory file.
    ///
    /// If this fails, kills the process, which frees the file.
    private func forget(_ file: Int32, _ bytes: borrowing Atomic<Int>) {
        let used = UInt64(bytes.exchange(0, ordering: .relaxed))
        if hr_file_clear(file, used, Self.keptBytes) < 0 { end() }
    }

    /// Cancels a job; can be called from any thread.
    ///
    /// Has no effect if the job has ended.
    package func cancel(job: UInt64) { tell(.cancel, job: job) }

    /// Makes an idle worker release memory; can be called from any thread.
    ///
    /// Harmless if a new job has started.
    package func releaseMemory() { tell(.releaseMemory, job: 0) }

    /// Sends a message that does not have a reply, unless the process has been killed.
    private func tell(_ kind: WorkerMessage, job: UInt64) {
        isOver.withLock { if !$0 { try? send(kind.message(job: job)) } }
    }

    /// Kills the process, because the caller found an invalid reply.
    package func end(breach: String) -> WorkerExit { end(ProcessFailure.end(WorkerExit(.breach, breach))) }

    /// Kills the process if it is alive, and returns its exit.
    @discardableResult
    package func end() -> WorkerExit {
        let status: Int32? = isOver.withLock { isOver in
            guard !isOver else { return nil }
            isOver = true
            // Set before the descriptors are closed, so that `cancel` cannot write to another file with the same
            // descriptor number.
            defer { hr_worker_close(worker) }
            return hr_worker_end(worker.pid)
        }
        isGone.store(true, ordering: .releasing)
        guard let status else { return WorkerExit(.killed, "was ended before") }
        return WorkerExit(status: status, words: words.all())
    }

    func end(_ trouble: any Error) -> WorkerExit {
        let end = end()
        if case ProcessFailure.end(let known) = trouble { return known }
        return end
    }

    func send(_ message: hr_message) throws(ProcessFailure) {
        var message = message
        try check(hr_message_send(worker.control, &message))
    }

    /// Waits for the next message until `deadline`.
    ///
    /// The error contains `timeout`, the limit that determines the deadline.
    func receive(before deadline: ContinuousClock.Instant, of timeout: Duration) throws(ProcessFailure) -> hr_message {
        var message = hr_message()
        while true {
            let rest = deadline - .now
            guard rest > .zero else { throw .end(WorkerExit(.timeout, "took longer than \(timeout)")) }
            // Rounded up, because the last fraction of a millisecond would otherwise be a busy loop.
            let status = hr_message_receive(worker.control, &message, Int32(clamping: Int(rest / .milliseconds(1)) + 1))
            switch status {
            case 1: return message
            case 0: throw .gone
            case -EAGAIN: continue
            default: try check(status)
            }
        }
    }

    func head(of message: hr_message) throws(ProcessFailure) -> [UInt8] {
        guard message.head <= Self.maxHeadBytes else {
            throw .end(WorkerExit(.breach, "sent a header of \(message.head) bytes; the limit is \(Self.maxHeadBytes)"))
        }
        return try bytes(Int(message.head), at: 0)
    }

    func bytes(_ count: Int, at offset: Int) throws(ProcessFailure) -> [UInt8] {
        var status: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            status = hr_file_read(worker.reply, buffer.baseAddress, count, UInt64(offset))
            filled = status == 0 ? count : 0
        }
        try check(status)
        return bytes
    }

    func check(_ status: Int32) throws(ProcessFailure) {
        switch -status {
        case 0: return
        case EPIPE, ECONNRESET, ESRCH: throw .gone
        case ENODATA: throw .end(WorkerExit(.breach, "declared more bytes than it sent"))
        default: throw .end(WorkerExit(.breach, "message exchange failed: \(String(cString: hr_error_text(-status)))"))
        }
    }
}

extension WorkerProcess {
    /// Sends a job and waits for its reply.
    ///
    /// - Parameters:
    ///   - job: A number that is different for each job.
    ///   - kind: The kind of the job: ``WorkerJob/kind``.
    ///   - head: The description of the job.
    ///   - body: The image's bytes.
    ///   - memory: The limit of the address space, in bytes, until the worker has estimated the memory of the job.
    ///   - timeLimit: The time limit of this job; nil for the limit of ``start(_:timeout:onExit:)``.
    ///   - admit: Receives the estimate in bytes and waits until this memory is available. Returns the limit of the
    ///     address space in bytes, or a refusal, which cancels the job. Not called if the job fails earlier.
    /// - Returns: The reply, or the refusal from `admit`.
    /// - Throws: A ``WorkerExit`` if there is no reply. The process has then been killed, unless the job could not be
    ///   sent (``WorkerExit/Cause/environment``); see ``isRunning``.
    func perform<Refusal: Error>(
        _ job: UInt64,
        _ kind: UInt32,
        head: [UInt8],
        body: ArraySlice<UInt8>,
        memory: Int,
        within timeLimit: Duration? = nil,
        admit: (Int) -> Result<Int, Refusal>
    ) throws(WorkerExit) -> Result<Reply, Refusal> {
        try write(head, body)
        let timeout = timeLimit ?? timeout
        let clock = ProcessorClock.ofProcess(worker.pid)
        var cuts: Int32 = 0
        do {
            cuts |= try limit(hr_worker_limit_memory(worker.pid, UInt64(memory), UInt64(Self.maxHeadBytes)))
            cuts |= try limit(hr_worker_limit_time(worker.pid, UInt64(max(1, timeout.components.seconds))))
            try send(WorkerMessage.job(job, ofKind: kind, head: head.count, body: body.count))
            var deadline = ContinuousClock.now + timeout
            var message = try receive(before: deadline, of: timeout)
            if message.kind == WorkerMessage.estimate.rawValue, message.job == job {
                let start = ContinuousClock.now
                let admission = admit(Int(clamping: message.value))
                // The time limit does not include the wait for memory.
                deadline += .now - start
                switch admission {
                case .success(let bytes):
                    // The estimate includes the files of the reply.
                    let reply = UInt64(Self.maxHeadBytes).addingReportingOverflow(message.value)
                    cuts |= try limit(
                        hr_worker_limit_memory(worker.pid, UInt64(bytes), reply.overflow ? .max : reply.partialValue)
                    )
                    try send(WorkerMessage.proceed.message(job: job))
                    message = try receive(before: deadline, of: timeout)
                case .failure(let refusal):
                    try send(WorkerMessage.cancel.message(job: job))
                    // A cancelled job also has a reply, which must not be taken for the reply to the next job.
                    let reply = try receive(before: deadline, of: timeout)
                    try check(reply, isReplyTo: job)
                    note(reply)
                    forget()
                    return .failure(refusal)
                }
            }
            try check(message, isReplyTo: job)
            note(message)
            return .success(Reply(head: try self.head(of: message), bodyBytes: try bodyBytes(of: message)))
        } catch {
            if case .end(let end) = error, end.cause == .timeout {
                // The processor time is read before the process is killed.
                throw self.end(ProcessFailure.end(WorkerExit(timeLimit: timeout, processorTime: clock.elapsed)))
            }
            let end = end(error)
            // An invalid message is itself the reason. Inherited limits can explain only other exits.
            guard case .gone = error else { throw end }
            throw explained(end, cuts: cuts)
        }
    }

    /// Reads a part of the body of the reply to the last job.
    ///
    /// - Throws: A ``WorkerExit`` if the part is missing; the process has then been killed.
    package func body(of reply: Reply, at offset: Int, count: Int) throws(WorkerExit) -> [UInt8] {
        guard offset >= 0, count >= 0, offset <= reply.bodyBytes, count <= reply.bodyBytes - offset else {
            throw end(breach: "declared more bytes than it sent")
        }
        do {
            return try bytes(count, at: reply.head.count + offset)
        } catch {
            throw end(error)
        }
    }

    /// Copies a job into its memory file.
    ///
    /// If this fails, this process is the cause, not the worker.
    private func write(_ head: [UInt8], _ body: ArraySlice<UInt8>) throws(WorkerExit) {
        requestBytes.store(head.count + body.count, ordering: .relaxed)
        var status = hr_file_write(worker.request, head, head.count, 0)
        if status == 0 {
            status = body.withUnsafeBytes { bytes in
                hr_file_write(worker.request, bytes.baseAddress, bytes.count, UInt64(head.count))
            }
        }
        guard status < 0 else { return }
        forget()
        let limits = ResourceLimit.inherited([.fileSize]).map { "; hard limits: \($0)" } ?? ""
        throw WorkerExit(
            .environment,
            "a job of \(head.count + body.count) bytes: \(String(cString: hr_error_text(-status)))\(limits)"
        )
    }

    /// Records the number of reply bytes in the memory file.
    private func note(_ message: hr_message) {
        let (bytes, overflow) = message.head.addingReportingOverflow(message.body)
        replyBytes.store(overflow ? .max : Int(clamping: bytes), ordering: .relaxed)
    }

    /// Returns the limits that could not be raised to the required value, as a bit set; see `hr_worker_limit_memory`.
    private func limit(_ status: Int32) throws(ProcessFailure) -> Int32 {
        if status < 0 { try check(status) }
        return status
    }

    /// Adds the inherited hard limits to the exit of a process, if they were lower than the limits of its job and may
    /// be the cause.
    private func explained(_ end: WorkerExit, cuts: Int32) -> WorkerExit {
        let limits: [ResourceLimit]
        switch end.cause {
        case .crash where cuts & Int32(HR_CUT_MEMORY) != 0: limits = [.addressSpace, .fileSize]
        // Exceeding the soft limit of processor time causes SIGXCPU; exceeding the hard limit causes SIGKILL.
        case .timeout where cuts & Int32(HR_CUT_TIME) != 0, .killed where cuts & Int32(HR_CUT_TIME) != 0:
            limits = [.processorTime]
        default: return end
        }
        let inherited = ResourceLimit.inherited(limits) ?? "none visible to this process"
        return WorkerExit(.environment, "\(end); the service inherited these hard limits: \(inherited)")
    }

    private func check(_ message: hr_message, isReplyTo job: UInt64) throws(ProcessFailure) {
        guard message.kind == WorkerMessage.reply.rawValue, message.job == job else {
            throw .end(
                WorkerExit(
                    .breach,
                    "sent message \(message.kind) of job \(message.job) instead of a reply to job \(job)"
                )
            )
        }
    }

    /// Returns the length of a reply's body.
    ///
    /// It is at most the length of the memory file, so it can be allocated safely.
    private func bodyBytes(of message: hr_message) throws(ProcessFailure) -> Int {
        guard message.body <= max(0, hr_file_size(worker.reply)) - Int64(message.head) else {
            throw .end(WorkerExit(.breach, "declared more bytes than it sent"))
        }
        return Int(message.body)
    }
}
