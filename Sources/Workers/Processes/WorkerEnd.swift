import CSandbox
import Glibc

/// How a worker process ended, or why it was ended.
package struct WorkerEnd: Error, Sendable, CustomStringConvertible {
    /// The kinds of ends, as counters name them.
    package enum Cause: String, CaseIterable, Sendable {
        /// It crashed, or gave up for want of memory.
        case crash
        /// It asked the system for something that it may not have.
        case denied
        /// It took longer than a job may.
        case timeout
        /// It said something that makes no sense.
        case breach
        /// Somebody else killed it: a person, or the system for want of memory.
        case killed
        /// It could not be started.
        case start
        /// The system does not let it close its doors.
        case sandbox
        /// It had less memory, time or room for files than its job was given: a limit that the service inherited is too
        /// low. No picture is to blame for that.
        case environment
    }

    /// What kind of end it was.
    package let cause: Cause
    /// What is known of it, for the log.
    package let description: String

    /// An end, as given.
    package init(_ cause: Cause, _ description: String) {
        self.cause = cause
        self.description = description
    }

    /// What `status` of waitpid(2) tells, unless the parent knows better.
    init(status: Int32, words: String) {
        let signal = status & 0x7F
        let cause: Cause
        let fact: String
        if signal == 0 {
            let code = (status >> 8) & 0xFF
            (cause, fact) =
                code == HR_WORKER_DENIED
                ? (.denied, "asked for what it may not have") : (.crash, "exited with \(code)")
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
        case SIGXCPU: "SIGXCPU, for all of its processor time"
        case SIGXFSZ: "SIGXFSZ, for too large a reply"
        default: "signal \(signal)"
        }
    }
}
