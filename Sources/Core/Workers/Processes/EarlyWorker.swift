import CSandbox
import Glibc
import Synchronization

/// A worker process that is started before the service has read its settings, so that both start concurrently.
///
/// The first worker of a pool uses the process if it has the same command. If no worker uses it, the process is killed.
package final class EarlyWorker: Sendable {
    private let command: WorkerCommand
    /// The process; nil after it was taken or killed.
    private let process: Mutex<hr_worker?>

    /// Starts a process without waiting for it; nil if it cannot be started.
    ///
    /// The next start of a process reports the failure.
    package init?(_ command: WorkerCommand) {
        guard let process = try? WorkerProcess.spawn(command) else { return nil }
        self.command = command
        self.process = Mutex(process)
    }

    deinit { discard() }

    /// The process ID; nil after the process was taken or killed.
    package var processID: Int32? { process.withLock { $0?.pid } }

    /// Returns the process to the first caller if it was started with this command.
    ///
    /// Otherwise kills the process.
    ///
    /// - Returns: The process and its descriptors, which the caller must kill and close; nil for none.
    func take(for command: WorkerCommand) -> hr_worker? {
        guard command == self.command else {
            discard()
            return nil
        }
        return process.withLock { $0.take() }
    }

    private func discard() {
        guard let process = process.withLock({ $0.take() }) else { return }
        _ = hr_worker_end(process.pid)
        hr_worker_close(process)
        close(process.words)
    }
}
