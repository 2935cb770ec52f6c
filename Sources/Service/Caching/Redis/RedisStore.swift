import Dispatch
package import Logging
import Synchronization

/// A Redis server that processes use to share values.
///
/// Its failures never fail a request.
///
/// Lookups use a few connections and are limited to ``lookupTimeout``. Connecting and writing happen in the background.
/// A late reply fails only its own lookup, because a Redis server with too little processor time is sometimes late.
/// Redis becomes unavailable for ``pause`` after ``maxFailures`` consecutive late or failed lookups, if no reply was in
/// time for ``patience``. It also becomes unavailable if it refuses a connection or a lookup, or if it has become a
/// replica. While Redis is unavailable, lookups return immediately. All connections are opened again before Redis is
/// used again. An idle Redis is probed, so that ``RedisStatistics/isConnected`` is true only while it replies.
package final class RedisStore: SharedStore {
    /// Time limit of a lookup.
    ///
    /// A request makes up to three lookups. They must not delay it by more than 20 ms, including a timer delay of one
    /// millisecond each.
    package static let lookupTimeout = Duration.milliseconds(5)
    /// The duration of Redis's unavailability after failures, and the interval between probes of an idle Redis.
    package static let pause = Duration.seconds(1)
    /// The number of consecutive late or failed lookups that can make Redis unavailable.
    static let maxFailures = 5
    /// The minimum time since the last timely reply before failures make Redis unavailable.
    ///
    /// It is also the time limit for a reply on a connection.
    static let patience = Duration.milliseconds(250)
    /// The maximum size of a shared value in bytes.
    ///
    /// A network of 1 Gbit/s transfers about this amount within the time limit of a lookup.
    package static let maxValueBytes = 512 << 10
    /// Maximum memory of values that wait to be written, in bytes.
    ///
    /// Additional values are dropped.
    package static let maxQueuedBytes = 16 << 20
    /// Maximum number of lookups that wait for a connection.
    ///
    /// Additional lookups are not sent.
    static let maxWaiting = 256
    /// The number of connections for lookups.
    ///
    /// Writing uses one additional connection.
    static let lookupConnections = 4
    /// Time limit for opening one connection, including TLS, the password and the database.
    static let connectTimeout = Duration.seconds(1)
    /// Time limit of one write.
    private static let writeTimeout = Duration.milliseconds(500)

    private struct Write {
        let command: [[UInt8]]
        /// The memory of the command's value, which counts towards ``maxQueuedBytes``.
        let bytes: Int
        /// Receives the reply; nil if the command was dropped or refused.
        var completion: (@Sendable ([UInt8]?) -> Void)?

        /// The number of values in the statistics; scripts are not counted.
        var values: Int { completion == nil ? 1 : 0 }
    }

    private struct State {
        var isUp = false
        /// The number of connections that are being opened, and the failure of one of them.
        var connecting = 0
        var connectFailure: RedisFailure?
        var retryAt = ContinuousClock.now
        /// The number of late or failed lookups since the last timely reply.
        var failuresInRow = 0
        var lastReply = ContinuousClock.now
        var idle: [RedisLane] = []
        var waiting: [RedisLookup] = []
        var writes: [Write] = []
        var queuedBytes = 0
        var isWriting = false
        var statistics = RedisStatistics()
        /// Whether the failure was logged.
        var hasReported = false
        /// Whether a refused script was logged.
        var hasReportedScripts = false
    }

    private let address: RedisAddress
    private let timeout: Duration
    private let prefix: String
    private let lanes: [RedisLane]
    private let writer: RedisLane
    private let logger: Logger
    private let state: Mutex<State>
    // Set once by the initialiser, because its handler needs `self`.
    private nonisolated(unsafe) let timer: any DispatchSourceTimer

    /// Creates a store that connects in the background.
    ///
    /// - Parameters:
    ///   - address: The address of the Redis server.
    ///   - timeout: Time limit of each lookup.
    ///   - prefix: The prefix of all keys, which contains the program and its version, because other versions may
    ///   encode values differently.
    ///   - logger: Receives one line when Redis becomes unavailable and one line when it recovers.
    package init(
        _ address: RedisAddress,
        timeout: Duration = RedisStore.lookupTimeout,
        prefix: String,
        logger: Logger
    ) {
        self.address = address
        self.timeout = timeout
        self.prefix = prefix
        self.logger = logger
        let connector = RedisConnector(address)
        let lanes = (0..<Self.lookupConnections).map { number in
            RedisLane(connector, name: "\(number)", timeout: max(timeout, Self.patience))
        }
        self.lanes = lanes
        writer = RedisLane(connector, name: "writer", timeout: Self.writeTimeout)
        state = Mutex(State(idle: lanes))
        timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        timer.schedule(deadline: .now() + Self.pause.interval, repeating: Self.pause.interval)
        timer.setEventHandler { [weak self] in self?.probe() }
        timer.activate()
        connectIfDue()
    }

    deinit { timer.cancel() }

    /// Counters since the process started.
    package var statistics: RedisStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.isConnected = state.isUp
            return statistics
        }
    }

    package func bytes(for key: String) async -> [UInt8]? {
        await reply(to: ["GET".bytes, (prefix + key).bytes], isScript: false)
    }

    /// Runs a script (EVAL) with the time limit of a lookup.
    ///
    /// - Parameters:
    ///   - script: A Lua script that returns a text.
    ///   - keys: The keys of the script, without the prefix of this store.
    ///   - arguments: The arguments of the script.
    /// - Returns: The text; nil if Redis is unavailable, did not reply in time, or refused the script.
    package func evaluate(_ script: String, keys: [String], _ arguments: [String]) async -> [UInt8]? {
        let words = ["EVAL", script, "\(keys.count)"] + keys.map { prefix + $0 } + arguments
        return await reply(to: words.map(\.bytes), isScript: true)
    }

    private func reply(to command: [[UInt8]], isScript: Bool) async -> [UInt8]? {
        guard isUsable() else {
            state.withLock { $0.statistics.skipped += 1 }
            return nil
        }
        return await withCheckedContinuation { continuation in
            let lookup = RedisLookup(command, isScript: isScript, continuation)
            let (lane, isTaken) = state.withLock { state -> (RedisLane?, Bool) in
                guard state.isUp, state.waiting.count < Self.maxWaiting else {
                    state.statistics.skipped += 1
                    return (nil, false)
                }
                if let lane = state.idle.popLast() { return (lane, true) }
                state.waiting.append(lookup)
                return (nil, true)
            }
            guard isTaken else {
                lookup.answer(nil)
                return
            }
            let deadline = DispatchTime.now() + timeout.interval
            DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: deadline) { [weak self] in
                guard let self else { return }
                lookup.answer(nil) {
                    self.state.withLock { $0.statistics.late += 1 }
                    self.noteFailure(RedisFailure(description: "no reply within \(self.timeout)"))
                }
            }
            if let lane { look(lookup, on: lane) }
        }
    }

    package func keep(_ bytes: [UInt8], for key: String, lifetime: Duration) {
        let seconds = "\(lifetime.components.seconds)"
        let command = ["SET".bytes, (prefix + key).bytes, bytes, "EX".bytes, seconds.bytes]
        enqueue(Write(command: command, bytes: bytes.count))
    }

    /// Runs a script (EVAL) after all queued writes, without the time limit of a lookup.
    ///
    /// - Parameters:
    ///   - script: A Lua script that returns a text.
    ///   - keys: The script's complete keys; the prefix of this store is not added.
    ///   - arguments: The script's arguments.
    /// - Returns: The text; nil if Redis is unavailable, or refused the script.
    package func runAfterWrites(_ script: String, keys: [String], _ arguments: [String]) async -> [UInt8]? {
        let words = ["EVAL", script, "\(keys.count)"] + keys + arguments
        return await withCheckedContinuation { continuation in
            enqueue(Write(command: words.map(\.bytes), bytes: 0) { continuation.resume(returning: $0) })
        }
    }

    private func enqueue(_ write: Write) {
        let isUsable = isUsable()
        let (isQueued, starts) = state.withLock { state -> (Bool, Bool) in
            guard isUsable, write.bytes <= Self.maxValueBytes, state.queuedBytes + write.bytes <= Self.maxQueuedBytes
            else {
                state.statistics.droppedWrites += write.values
                return (false, false)
            }
            state.writes.append(write)
            state.queuedBytes += write.bytes
            defer { state.isWriting = true }
            return (true, !state.isWriting)
        }
        if !isQueued { write.completion?(nil) }
        if starts { writeNext() }
    }

    /// Whether Redis is available.
    ///
    /// If it is unavailable and the pause is over, starts reconnecting.
    private func isUsable() -> Bool {
        if state.withLock({ $0.isUp }) { return true }
        connectIfDue()
        return false
    }

    // MARK: Lookups

    private func look(_ lookup: RedisLookup, on lane: RedisLane) {
        // Replies to scripts count neither as hits nor as misses.
        let counts = lookup.isScript ? 0 : 1
        lane.send(lookup.command) { [weak self] outcome in
            switch outcome {
            case .success(.bytes(let bytes)):
                lookup.answer(bytes) { self?.noteReply { $0.hits += counts } }
            case .success(.nothing), .success(.done), .success(.list):
                lookup.answer(nil) { self?.noteReply { $0.misses += counts } }
            case .success(.refused(let reason)) where lookup.isScript && !RedisFailure.isOfReplica(reason):
                lookup.answer(nil)
                self?.noteReply()
                self?.reportScripts(reason)
            case .success(.refused(let reason)):
                lookup.answer(nil)
                self?.takeOut(RedisFailure(description: reason))
            case .failure(let failure):
                lookup.answer(nil)
                self?.noteFailure(failure)
                self?.reconnect(lane)
                return
            }
            self?.sendNextLookup(on: lane)
        }
    }

    /// Records a timely reply.
    private func noteReply(_ count: (inout RedisStatistics) -> Void = { _ in }) {
        state.withLock { state in
            count(&state.statistics)
            state.failuresInRow = 0
            state.lastReply = .now
        }
    }

    /// Records a late or failed lookup.
    ///
    /// Makes Redis unavailable after too many of them.
    private func noteFailure(_ failure: RedisFailure) {
        let isTooMuch = state.withLock { state in
            state.failuresInRow += 1
            return state.failuresInRow >= Self.maxFailures && .now - state.lastReply >= Self.patience
        }
        if isTooMuch { takeOut(failure) }
    }

    /// Reopens a connection for lookups.
    ///
    /// If Redis does not accept the connection, Redis becomes unavailable.
    private func reconnect(_ lane: RedisLane) {
        lane.connect(timeout: Self.connectTimeout) { [weak self] failure in
            if let failure { self?.takeOut(failure) }
            self?.sendNextLookup(on: lane)
        }
    }

    /// Sends PING to an idle Redis.
    ///
    /// Connects to an unavailable Redis after the pause.
    private func probe() {
        let lane = state.withLock { state -> RedisLane? in
            guard state.isUp, .now - state.lastReply >= Self.pause else { return nil }
            return state.idle.popLast()
        }
        guard let lane else { return connectIfDue() }
        lane.send(["PING".bytes]) { [weak self] outcome in
            switch outcome {
            case .success(.refused(let reason)):
                self?.takeOut(RedisFailure(description: reason))
                self?.sendNextLookup(on: lane)
            case .success:
                self?.noteReply()
                self?.sendNextLookup(on: lane)
            case .failure: self?.reconnect(lane)
            }
        }
    }

    private func sendNextLookup(on lane: RedisLane) {
        let next = state.withLock { state -> RedisLookup? in
            while !state.waiting.isEmpty {
                let lookup = state.waiting.removeFirst()
                if lookup.isOpen { return lookup }
            }
            state.idle.append(lane)
            return nil
        }
        if let next { look(next, on: lane) }
    }

    // MARK: Writing

    private func writeNext() {
        let write = state.withLock { state -> Write? in
            guard !state.writes.isEmpty else {
                state.isWriting = false
                return nil
            }
            let write = state.writes.removeFirst()
            state.queuedBytes -= write.bytes
            return write
        }
        guard let write else { return }
        writer.send(write.command) { [weak self] outcome in
            if let completion = write.completion {
                if case .success(.bytes(let bytes)) = outcome { completion(bytes) } else { completion(nil) }
            }
            switch outcome {
            case .success(.refused(let reason)):
                self?.state.withLock { $0.statistics.droppedWrites += write.values }
                // The master has become a replica. New connections will lead to the new master.
                if RedisFailure.isOfReplica(reason) { self?.takeOut(RedisFailure(description: reason)) }
            case .success: self?.state.withLock { $0.statistics.writes += write.values }
            case .failure:
                self?.state.withLock { $0.statistics.droppedWrites += write.values }
                self?.reconnectWriter()
                return
            }
            self?.writeNext()
        }
    }

    private func reconnectWriter() {
        writer.connect(timeout: Self.connectTimeout) { [weak self] failure in
            if let failure { self?.takeOut(failure) }
            self?.writeNext()
        }
    }

    // MARK: Connecting

    /// Makes Redis unavailable.
    ///
    /// Pending lookups complete without a value, and queued writes are dropped.
    private func takeOut(_ failure: RedisFailure) {
        let (waiting, dropped, isNews) = state.withLock { state -> ([RedisLookup], [Write], Bool) in
            state.retryAt = .now + Self.pause
            guard state.isUp else { return ([], [], false) }
            state.isUp = false
            state.statistics.failures += 1
            state.statistics.droppedWrites += state.writes.reduce(0) { $0 + $1.values }
            let dropped = state.writes
            state.writes = []
            state.queuedBytes = 0
            let isNews = !state.hasReported
            state.hasReported = true
            defer { state.waiting = [] }
            return (state.waiting, dropped, isNews)
        }
        for lookup in waiting { lookup.answer(nil) }
        for write in dropped { write.completion?(nil) }
        if isNews { report(failure) }
    }

    /// Reopens all connections, unless this is in progress or the pause is not over.
    private func connectIfDue() {
        let all = lanes + [writer]
        let isDue = state.withLock { state -> Bool in
            guard !state.isUp, state.connecting == 0, state.retryAt <= .now else { return false }
            (state.connecting, state.connectFailure) = (all.count, nil)
            return true
        }
        guard isDue else { return }
        for lane in all {
            lane.connect(timeout: Self.connectTimeout) { [weak self] failure in self?.connected(failure) }
        }
    }

    /// Records that a connection was opened or failed.
    ///
    /// After the last connection, Redis becomes available if no connection has failed.
    private func connected(_ outcome: RedisFailure?) {
        let (failure, isNews) = state.withLock { state -> (RedisFailure?, Bool) in
            state.connecting -= 1
            state.connectFailure = outcome ?? state.connectFailure
            guard state.connecting == 0 else { return (nil, false) }
            let failure = state.connectFailure
            state.isUp = failure == nil
            state.failuresInRow = 0
            state.lastReply = .now
            if failure != nil { state.retryAt = .now + Self.pause }
            let isNews = state.hasReported == (failure == nil)
            state.hasReported = failure != nil
            return (failure, isNews)
        }
        if let failure, isNews {
            report(failure)
        } else if isNews {
            logger.notice("redis is available again", metadata: ["redis": "\(address)"])
        }
    }

    /// Logs once that Redis refuses scripts, for example because of an access control list.
    private func reportScripts(_ reason: String) {
        let isNews = state.withLock { state in
            defer { state.hasReportedScripts = true }
            return !state.hasReportedScripts
        }
        guard isNews else { return }
        logger.warning(
            "redis rejects scripts; tenant limits are not shared",
            metadata: ["redis": "\(address)", "reason": "\(reason)"]
        )
    }

    private func report(_ failure: RedisFailure) {
        logger.warning(
            "redis is unavailable; caches are not shared until it recovers",
            metadata: ["redis": "\(address)", "reason": "\(failure)"]
        )
    }
}

extension String {
    fileprivate var bytes: [UInt8] { Array(utf8) }
}

/// A lookup in Redis.
///
/// It is completed once, by the reply or by its timeout.
private final class RedisLookup: Sendable {
    let command: [[UInt8]]
    let isScript: Bool
    private let result: SingleAnswer<[UInt8]?>

    init(_ command: [[UInt8]], isScript: Bool, _ continuation: CheckedContinuation<[UInt8]?, Never>) {
        self.command = command
        self.isScript = isScript
        result = SingleAnswer(continuation)
    }

    /// Whether the lookup has not been completed.
    var isOpen: Bool { result.isOpen }

    /// Runs a closure that records the result, and completes the lookup.
    ///
    /// Does nothing if the lookup was already completed.
    func answer(_ bytes: [UInt8]?, recorded record: () -> Void = {}) { result.give(bytes, after: record) }
}

/// Counters of a Redis server since the process started.
package struct RedisStatistics: Hashable, Sendable {
    /// Whether Redis is connected and available.
    package var isConnected = false
    /// The number of lookups that found a value.
    package var hits = 0
    /// The number of lookups that did not find a value.
    package var misses = 0
    /// The number of lookups that timed out.
    package var late = 0
    /// The number of lookups that were not sent, because Redis was unavailable or too many lookups were pending.
    package var skipped = 0
    package var writes = 0
    /// The number of values that were not written or that Redis refused.
    package var droppedWrites = 0
    /// The number of transitions from available to unavailable.
    package var failures = 0

    /// Creates the counters for a Redis server that is not connected yet.
    package init() {}
}
