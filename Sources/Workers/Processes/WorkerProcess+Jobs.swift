import CLinux
import CSandbox
import SystemLimits

extension WorkerProcess {
    /// Hands a job over and waits for its reply.
    ///
    /// - Parameters:
    ///   - job: Another number for each job.
    ///   - head: What describes the job.
    ///   - body: What it is about.
    ///   - memory: Bytes of address space while the worker finds out what the job takes.
    ///   - timeLimit: Time limit of this job, instead of the one that the process was started with.
    ///   - admit: Gets the bytes that the job takes, waits until they may be used, and returns the bytes of address space
    ///     for it. When it refuses, the job is given up. Not called for a job that fails before.
    /// - Returns: The reply, or what `admit` refused with.
    /// - Throws: A ``WorkerEnd`` when there is no reply. The process has been ended then, except where the job could not
    ///   be handed over (``WorkerEnd/Cause/environment``): ``isRunning`` says which.
    package func perform<Refusal: Error>(
        _ job: UInt64,
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
            try send(.request, job: job, head: head.count, body: body.count)
            var deadline = ContinuousClock.now + timeout
            var message = try receive(before: deadline, of: timeout)
            if message.kind == WorkerMessage.estimate.rawValue, message.job == job {
                let start = ContinuousClock.now
                let admission = admit(Int(clamping: message.value))
                // The wait for memory is no time of the worker's, whatever comes of it.
                deadline += .now - start
                switch admission {
                case .success(let bytes):
                    // What was admitted holds the result's files, too.
                    let reply = UInt64(Self.maxHeadBytes).addingReportingOverflow(message.value)
                    cuts |= try limit(
                        hr_worker_limit_memory(worker.pid, UInt64(bytes), reply.overflow ? .max : reply.partialValue)
                    )
                    try send(.proceed, job: job)
                    message = try receive(before: deadline, of: timeout)
                case .failure(let refusal):
                    try send(.cancel, job: job)
                    // Every job has its reply, so that the next one's is not taken for another.
                    try check(try receive(before: deadline, of: timeout), isReplyTo: job)
                    return .failure(refusal)
                }
            }
            try check(message, isReplyTo: job)
            return .success(Reply(head: try self.head(of: message), bodyBytes: try bodyBytes(of: message)))
        } catch {
            let end = end(error)
            // Of one that was ended for what it said the reason is known.
            guard case .gone = error else { throw end }
            throw explained(end, cuts: cuts)
        }
    }

    /// A part of the body of the last job's reply.
    ///
    /// - Throws: A ``WorkerEnd`` when it is not there; the process has been ended then.
    package func body(of reply: Reply, at offset: Int, count: Int) throws(WorkerEnd) -> [UInt8] {
        guard offset >= 0, count >= 0, offset <= reply.bodyBytes, count <= reply.bodyBytes - offset else {
            throw end(breach: "told of bytes that it did not send")
        }
        do {
            return try bytes(count, at: reply.head.count + offset)
        } catch {
            throw end(error)
        }
    }

    /// Copies a job into its memory file, which fails for this process's own reasons only.
    private func write(_ head: [UInt8], _ body: ArraySlice<UInt8>) throws(WorkerEnd) {
        var status = hr_file_write(worker.request, head, head.count, 0)
        if status == 0 {
            status = body.withUnsafeBytes { bytes in
                hr_file_write(worker.request, bytes.baseAddress, bytes.count, UInt64(head.count))
            }
        }
        guard status < 0 else { return }
        let limits = ResourceLimit.inherited([.fileSize]).map { "; hard limits: \($0)" } ?? ""
        throw WorkerEnd(
            .environment,
            "a job of \(head.count + body.count) bytes: \(String(cString: hr_error_text(-status)))\(limits)"
        )
    }

    /// What was cut short; see `hr_worker_limit_memory`.
    private func limit(_ status: Int32) throws(Trouble) -> Int32 {
        if status < 0 { try check(status) }
        return status
    }

    /// The end of a process as it is where its job had less than it was given: then that is likely to be the reason.
    private func explained(_ end: WorkerEnd, cuts: Int32) -> WorkerEnd {
        let limits: [ResourceLimit]
        switch end.cause {
        case .crash where cuts & Int32(HR_CUT_MEMORY) != 0: limits = [.addressSpace, .fileSize]
        // Of processor time: at the soft limit by SIGXCPU, at the hard one by SIGKILL.
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

    /// The length of what follows a head that was read; as it is there, room for it can be made.
    private func bodyBytes(of message: hr_message) throws(Trouble) -> Int {
        guard message.body <= max(0, hr_file_size(worker.reply)) - Int64(message.head) else {
            throw .end(WorkerEnd(.breach, "told of bytes that it did not send"))
        }
        return Int(message.body)
    }
}
