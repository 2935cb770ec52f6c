import Admission
package import Caching
import Glibc
import HTTPTypes
import Requests
import Synchronization

/// The usage of tenants: their token buckets and counters, in this process and in Redis.
///
/// Each request of a tenant with a limit takes an amount from the buckets of this process. With Redis, it also takes
/// this amount from the shared buckets, and only the shared buckets decide. While Redis does not reply, the buckets of
/// this process decide, starting from the last shared state.
package final class TenantLedger: Sendable {
    private struct Account {
        var requests = TokenBucket()
        var processor = TokenBucket()
        var usage: Usage
    }

    /// The usage of one tenant since the process started.
    package struct Usage: Sendable {
        /// The tenant's name.
        package let tenant: String
        /// Admitted requests.
        package fileprivate(set) var admitted = 0
        /// Rejected requests, by limit.
        package fileprivate(set) var refused: [TenantRefusal.Limit: Int] = [:]
        /// Processor time of jobs.
        package fileprivate(set) var processorTime = Duration.zero
    }

    /// The minimum content of a processor-time bucket for a request to be admitted, in microseconds.
    ///
    /// The processor time of a request is not known until it ends.
    private static let minProcessorAmount = 1

    private let shared: SharedBuckets?
    private let now: @Sendable () -> Int
    private let accounts = Mutex<[String: Account]>([:])

    /// Creates a ledger without entries.
    ///
    /// - Parameters:
    ///   - shared: The buckets in Redis; nil without Redis.
    ///   - now: The clock of this process's buckets, in microseconds; tests replace it.
    package init(shared: SharedBuckets? = nil, now: @escaping @Sendable () -> Int = TenantLedger.monotonicTime) {
        self.shared = shared
        self.now = now
    }

    /// The system's monotonic clock, in microseconds.
    @Sendable package static func monotonicTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
    }

    /// Removes the entries of tenants that no longer exist, and adds entries for new ones.
    package func keep(_ tenants: TenantSet) {
        let names = Set(tenants.all.map(\.name))
        accounts.withLock { accounts in
            accounts = accounts.filter { names.contains($0.key) }
            // Each series starts at 0, because Prometheus does not count the first increment of a new series.
            for name in names where accounts[name] == nil { accounts[name] = Account(usage: Usage(tenant: name)) }
        }
    }

    /// Takes one request from the tenant's buckets.
    ///
    /// - Returns: The limit that was reached; nil if the request is admitted.
    package func admit(_ tenant: Tenant) async -> TenantRefusal? {
        var refusal = take(tenant)
        if let shared, tenant.requestAmount != nil || tenant.processorLimit != nil {
            let amounts = [tenant.requestAmount ?? 0, tenant.processorLimit == nil ? 0 : Self.minProcessorAmount]
            if let buckets = await shared.take(amounts, from: Self.keys(tenant)), buckets.count == 2 {
                adopt(buckets, tenant)
                refusal = Self.refusal(buckets[0].wait, buckets[1].wait)
            }
        }
        let outcome = refusal
        update(tenant) { account in
            if let outcome {
                account.usage.refused[outcome.limit, default: 0] += 1
            } else {
                account.usage.admitted += 1
            }
        }
        return refusal
    }

    /// Returns the limit that a request would reach according to the buckets of this process.
    ///
    /// Does not change the buckets.
    package func refusal(of tenant: Tenant) -> TenantRefusal? {
        let now = now()
        return accounts.withLock { $0[tenant.name].flatMap { Self.refusal(of: $0, tenant, now) } }
    }

    /// Returns the time until a tenant may use more processor time, according to the buckets of this process; nil if it
    /// may use processor time now.
    package func processorPause(of tenant: Tenant) -> Duration? {
        guard tenant.processorLimit != nil else { return nil }
        let now = now()
        let wait = accounts.withLock { accounts in
            accounts[tenant.name]?.processor.wait(for: Self.minProcessorAmount, at: now) ?? 0
        }
        return wait > 0 ? .microseconds(wait) : nil
    }

    /// Charges processor time to a tenant.
    ///
    /// The buckets in Redis are updated in the background.
    package func charge(_ time: Duration, to tenant: Tenant) {
        let now = now()
        let amount = tenant.processorLimit.map { TokenBucket.amount(of: time, in: $0) }
        update(tenant) { account in
            account.usage.processorTime += time
            if let amount { account.processor.take(amount, at: now) }
        }
        guard let shared, let amount else { return }
        // bounded: there are two keys
        Task { await shared.charge(amount, to: Self.keys(tenant)[1]) }
    }

    /// The usage of each tenant, sorted by name.
    package var usage: [Usage] { accounts.withLock(\.self).values.map(\.usage).sorted { $0.tenant < $1.tenant } }

    private func update<Result>(_ tenant: Tenant, _ change: (inout Account) -> Result) -> Result {
        accounts.withLock { change(&$0[tenant.name, default: Account(usage: Usage(tenant: tenant.name))]) }
    }

    private func take(_ tenant: Tenant) -> TenantRefusal? {
        let now = now()
        return update(tenant) { account in
            if let refusal = Self.refusal(of: account, tenant, now) { return refusal }
            account.requests.take(tenant.requestAmount ?? 0, at: now)
            return nil
        }
    }

    private static func refusal(of account: Account, _ tenant: Tenant, _ now: Int) -> TenantRefusal? {
        refusal(
            tenant.requestAmount.map { account.requests.wait(for: $0, at: now) } ?? 0,
            tenant.processorLimit == nil ? 0 : account.processor.wait(for: minProcessorAmount, at: now)
        )
    }

    /// Returns the limit with the longer wait; waits are in microseconds, 0 for no wait.
    private static func refusal(_ requests: Int, _ processor: Int) -> TenantRefusal? {
        guard requests > 0 || processor > 0 else { return nil }
        return requests >= processor
            ? TenantRefusal(limit: .requests, wait: .microseconds(requests))
            : TenantRefusal(limit: .processor, wait: .microseconds(processor))
    }

    /// Sets the buckets of this process to the state of the shared buckets.
    private func adopt(_ buckets: [SharedBuckets.State], _ tenant: Tenant) {
        let now = now()
        update(tenant) { account in
            // bounded: there are two buckets
            account.requests.fullAt = now + buckets[0].missing
            // bounded: there are two buckets
            account.processor.fullAt = now + buckets[1].missing
        }
    }

    private static func keys(_ tenant: Tenant) -> [String] {
        ["tenant:{\(tenant.name)}:requests", "tenant:{\(tenant.name)}:processor"]
    }
}

/// A tenant's limit that is currently reached.
package struct TenantRefusal: Hashable, Sendable {
    /// The limits that refill over time; the raw values are the labels of metrics.
    package enum Limit: String, CaseIterable, Sendable {
        case requests, processor
    }

    package let limit: Limit
    /// The time until a request may be admitted.
    package let wait: Duration

    /// Creates the refusal of a request.
    ///
    /// - Parameters:
    ///   - limit: The limit that is reached; if both are reached, the limit with the longer wait.
    ///   - wait: The time until a request may be admitted.
    package init(limit: Limit, wait: Duration) {
        self.limit = limit
        self.wait = wait
    }
}
