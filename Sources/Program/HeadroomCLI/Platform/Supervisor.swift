import CLinux
import CSupervisor
import Fetching
import Glibc
import HTTPServer

/// The parent process of `headroom serve`, which restarts the service after a crash and keeps its listening sockets.
enum Supervisor {
    /// The exit of the previous service process.
    struct Restart {
        /// The number of service processes before this one.
        let count: Int
        /// The reason for its exit, for example "signal 4 (Illegal instruction)".
        let reason: String
    }

    /// Whether this is a service process with a parent.
    static var isPresent: Bool { hr_is_supervised() }

    /// The exit of the previous service process; nil in the first.
    static var lastRestart: Restart? {
        let restart = hr_last_restart()
        guard restart.count > 0 else { return nil }
        let reason =
            restart.signal > 0
            ? "signal \(restart.signal) (\(String(cString: hr_signal_text(restart.signal))))"
            : "exit status \(restart.status)"
        return Restart(count: Int(restart.count), reason: reason)
    }

    /// Keeps the listening sockets in the parent; nil without a parent.
    static var socketKeeper: SocketKeeper? {
        guard isPresent else { return nil }
        return SocketKeeper { key in
            var sockets = [Int32](repeating: -1, count: Int(HR_KEPT_SOCKETS))
            let count = hr_take_sockets(key, &sockets)
            return Array(sockets.prefix(Int(count)))
        } keep: { key, sockets in
            -hr_keep_sockets(key, sockets, Int32(clamping: sockets.count))
        }
    }

    /// Starts the service process.
    ///
    /// This function returns in the service process only, never in the parent. Call this while the program has one
    /// thread. Exits with status 1 if no process can be started.
    static func start() {
        let status = hr_supervise()
        guard status < 0 else { return }
        let reason = SystemError(number: -status).reason
        StandardStream.error.writeLine("Error: cannot start the service process: \(reason)")
        exit(EXIT_FAILURE)
    }

    /// Reports that the service accepts connections.
    static func reportReady() { hr_report_ready() }

    /// Reports that the service is stopping: the parent starts no other process.
    static func reportStopping() { hr_report_stopping() }
}
