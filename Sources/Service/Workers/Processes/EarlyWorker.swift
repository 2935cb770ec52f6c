import CSandbox
import Glibc
import Synchronization

/// A worker process that is started before the service has read its settings, so that both start at the same time.
///
/// The first worker of a pool uses the process if it has the same command. If no worker uses it, the process is ended.
package final class EarlyWorker: Sendable {
    private let command: WorkerCommand
    /// Nil after the process was taken or ended.
    private let process: Mutex<hr_worker?>

    /// Starts a process without waiting for it; nil if that fails.
    ///
    /// The next start reports the failure.
    package init?(_ command: WorkerCommand) {
        guard let process = try? WorkerProcess.spawn(command) else { return nil }
        self.command = command
        self.process = Mutex(process)
    }

    deinit { discard() }

    /// The process ID until the process is taken or ended.
    package var processID: Int32? { process.withLock { $0?.pid } }

    /// Returns the process if it was started with this command, to one caller only; otherwise ends it.
    ///
    /// - Returns: The process and its descriptors, which the caller must end and close; nil for none.
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
