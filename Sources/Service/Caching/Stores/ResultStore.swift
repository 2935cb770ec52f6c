import Dispatch
package import Logging
import Synchronization

/// The last cache level: a folder or bucket that preserves values across restarts.
///
/// Its failures never fail a request. Lookups run on a few threads, and each lookup has a time limit. After
/// ``maxFailures`` consecutive late or failed lookups, the store is unavailable for ``pause``; then a single lookup
/// tests it. Writes wait in a bounded queue. After a failed write, for example on a full disk, values are dropped for
/// ``writePause``.
package final class ResultStore: Sendable {
    /// The number of lookups that run at the same time.
    package static let lookupThreads = 8
    /// Maximum number of lookups that wait for a thread.
    ///
    /// Additional lookups are not made.
    package static let maxWaiting = 256
    /// The number of consecutive late or failed lookups that make the store unavailable.
    package static let maxFailures = 5
    /// The duration of the store's unavailability after failures.
    ///
    /// Then a lookup tests the store.
    package static let pause = Duration.seconds(5)
    /// The time without writes after a failed write.
    package static let writePause = Duration.seconds(10)
    /// Maximum memory of values that wait to be written, in bytes.
    ///
    /// Additional values are dropped.
    package static let maxQueuedBytes = 64 << 20
    /// The minimum time between two log lines about the same kind of failure.
    package static let logInterval = Duration.seconds(60)
    /// Time limit of a purge.
    static let purgeTimeout = DispatchTimeInterval.seconds(10)
    /// The time between two calls of ``StoreBackend/maintain()``, in seconds.
    static let maintenanceInterval = 3600

    private struct Write {
        let key: StoredKey
        let value: [UInt8]
        let began: Int
    }

    /// The state that limits log lines about one kind of failure.
    private struct Reports {
        var isFailing = false
        var next: ContinuousClock.Instant?
    }

    private struct State {
        var statistics = StoreStatistics()
        var idle: [DispatchQueue] = []
        var waiting: [StoreLookup] = []
        var failuresInRow = 0
        /// The time when the store becomes available again; nil while it is available.
        var unavailableUntil: ContinuousClock.Instant?
        var isTesting = false
        var lookupReports = Reports()

        var writes: [Write] = []
        var queuedBytes = 0
        var writing = 0
        var writesAgainAt: ContinuousClock.Instant?
        var writeReports = Reports()
    }

    private let backend: any StoreBackend
    private let prefix: String
    private let timeout: Duration
    private let logger: Logger
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<State>
    private let writers = DispatchQueue(label: "headroom.store.writers", qos: .utility, attributes: .concurrent)
    private let maintenance = DispatchQueue(label: "headroom.store.maintenance", qos: .utility)
    // Set once by the initialiser, because its handler needs `self`.
    private nonisolated(unsafe) let timer: any DispatchSourceTimer

    /// Creates a store, and starts its maintenance in the background.
    ///
    /// - Parameters:
    ///   - backend: The folder or the bucket.
    ///   - prefix: The prefix of all keys, which contains the program and its version, because other versions may
    ///   encode values differently.
    ///   - timeout: Time limit of each lookup.
    ///   - now: The clock for pauses.
    ///   - logger: Receives one line when the store fails and one line when it recovers.
    package init(
        _ backend: any StoreBackend,
        prefix: String,
        timeout: Duration,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        logger: Logger
    ) {
        self.backend = backend
        self.prefix = prefix
        self.timeout = timeout
        self.now = now
        self.logger = logger
        // These serial queues do not have a target, so Dispatch runs them on separate threads while they have work.
        let threads = (0..<Self.lookupThreads).map { DispatchQueue(label: "headroom.store.\($0)") }
        state = Mutex(State(idle: threads))
        timer = DispatchSource.makeTimerSource(queue: maintenance)
        timer.schedule(deadline: .now(), repeating: .seconds(Self.maintenanceInterval), leeway: .seconds(60))
        timer.setEventHandler { [weak backend] in backend?.maintain() }
        timer.activate()
    }

    deinit { timer.cancel() }

    /// Counters since the process started, and the current size.
    package var statistics: StoreStatistics {
        var statistics = state.withLock { state in
            var statistics = state.statistics
            statistics.isAvailable = state.unavailableUntil == nil
            return statistics
        }
        statistics.damaged = backend.damaged
        statistics.usage = backend.usage
        return statistics
    }

    // MARK: Lookups

    /// Returns the value for a key; nil if the key is missing, or if the value is not available in time.
    package func bytes(for key: StoredKey) async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            let lookup = StoreLookup(StoredKey(prefix + key.text, labels: key.labels), continuation)
            let time = now()
            let (thread, isAccepted) = state.withLock { state -> (DispatchQueue?, Bool) in
                guard Self.accepts(lookup, &state, time) else {
                    state.statistics.skipped += 1
                    return (nil, false)
                }
                if let thread = state.idle.popLast() { return (thread, true) }
                state.waiting.append(lookup)
                return (nil, true)
            }
            guard isAccepted else {
                lookup.answer(nil)
                return
            }
            let deadline = DispatchTime.now() + timeout.interval
            DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: deadline) { [weak self] in
                guard let self else { return }
                lookup.answer(nil) {
                    self.state.withLock { $0.statistics.late += 1 }
                    self.noteFailure(StoreFailure("no value within \(self.timeout)"), of: lookup)
                }
            }
            if let thread { run(lookup, on: thread) }
        }
    }

    /// Whether a lookup may be made.
    ///
    /// After the pause, a single lookup tests the store.
    private static func accepts(
        _ lookup: StoreLookup,
        _ state: inout State,
        _ time: ContinuousClock.Instant
    ) -> Bool {
        guard let end = state.unavailableUntil else { return state.waiting.count < maxWaiting }
        // If no thread is idle, all earlier lookups are still blocked.
        guard !state.isTesting, end <= time, !state.idle.isEmpty else { return false }
        state.isTesting = true
        lookup.isTest = true
        return true
    }

    private func run(_ lookup: StoreLookup, on thread: DispatchQueue) {
        thread.async { [self] in
            do throws(StoreFailure) {
                let bytes = try backend.read(lookup.key)
                lookup.answer(bytes) { self.noteAnswer(of: lookup, isHit: bytes != nil) }
            } catch {
                lookup.answer(nil) {
                    self.state.withLock { $0.statistics.failed += 1 }
                    self.noteFailure(error, of: lookup)
                }
            }
            let next = state.withLock { state -> StoreLookup? in
                while !state.waiting.isEmpty {
                    let lookup = state.waiting.removeFirst()
                    if lookup.isOpen { return lookup }
                }
                state.idle.append(thread)
                return nil
            }
            if let next { run(next, on: thread) }
        }
    }

    private func noteAnswer(of lookup: StoreLookup, isHit: Bool) {
        let isNews = state.withLock { state -> Bool in
            if isHit { state.statistics.hits += 1 } else { state.statistics.misses += 1 }
            state.failuresInRow = 0
            guard state.unavailableUntil == nil || lookup.isTest else { return false }
            state.unavailableUntil = nil
            state.isTesting = false
            defer { state.lookupReports.isFailing = false }
            return state.lookupReports.isFailing
        }
        if isNews { logger.notice("the result store is available again", metadata: ["store": "\(backend.name)"]) }
    }

    private func noteFailure(_ failure: StoreFailure, of lookup: StoreLookup) {
        let time = now()
        let isNews = state.withLock { state -> Bool in
            state.failuresInRow += 1
            if lookup.isTest { state.isTesting = false }
            guard lookup.isTest || state.failuresInRow >= Self.maxFailures else { return false }
            state.unavailableUntil = time + Self.pause
            return Self.isNews(&state.lookupReports, time)
        }
        guard isNews else { return }
        logger.warning(
            "the result store is unavailable; results are computed until it recovers",
            metadata: ["store": "\(backend.name)", "reason": "\(failure)"]
        )
    }

    /// Whether to log a failure.
    ///
    /// The first failure is logged, and then at most one per ``logInterval``.
    private static func isNews(_ reports: inout Reports, _ time: ContinuousClock.Instant) -> Bool {
        guard !reports.isFailing, reports.next.map({ $0 <= time }) ?? true else { return false }
        reports = Reports(isFailing: true, next: time + logInterval)
        return true
    }

    // MARK: Writing

    /// Stores a value in the background, on a best-effort basis.
    ///
    /// - Parameters:
    ///   - value: Any bytes.
    ///   - key: The key of the value.
    ///   - began: The time before the value's sources were read, in seconds since 1970. It is compared with the times
    ///   of purges.
    package func keep(_ value: [UInt8], for key: StoredKey, began: Int) {
        let write = Write(key: StoredKey(prefix + key.text, labels: key.labels), value: value, began: began)
        let time = now()
        let starts = state.withLock { state -> Bool in
            guard value.count <= backend.maxValueBytes, state.queuedBytes + value.count <= Self.maxQueuedBytes,
                state.writesAgainAt.map({ $0 <= time }) ?? true
            else {
                state.statistics.droppedWrites += 1
                return false
            }
            state.writes.append(write)
            state.queuedBytes += value.count
            guard state.writing < backend.writers else { return false }
            state.writing += 1
            return true
        }
        if starts { writers.async { [self] in writeAll() } }
    }

    /// Writes until the queue is empty.
    private func writeAll() {
        while let write = nextWrite() {
            do throws(StoreFailure) {
                try backend.write(write.value, for: write.key, began: write.began)
                noteWrite(of: write)
            } catch {
                noteFailedWrite(of: write, error)
            }
        }
    }

    private func nextWrite() -> Write? {
        state.withLock { state in
            guard !state.writes.isEmpty else {
                state.writing -= 1
                return nil
            }
            return state.writes.removeFirst()
        }
    }

    private func noteWrite(of write: Write) {
        let isNews = state.withLock { state -> Bool in
            state.queuedBytes -= write.value.count
            state.statistics.writes += 1
            state.writesAgainAt = nil
            defer { state.writeReports.isFailing = false }
            return state.writeReports.isFailing
        }
        if isNews { logger.notice("the result store accepts results again", metadata: ["store": "\(backend.name)"]) }
    }

    /// Counts a failed write, and drops all waiting values.
    private func noteFailedWrite(of write: Write, _ failure: StoreFailure) {
        let time = now()
        let isNews = state.withLock { state -> Bool in
            state.queuedBytes -= write.value.count + state.writes.reduce(0) { $0 + $1.value.count }
            state.statistics.failedWrites += 1
            state.statistics.droppedWrites += state.writes.count
            state.writes = []
            state.writesAgainAt = time + Self.writePause
            return Self.isNews(&state.writeReports, time)
        }
        guard isNews else { return }
        logger.warning(
            "the result store does not accept results; results are cached only in memory",
            metadata: ["store": "\(backend.name)", "reason": "\(failure)"]
        )
    }

    // MARK: Purging

    /// Purges all values that have one of the labels, for all processes with the same store.
    ///
    /// - Returns: False if the store is unavailable or did not complete the purge within ``purgeTimeout``.
    package func purge(_ labels: [String]) async -> Bool {
        let isPurged = await withCheckedContinuation { continuation in
            let answer = SingleAnswer<Bool>(continuation)
            DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.purgeTimeout) { [self] in
                answer.give(false) { self.reportPurge(StoreFailure("no reply within \(Self.purgeTimeout)")) }
            }
            writers.async { [self] in
                do throws(StoreFailure) {
                    try backend.purge(labels)
                    answer.give(true)
                } catch {
                    answer.give(false) { self.reportPurge(error) }
                }
            }
        }
        if isPurged { maintenance.async { [backend] in backend.maintain() } }
        return isPurged
    }

    private func reportPurge(_ failure: StoreFailure) {
        logger.warning(
            "the result store did not purge an image",
            metadata: ["store": "\(backend.name)", "reason": "\(failure)"]
        )
    }
}

/// A lookup in a result store.
///
/// It may be the lookup that tests an unavailable store.
private final class StoreLookup: Sendable {
    let key: StoredKey
    private let isTesting = Atomic(false)
    private let result: SingleAnswer<[UInt8]?>

    init(_ key: StoredKey, _ continuation: CheckedContinuation<[UInt8]?, Never>) {
        self.key = key
        result = SingleAnswer(continuation)
    }

    var isTest: Bool {
        get { isTesting.load(ordering: .relaxed) }
        set { isTesting.store(newValue, ordering: .relaxed) }
    }

    /// Whether the lookup has not been completed.
    var isOpen: Bool { result.isOpen }

    /// Runs a closure that records the result, and completes the lookup.
    ///
    /// Does nothing if the lookup was already completed.
    func answer(_ bytes: [UInt8]?, recorded record: () -> Void = {}) { result.give(bytes, after: record) }
}
