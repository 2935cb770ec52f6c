import Admission

/// Fetches that run and fetches that wait for a slot, and which of those is next.
///
/// Next is a job whose client has the fewest slots, among those one whose host has the fewest, and among those the first
/// that came. A host or a client that has all the slots it may have is passed over, so that a slow one leaves slots free
/// for others.
struct WaitingFetches {
    /// A job that waits, and who is to get its outcome.
    struct Entry {
        let job: FetchJob
        let continuation: CheckedContinuation<FetchJob.Outcome, Never>
    }

    let limits: FetchLimits
    private(set) var entries: [Entry] = []
    private(set) var runningCount = 0
    private var running = FetchTally()
    private var waiting = FetchTally()

    init(limits: FetchLimits) { self.limits = limits }

    // MARK: Slots

    /// Whether a slot is free that the job may have.
    func canStart(_ job: FetchJob) -> Bool { runningCount < limits.slots && isBelowLimits(job) }

    mutating func start(_ job: FetchJob) {
        running.add(job)
        runningCount += 1
    }

    mutating func end(_ job: FetchJob) {
        running.remove(job)
        runningCount -= 1
    }

    /// Takes the next job off the list; nil when none may have a slot.
    mutating func takeNext() -> Entry? {
        let next = entries.indices.filter { canStart(entries[$0].job) }.min { left, right in
            (running[entries[left].job], left) < (running[entries[right].job], right)
        }
        return next.map { take(at: $0) }
    }

    // MARK: The list

    /// Puts a job on the list; where that is full, in the place of one whose client or host has more there.
    ///
    /// - Returns: Whether the job waits, and the job that does so no longer.
    mutating func add(_ entry: Entry) -> (isWaiting: Bool, displaced: Entry?) {
        var displaced: Entry?
        if entries.count >= limits.waiting {
            guard let index = place(for: entry.job) else { return (false, nil) }
            displaced = take(at: index)
        }
        entries.append(entry)
        waiting.add(entry.job)
        return (true, displaced)
    }

    /// Takes a job off the list, if it is there.
    mutating func take(_ job: FetchJob) -> Entry? {
        entries.firstIndex { $0.job === job }.map { take(at: $0) }
    }

    /// How long a job that comes now is likely to wait for its slot.
    func wait(of job: FetchJob, by estimate: TurnEstimate) -> Duration {
        let (own, queued) = (running[job], waiting[job])
        let ahead = entries.count { isBelowLimits($0.job) && running[$0.job] <= own }
        var wait = runningCount < limits.slots ? .zero : estimate.wait(behind: ahead, places: limits.slots)
        if isFull(own.host, limits.slotsPerHost) {
            wait = max(wait, estimate.wait(behind: queued.host, places: limits.slotsPerHost))
        }
        if job.client != nil, isFull(own.client, limits.slotsPerClient) {
            wait = max(wait, estimate.wait(behind: queued.client, places: limits.slotsPerClient))
        }
        return wait
    }

    /// The place of the job that is to make room, the last of the client, and of the host, that has most; nil when nobody has
    /// more than the newcomer's would have.
    private func place(for job: FetchJob) -> Int? {
        let last = entries.indices.max { left, right in
            (waiting[entries[left].job], left) < (waiting[entries[right].job], right)
        }
        guard let last else { return nil }
        let (most, own) = (waiting[entries[last].job], waiting[job])
        let hasMore = most.client > own.client + 1 || (most.client >= own.client && most.host > own.host + 1)
        return hasMore ? last : nil
    }

    private mutating func take(at index: Int) -> Entry {
        let entry = entries.remove(at: index)
        waiting.remove(entry.job)
        return entry
    }

    private func isBelowLimits(_ job: FetchJob) -> Bool {
        let (client, host) = running[job]
        return !isFull(host, limits.slotsPerHost) && (job.client == nil || !isFull(client, limits.slotsPerClient))
    }

    private func isFull(_ count: Int, _ limit: Int) -> Bool { limit > 0 && count >= limit }
}

/// How many fetches may run and wait.
struct FetchLimits {
    /// Fetches at the same time.
    var slots: Int
    /// Of one host; 0 for no limit.
    var slotsPerHost: Int
    /// For one client; 0 for no limit.
    var slotsPerClient: Int
    /// Fetches that wait.
    var waiting: Int
}

private func < (left: (FetchTally.Shares, Int), right: (FetchTally.Shares, Int)) -> Bool {
    (left.0.client, left.0.host, left.1) < (right.0.client, right.0.host, right.1)
}
