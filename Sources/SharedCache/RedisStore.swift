import Dispatch
import Glibc
package import Logging
import Synchronization

/// A Redis that processes share values through, which may fail at any time without anybody noticing.
///
/// Lookups are sent over a few connections and get ``lookupTimeout``; connecting, and writing, happen behind everybody's
/// back. After any failure Redis is out of use for ``pause``, in which nobody waits for it, and then all connections are
/// made anew before anybody does.
package final class RedisStore: SharedStore {
    /// What a lookup may cost: a request makes three at most, and is not to lose more than 20 ms by all of them, with the
    /// millisecond by which a timer may be late.
    package static let lookupTimeout = Duration.milliseconds(5)
    /// For how long it is out of use after a failure.
    package static let pause = Duration.seconds(1)
    /// The largest value that is shared, in bytes: what a network of 1 Gbit/s brings in about the time of a lookup.
    package static let mostValueBytes = 512 << 10
    /// Values that wait to be written, in bytes; more are dropped.
    package static let mostQueuedBytes = 16 << 20
    /// Lookups that wait for a connection; more are not made.
    static let mostWaiting = 256
    /// Connections for lookups; there is one more for writing.
    static let lookupConnections = 4
    /// For connecting, and for one write.
    private static let backgroundTimeout = Duration.milliseconds(500)

    private struct Write {
        let key: String
        let bytes: [UInt8]
        let lifetime: Duration
    }

    private struct State {
        var isUp = false
        var isConnecting = false
        var retryAt = ContinuousClock.now
        var idle: [RedisLane] = []
        var waiting: [RedisLookup] = []
        var writes: [Write] = []
        var queuedBytes = 0
        var isWriting = false
        var statistics = RedisStatistics()
        /// Whether its being out of use has been told.
        var hasReported = false
    }

    private let address: RedisAddress
    private let timeout: Duration
    private let prefix: String
    private let lanes: [RedisLane]
    private let writer: RedisLane
    private let logger: Logger
    private let state: Mutex<State>

    /// Connects in the background.
    ///
    /// - Parameters:
    ///   - address: Where it is.
    ///   - timeout: For each lookup.
    ///   - prefix: Begins all keys; names the program and its version, for others may read values differently.
    ///   - logger: Gets a line when it goes out of use and one when it is back.
    package init(
        _ address: RedisAddress,
        timeout: Duration = RedisStore.lookupTimeout,
        prefix: String,
        logger: Logger
    ) {
        // hiredis sends with write(2), which kills a process when the other side has left, unless that is ignored.
        signal(SIGPIPE, SIG_IGN)
        self.address = address
        self.timeout = timeout
        self.prefix = prefix
        self.logger = logger
        let lanes = (0..<Self.lookupConnections).map { number in
            RedisLane(address, name: "\(number)", timeout: timeout)
        }
        self.lanes = lanes
        writer = RedisLane(address, name: "writer", timeout: Self.backgroundTimeout)
        state = Mutex(State(idle: lanes))
        connectIfDue()
    }

    /// What it has been good for.
    package var statistics: RedisStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.isConnected = state.isUp
            return statistics
        }
    }

    package func bytes(for key: String) async -> [UInt8]? {
        guard isUsable() else { return nil }
        return await withCheckedContinuation { continuation in
            let lookup = RedisLookup(prefix + key, continuation)
            let (lane, isSkipped) = state.withLock { state -> (RedisLane?, Bool) in
                guard state.isUp, state.waiting.count < Self.mostWaiting else {
                    state.statistics.skipped += 1
                    return (nil, true)
                }
                if let lane = state.idle.popLast() { return (lane, false) }
                state.waiting.append(lookup)
                return (nil, false)
            }
            if isSkipped {
                lookup.answer(nil)
                return
            }
            let deadline = DispatchTime.now() + timeout.interval
            DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: deadline) { [weak self] in
                if lookup.answer(nil) { self?.state.withLock { $0.statistics.late += 1 } }
            }
            if let lane { look(lookup, on: lane) }
        }
    }

    package func keep(_ bytes: [UInt8], for key: String, lifetime: Duration) {
        let isUsable = isUsable()
        let starts = state.withLock { state -> Bool in
            guard isUsable, bytes.count <= Self.mostValueBytes, state.queuedBytes + bytes.count <= Self.mostQueuedBytes
            else {
                state.statistics.droppedWrites += 1
                return false
            }
            state.writes.append(Write(key: prefix + key, bytes: bytes, lifetime: lifetime))
            state.queuedBytes += bytes.count
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if starts { writeNext() }
    }

    /// Whether it is in use; if not, and the pause is over, it is tried again.
    private func isUsable() -> Bool {
        if state.withLock({ $0.isUp }) { return true }
        state.withLock { $0.statistics.skipped += 1 }
        connectIfDue()
        return false
    }

    // MARK: Lookups

    private func look(_ lookup: RedisLookup, on lane: RedisLane) {
        lane.send(["GET".bytes, lookup.key.bytes]) { [weak self] outcome in
            switch outcome {
            case .success(.bytes(let bytes)):
                if lookup.answer(bytes) { self?.state.withLock { $0.statistics.hits += 1 } }
            case .success(.nothing), .success(.done):
                if lookup.answer(nil) { self?.state.withLock { $0.statistics.misses += 1 } }
            case .success(.refused(let reason)):
                lookup.answer(nil)
                self?.fail(RedisFailure(description: reason))
            case .failure(let failure):
                lookup.answer(nil)
                self?.fail(failure)
            }
            self?.goOn(lane)
        }
    }

    /// Gives a connection the next lookup for which somebody waits.
    private func goOn(_ lane: RedisLane) {
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
            state.queuedBytes -= write.bytes.count
            return write
        }
        guard let write else { return }
        let seconds = "\(write.lifetime.components.seconds)"
        writer.send(["SET".bytes, write.key.bytes, write.bytes, "EX".bytes, seconds.bytes]) { [weak self] outcome in
            switch outcome {
            case .success(.refused): self?.state.withLock { $0.statistics.droppedWrites += 1 }
            case .success: self?.state.withLock { $0.statistics.writes += 1 }
            case .failure(let failure):
                self?.state.withLock { $0.statistics.droppedWrites += 1 }
                self?.fail(failure)
            }
            self?.writeNext()
        }
    }

    // MARK: Being there

    /// Puts it out of use: nobody waits for it any more, and what was to be written is dropped.
    private func fail(_ failure: RedisFailure) {
        let (waiting, isNews) = state.withLock { state -> ([RedisLookup], Bool) in
            state.retryAt = .now + Self.pause
            guard state.isUp else { return ([], false) }
            state.isUp = false
            state.statistics.failures += 1
            state.statistics.droppedWrites += state.writes.count
            state.writes = []
            state.queuedBytes = 0
            let isNews = !state.hasReported
            state.hasReported = true
            defer { state.waiting = [] }
            return (state.waiting, isNews)
        }
        for lookup in waiting { lookup.answer(nil) }
        if isNews { report(failure) }
    }

    /// Makes all connections anew, unless that is being done or was tried a moment ago.
    private func connectIfDue() {
        let isDue = state.withLock { state -> Bool in
            guard !state.isUp, !state.isConnecting, state.retryAt <= .now else { return false }
            state.isConnecting = true
            return true
        }
        guard isDue else { return }
        let all = lanes + [writer]
        connect(all, Countdown(all.count))
    }

    private func connect(_ lanes: [RedisLane], _ countdown: Countdown) {
        for lane in lanes {
            lane.connect(timeout: Self.backgroundTimeout) { [weak self] failure in
                if let failure { countdown.note(failure) }
                if countdown.finishOne() { self?.connected(countdown.failure) }
            }
        }
    }

    private func connected(_ failure: RedisFailure?) {
        let isNews = state.withLock { state -> Bool in
            state.isConnecting = false
            state.isUp = failure == nil
            if failure != nil { state.retryAt = .now + Self.pause }
            let isNews = state.hasReported == (failure == nil)
            state.hasReported = failure != nil
            return isNews
        }
        if let failure, isNews {
            report(failure)
        } else if isNews {
            logger.notice("redis is in use again", metadata: ["redis": "\(address)"])
        }
    }

    private func report(_ failure: RedisFailure) {
        logger.warning(
            "redis is out of use; nothing is shared until it is back",
            metadata: ["redis": "\(address)", "reason": "\(failure)"]
        )
    }
}

/// Counts what is still to come, and remembers what failed.
private final class Countdown: Sendable {
    private let state: Mutex<(rest: Int, failure: RedisFailure?)>

    init(_ count: Int) { state = Mutex((count, nil)) }

    var failure: RedisFailure? { state.withLock { $0.failure } }

    func note(_ failure: RedisFailure) { state.withLock { $0.failure = failure } }

    /// Whether that was the last.
    func finishOne() -> Bool {
        state.withLock { state in
            state.rest -= 1
            return state.rest == 0
        }
    }
}

extension String {
    fileprivate var bytes: [UInt8] { Array(utf8) }
}

extension Duration {
    fileprivate var interval: DispatchTimeInterval { .microseconds(Int(self / .microseconds(1))) }
}
