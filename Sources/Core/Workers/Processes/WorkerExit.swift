import CSandbox
import Glibc
import Synchronization
import SystemLimits

/// The end of a worker process: its own exit, or the reason why the parent killed it.
package struct WorkerExit: Error, Sendable, CustomStringConvertible {
    /// The causes of exits, which are metric labels.
    package enum Cause: String, CaseIterable, Sendable {
        /// A crash, or an exit because memory was exhausted.
        case crash
        /// A system call that the sandbox denies.
        case denied
        /// A job exceeded its time limit.
        case timeout
        /// An invalid message.
        case breach
        /// SIGKILL from outside, for example from the kernel when memory is exhausted.
        case killed
        /// The process could not be started.
        case start
        /// The system does not support the sandbox.
        case sandbox
        /// A limit on memory, processor time or file size that the service inherited and that is lower than the job's
        /// limit.
        ///
        /// The image is not the cause.
        case environment
    }

    package let cause: Cause
    package let description: String
    /// Whether the process exceeded its time limit but used little processor time, for example on a busy machine.
    let isStarved: Bool

    /// Creates an exit with a known cause.
    ///
    /// - Parameters:
    ///   - cause: The cause, which is a metric label.
    ///   - description: A sentence for logs, which may contain the standard error of the process.
    package init(_ cause: Cause, _ description: String) {
        self.init(cause, description, isStarved: false)
    }

    init(_ cause: Cause, _ description: String, isStarved: Bool) {
        self.cause = cause
        self.description = description
        self.isStarved = isStarved
    }

    /// Creates the exit for a process that exceeded its time limit.
    ///
    /// - Parameters:
    ///   - limit: The time limit.
    ///   - processorTime: The processor time that the process used for the job.
    init(timeLimit limit: Duration, processorTime: Duration) {
        self.init(
            .timeout,
            "took longer than \(limit), of which \(processorTime) of processor time",
            isStarved: processorTime < limit / Self.starvedShare
        )
    }

    /// A process counts as starved if its processor time is less than its time limit divided by this number: an image may
    /// use half of the limit as processor time.
    private static let starvedShare = 2

    /// Decodes a `status` of waitpid(2); `words` is the captured standard error.
    init(status: Int32, words: String) {
        let signal = status & 0x7F
        let cause: Cause
        let fact: String
        if signal == 0 {
            let code = (status >> 8) & 0xFF
            (cause, fact) =
                code == HR_WORKER_DENIED
                ? (.denied, "made a forbidden system call") : (.crash, "exited with \(code)")
        } else {
            fact = "ended by \(Self.name(of: signal))"
            cause =
                switch signal {
                case SIGSYS: .denied
                case SIGKILL: .killed
                case SIGXCPU: .timeout
                default: .crash
                }
        }
        self.init(cause, words.isEmpty ? fact : "\(fact): \(words)")
    }

    private static func name(of signal: Int32) -> String {
        switch signal {
        case SIGSEGV: "SIGSEGV"
        case SIGABRT: "SIGABRT"
        case SIGILL: "SIGILL"
        case SIGTRAP: "SIGTRAP"
        case SIGBUS: "SIGBUS"
        case SIGFPE: "SIGFPE"
        case SIGKILL: "SIGKILL"
        case SIGSYS: "SIGSYS"
        case SIGXCPU: "SIGXCPU, because it reached its processor time limit"
        case SIGXFSZ: "SIGXFSZ, because its reply was too large"
        default: "signal \(signal)"
        }
    }
}

/// Detects whether the kernel has killed processes of this container because memory was exhausted.
final class MemoryKills: Sendable {
    private let known = Mutex(ControlGroup.memoryKills())

    /// Whether the kernel has killed any process since the previous call or, at the first call, since initialisation.
    func areNew() -> Bool {
        let now = ControlGroup.memoryKills()
        return known.withLock { known in
            defer { known = now }
            return now > known
        }
    }
}
