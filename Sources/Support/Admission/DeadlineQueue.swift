import Synchronization

/// The reason why a ``DeadlineQueue`` rejected a job.
package enum QueueRefusal: Error, Hashable {
    /// The queue is full or too slow for the deadline.
    ///
    /// A later attempt may succeed after the given time, which is at least 1 s.
    case busy(retryAfter: Duration)
    /// The job was cancelled before it started.
    case cancelled
}

/// Assigns a fixed set of places to jobs.
///
/// Its queue is limited in length and in waiting time.
///
/// A place, such as a thread, runs one job at a time. If it is foreseeable that a job cannot start before its deadline,
/// the job is rejected immediately, otherwise at its deadline. The most recently used place is assigned first.
package final class DeadlineQueue<Order: TurnOrder, Place: Sendable>: Sendable {
    private struct Entry: Sendable {
        let id: UInt64
        let job: Order.Job
        let start: @Sendable (Place) -> Void
        let refuse: @Sendable (QueueRefusal) -> Void
    }

    private struct State {
        let order: Order
        let waitingLimit: Int
        var idle: [Place]
        /// The jobs in the form that the order requires.
        var line: WaitingLine<Order.Job>
        /// The waiting jobs, in the order of ``line``.
        var waiting: [Entry] = []
        /// The IDs of the running jobs, in the order of ``line``.
        var running: [UInt64] = []
        var nextID: UInt64 = 0

        init(order: Order, waitingLimit: Int, idle: [Place]) {
            self.order = order
            self.waitingLimit = waitingLimit
            self.idle = idle
            line = WaitingLine(running: [], waiting: [], places: idle.count, estimate: TurnEstimate())
        }

        var isFull: Bool { idle.isEmpty && waiting.count >= waitingLimit }

        func busy(_ job: Order.Job) -> QueueRefusal {
            .busy(retryAfter: max(.seconds(1), order.wait(of: job, in: line)))
        }

        func mustWait(_ job: Order.Job) -> Bool {
            guard !idle.isEmpty else { return true }
            var line = line
            line.waiting = [job]
            return order.next(in: line) == nil
        }

        /// Returns the reason to reject immediately a job that must wait; nil if it may wait.
        func refusal(
            of job: Order.Job,
            by deadline: ContinuousClock.Instant?,
            at now: ContinuousClock.Instant
        )
            -> QueueRefusal?
        {
            let isFull = waiting.count >= waitingLimit && order.displaced(by: job, in: line) == nil
            let isLate = deadline.map { now + order.wait(of: job, in: line) > $0 } ?? false
            return isFull || isLate ? busy(job) : nil
        }

        /// Appends a job that must wait.
        ///
        /// - Returns: The waiting job that was displaced.
        mutating func append(_ entry: Entry) -> Entry? {
            let index = waiting.count < waitingLimit ? nil : order.displaced(by: entry.job, in: line)
            let displaced = index.map { remove(at: $0) }
            add(entry)
            return displaced
        }

        mutating func add(_ entry: Entry) {
            waiting.append(entry)
            line.waiting.append(entry.job)
            line.clients.arrive(order.client(of: entry.job))
        }

        /// Removes a waiting job that will not start.
        mutating func remove(at index: Int) -> Entry {
            line.clients.leave(order.client(of: line.waiting.remove(at: index)))
            return waiting.remove(at: index)
        }

        mutating func takeNext() -> (Entry, Place)? {
            guard !idle.isEmpty, let index = order.next(in: line) else { return nil }
            let entry = waiting.remove(at: index)
            running.append(entry.id)
            line.running.append(line.waiting.remove(at: index))
            line.clients.start(order.client(of: entry.job))
            return (entry, idle.removeLast())
        }

        /// Removes a running job.
        mutating func end(_ id: UInt64) {
            guard let index = running.firstIndex(of: id) else { return }
            running.remove(at: index)
            line.clients.end(order.client(of: line.running.remove(at: index)))
        }

        /// Must be called after a possible change of the number of places.
        mutating func countPlaces() { line.places = idle.count + running.count }
    }

    private let state: Mutex<State>
    private let time: QueueTime

    /// Creates a queue for idle places.
    ///
    /// - Parameters:
    ///   - places: The places; the last place is assigned first.
    ///   - waitingLimit: The maximum number of waiting jobs. If there is one job more, the order rejects a job.
    ///   - order: Selects the next job, and the job to reject.
    ///   - time: The clock and the timer; tests replace it.
    package init(places: [Place], waitingLimit: Int, order: Order, time: QueueTime = .system) {
        state = Mutex(State(order: order, waitingLimit: waitingLimit, idle: places))
        self.time = time
    }

    /// The numbers of running and waiting jobs.
    package var load: (running: Int, waiting: Int) { state.withLock { ($0.running.count, $0.waiting.count) } }

    /// Whether all places are taken and the queue is full.
    package var isFull: Bool { state.withLock { $0.isFull } }

    /// Returns the reason why a job would be rejected now.
    ///
    /// - Parameters:
    ///   - job: The job in the form that the order requires.
    ///   - deadline: The deadline for the job's start; nil sets no limit.
    /// - Returns: The refusal; nil if the job would be accepted.
    package func refusal(of job: Order.Job, by deadline: ContinuousClock.Instant?) -> QueueRefusal? {
        state.withLock { $0.mustWait(job) ? $0.refusal(of: job, by: deadline, at: time.now()) : nil }
    }

    /// Runs a job when it has a place.
    ///
    /// If the calling task is cancelled, a waiting job is dropped, and `cancellation` is set for a running job.
    ///
    /// - Parameters:
    ///   - job: The description of the job for the order, such as its cost.
    ///   - deadline: The deadline for the start of a job that has to wait; nil sets no limit. A free place is assigned
    ///     even after the deadline.
    ///   - cancellation: Set if the calling task is cancelled. The duration of a cancelled job is not counted.
    ///   - work: Starts the job and returns. The job calls `end` once, with its result and with whether its place can
    ///     take the next job.
    /// - Returns: The result that the job passed to `end`.
    /// - Throws: ``QueueRefusal``.
    package func run<Output: Sendable>(
        _ job: Order.Job,
        by deadline: ContinuousClock.Instant?,
        _ cancellation: Cancellation,
        _ work: @escaping @Sendable (Place, _ end: @escaping @Sendable (Output, _ keepsPlace: Bool) -> Void) -> Void
    ) async throws(QueueRefusal) -> Output {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let outcome: Result<Output, QueueRefusal> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let entry = Entry(
                    id: id,
                    job: job,
                    start: { [self] place in
                        let startedAt = time.now()
                        work(place) { [self] output, keepsPlace in
                            // Done before the caller continues, so that the place is free for the caller's next job.
                            advance { state in
                                state.end(id)
                                if !cancellation.isCancelled { state.line.estimate.note(time.now() - startedAt) }
                                if keepsPlace { state.idle.append(place) }
                            }
                            continuation.resume(returning: .success(output))
                        }
                    },
                    refuse: { continuation.resume(returning: .failure($0)) }
                )
                submit(entry, by: deadline, cancellation)
            }
        } onCancel: {
            cancellation.cancel()
            drop(id, because: .cancelled)
        }
        return try outcome.get()
    }

    /// Adds an idle place, for example after its repair.
    package func add(_ place: Place) { advance { $0.idle.append(place) } }

    /// Removes and returns idle places.
    ///
    /// While `isUnwanted` is called, no job can get one of these places.
    package func removeIdle(where isUnwanted: (Place) -> Bool) -> [Place] {
        state.withLock { state in
            let all = state.idle.map { (place: $0, isUnwanted: isUnwanted($0)) }
            state.idle = all.filter { !$0.isUnwanted }.map(\.place)
            state.countPlaces()
            return all.filter(\.isUnwanted).map(\.place)
        }
    }

    private func submit(_ entry: Entry, by deadline: ContinuousClock.Instant?, _ cancellation: Cancellation) {
        var refused: (entry: Entry, reason: QueueRefusal)?
        var isWaiting = false
        advance { state in
            // Checked while the lock of `drop` is held, so that no cancellation is missed while the job is added to the
            // queue.
            if cancellation.isCancelled {
                refused = (entry, .cancelled)
            } else if !state.mustWait(entry.job) {
                state.add(entry)
            } else if let reason = state.refusal(of: entry.job, by: deadline, at: time.now()) {
                refused = (entry, reason)
            } else {
                isWaiting = true
                if let displaced = state.append(entry) { refused = (displaced, state.busy(displaced.job)) }
            }
        }
        if let refused { refused.entry.refuse(refused.reason) }
        guard isWaiting, let deadline else { return }
        // The timer must not retain the job.
        time.call(deadline) { [weak self, id = entry.id] in self?.drop(id) }
    }

    /// Changes the state.
    ///
    /// While the lock is still held, assigns idle places to waiting jobs, so that a job that arrives later cannot take
    /// them.
    private func advance(_ change: (inout State) -> Void) {
        let started = state.withLock { state in
            change(&state)
            state.countPlaces()
            var started: [(entry: Entry, place: Place)] = []
            while let next = state.takeNext() { started.append(next) }
            return started
        }
        for next in started { next.entry.start(next.place) }
    }

    /// Rejects a job that is still waiting.
    ///
    /// Without a `reason`, it is rejected as busy.
    private func drop(_ id: UInt64, because reason: QueueRefusal? = nil) {
        let dropped: (entry: Entry, reason: QueueRefusal)? = state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return nil }
            let entry = state.remove(at: index)
            return (entry, reason ?? state.busy(entry.job))
        }
        if let dropped { dropped.entry.refuse(dropped.reason) }
    }
}
