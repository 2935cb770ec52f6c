import CLinux
import CSandbox
import Dispatch
import Synchronization

/// A worker process that is ready and waits without a slot.
///
/// It replaces the next process that ends.
///
/// Starting a process takes longer than most jobs, because the process loads libraries and a detector and runs its
/// self-test. During this time, one worker less is available.
final class SpareWorker: Sendable {
    private struct State {
        var process: ReadyProcess?
        /// Whether a process is being started.
        var isStarting = false
        var readyAt = ContinuousClock.now
    }

    /// A process that ends earlier than this without a slot is not started again until a worker is replaced, because
    /// the next process would probably end as well.
    private static let minLife = Duration.seconds(1)

    private let configuration: ProcessConfiguration
    private let journal: WorkerEvents
    private let maxAddressSpace: Int
    /// Called when the process ended without being killed by the parent.
    private let onExit: @Sendable () -> Void
    /// Starts processes, one at a time.
    private let queue = DispatchQueue(label: "headroom.spare-worker", qos: .utility)
    private let state = Mutex(State())

    init(
        _ configuration: ProcessConfiguration,
        journal: WorkerEvents,
        maxAddressSpace: Int,
        onExit: @escaping @Sendable () -> Void
    ) {
        self.configuration = configuration
        self.journal = journal
        self.maxAddressSpace = maxAddressSpace
        self.onExit = onExit
    }

    deinit { state.withLock { $0.process }?.process.end() }

    /// The ID of the ready process; nil if none is ready.
    var processID: Int32? {
        state.withLock { state in state.process.flatMap { $0.process.isRunning ? $0.process.processID : nil } }
    }

    /// Starts a process after a delay, unless one is ready or is being started.
    ///
    /// Returns immediately.
    func prepare(after delay: Duration = .zero) {
        let mustStart = state.withLock { state in
            guard !state.isStarting, state.process == nil else { return false }
            state.isStarting = true
            return true
        }
        guard mustStart else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay / .milliseconds(1)))) { [weak self] in
            self?.start()
        }
    }

    /// Returns the process if one is ready; the caller must end it.
    func take() -> ReadyProcess? {
        guard let taken = state.withLock({ $0.process.take() }) else { return nil }
        // If all processes were killed together, the exit may not have been reported.
        if taken.process.isRunning, !hr_is_hung_up(taken.process.worker.control) { return taken }
        journal.ended(taken.process.end(), during: "rest")
        return nil
    }

    private func start() {
        let started = Result { () throws(WorkerExit) in
            let process = try WorkerProcess.start(
                configuration.command,
                timeout: configuration.jobTimeout,
                onExit: { [weak self, onExit] in
                    self?.reap()
                    // If a slot has taken the process, this repairs the slot.
                    onExit()
                }
            )
            // Slots count their jobs from 1, so no later job of the process has this number.
            return try ReadyProcess(process, startupCheck: .max, configuration, maxAddressSpace: maxAddressSpace)
        }
        // Memory that the self-test used is not needed until the process gets a slot.
        if case .success(let ready) = started { ready.process.releaseMemory() }
        state.withLock { state in
            state.isStarting = false
            guard case .success(let ready) = started else { return }
            state.process = ready
            state.readyAt = .now
        }
        switch started {
        // The process may have ended before it was stored.
        case .success: reap()
        // Not repeated before a worker is replaced. That replacement reports whether processes can be started.
        case .failure(let end): journal.ended(end, during: "start")
        }
    }

    /// Removes a process that ended without a slot, and starts another one.
    private func reap() {
        let (ended, isEarly) = state.withLock { state -> (ReadyProcess?, Bool) in
            guard let ready = state.process, !ready.process.isRunning else { return (nil, false) }
            state.process = nil
            return (ready, .now - state.readyAt < Self.minLife)
        }
        guard let ended else { return }
        journal.ended(ended.process.end(), during: "rest")
        if !isEarly { prepare() }
    }
}
