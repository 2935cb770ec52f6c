import CLinux
import CSandbox
import Synchronization
import SystemLimits

extension WorkerProcess {
    /// Sends a job and waits for its reply.
    ///
    /// - Parameters:
    ///   - job: A number that differs for each job.
    ///   - kind: The kind of job.
    ///   - head: The description of the job.
    ///   - body: The picture's bytes.
    ///   - memory: The limit of the address space, in bytes, until the worker has estimated the memory of the job.
    ///   - timeLimit: Time limit of this job; nil for the one of ``start(_:timeout:onExit:)``.
    ///   - admit: Receives the estimate in bytes, waits until this memory is available, and returns the limit of the
    ///     address space in bytes, or a refusal, which cancels the job. Not called if the job fails before.
    /// - Returns: The reply, or the refusal of `admit`.
    /// - Throws: A ``WorkerEnd`` if there is no reply. The process has been ended, unless the job could not be sent
    ///   (``WorkerEnd/Cause/environment``); see ``isRunning``.
    func perform<Refusal: Error>(
        _ job: UInt64,
        _ kind: WorkerMessage = .request,
        head: [UInt8],
        body: ArraySlice<UInt8>,
        memory: Int,
        within timeLimit: Duration? = nil,
        admit: (Int) -> Result<Int, Refusal>
    ) throws(WorkerEnd) -> Result<Reply, Refusal> {
        try write(head, body)
        let timeout = timeLimit ?? timeout
        var cuts: Int32 = 0
        do {
            cuts |= try limit(hr_worker_limit_memory(worker.pid, UInt64(memory), UInt64(Self.maxHeadBytes)))
            cuts |= try limit(hr_worker_limit_time(worker.pid, UInt64(max(1, timeout.components.seconds))))
            try send(kind, job: job, head: head.count, body: body.count)
            var deadline = ContinuousClock.now + timeout
            var message = try receive(before: deadline, of: timeout)
            if message.kind == WorkerMessage.estimate.rawValue, message.job == job {
                let start = ContinuousClock.now
                let admission = admit(Int(clamping: message.value))
                // The time limit excludes the wait for memory.
                deadline += .now - start
                switch admission {
                case .success(let bytes):
                    // The estimate includes the files of the reply.
                    let reply = UInt64(Self.maxHeadBytes).addingReportingOverflow(message.value)
                    cuts |= try limit(
                        hr_worker_limit_memory(worker.pid, UInt64(bytes), reply.overflow ? .max : reply.partialValue)
                    )
                    try send(.proceed, job: job)
                    message = try receive(before: deadline, of: timeout)
                case .failure(let refusal):
                    try send(.cancel, job: job)
                    // A cancelled job is replied to as well; the reply must not be taken for that of the next job.
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
            let end = end(error)
            // An invalid message is the reason itself; inherited limits explain other ends only.
            guard case .gone = error else { throw end }
            throw explained(end, cuts: cuts)
        }
    }

    /// A part of the body of the last job's reply.
    ///
    /// - Throws: A ``WorkerEnd`` if the part is missing, after the process was ended.
    package func body(of reply: Reply, at offset: Int, count: Int) throws(WorkerEnd) -> [UInt8] {
        guard offset >= 0, count >= 0, offset <= reply.bodyBytes, count <= reply.bodyBytes - offset else {
            throw end(breach: "declared more bytes than it sent")
        }
        do {
            return try bytes(count, at: reply.head.count + offset)
        } catch {
            throw end(error)
        }
    }

    /// Copies a job into its memory file; an error is caused by this process and not by the worker.
    private func write(_ head: [UInt8], _ body: ArraySlice<UInt8>) throws(WorkerEnd) {
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
        throw WorkerEnd(
            .environment,
            "a job of \(head.count + body.count) bytes: \(String(cString: hr_error_text(-status)))\(limits)"
        )
    }

    /// Records how much of its memory file a reply takes.
    private func note(_ message: hr_message) {
        let (bytes, overflow) = message.head.addingReportingOverflow(message.body)
        replyBytes.store(overflow ? .max : Int(clamping: bytes), ordering: .relaxed)
    }

    /// The limits that could not be raised as far as needed; see `hr_worker_limit_memory`.
    private func limit(_ status: Int32) throws(Trouble) -> Int32 {
        if status < 0 { try check(status) }
        return status
    }

    /// The end of a process, with the inherited hard limits if they were below the limits of its job and may be the
    /// cause.
    private func explained(_ end: WorkerEnd, cuts: Int32) -> WorkerEnd {
        let limits: [ResourceLimit]
        switch end.cause {
        case .crash where cuts & Int32(HR_CUT_MEMORY) != 0: limits = [.addressSpace, .fileSize]
        // The soft limit of processor time sends SIGXCPU, the hard one SIGKILL.
        case .timeout where cuts & Int32(HR_CUT_TIME) != 0, .killed where cuts & Int32(HR_CUT_TIME) != 0:
            limits = [.processorTime]
        default: return end
        }
        let inherited = ResourceLimit.inherited(limits) ?? "none that this process sees"
        return WorkerEnd(.environment, "\(end); the service inherited these hard limits: \(inherited)")
    }

    private func check(_ message: hr_message, isReplyTo job: UInt64) throws(Trouble) {
        guard message.kind == WorkerMessage.reply.rawValue, message.job == job else {
            throw .end(
                WorkerEnd(.breach, "sent message \(message.kind) of job \(message.job) where a reply to \(job) was due")
            )
        }
    }

    /// The length of a reply's body, at most that of the memory file, so that it can be allocated safely.
    private func bodyBytes(of message: hr_message) throws(Trouble) -> Int {
        guard message.body <= max(0, hr_file_size(worker.reply)) - Int64(message.head) else {
            throw .end(WorkerEnd(.breach, "declared more bytes than it sent"))
        }
        return Int(message.body)
    }
}
