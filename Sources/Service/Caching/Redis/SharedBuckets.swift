/// Token buckets in Redis that processes share.
///
/// Amounts have the same meaning as in `TokenBucket`, the bucket of one process.
///
/// Each bucket is a key whose value is the time when the bucket will be full again. One script reads and writes all
/// buckets of a call atomically. It uses the clock of Redis, so the clocks of the processes do not matter.
package struct SharedBuckets: Sendable {
    /// The state of a bucket after a call.
    package struct State: Hashable, Sendable {
        /// The time in microseconds until the bucket contains the amount; 0 if it contains the amount now.
        package let wait: Int
        /// The amount that is missing until the bucket is full, in microseconds.
        package let missing: Int
    }

    /// The maximum plausible number in a reply, in microseconds; it is more than a year.
    private static let maxMicroseconds = 1 << 45

    /// Takes all amounts or none.
    ///
    /// With `force`, takes every amount, even if buckets then have a debt.
    private static let script = """
        local now = tonumber(ARGV[1])
        if now < 0 then
          local time = redis.call('TIME')
          now = tonumber(time[1]) * 1000000 + tonumber(time[2])
        end
        local capacity, force = tonumber(ARGV[2]), ARGV[3] == '1'
        local full, waits, admitted = {}, {}, true
        for i, key in ipairs(KEYS) do
          full[i] = math.max(now, tonumber(redis.call('GET', key) or '0') or 0)
          local amount = tonumber(ARGV[3 + i])
          waits[i] = 0
          if amount > 0 and not force then
            waits[i] = math.max(0, full[i] + math.min(amount, capacity) - now - capacity)
          end
          if waits[i] > 0 then admitted = false end
        end
        local reply = {}
        for i, key in ipairs(KEYS) do
          local amount = tonumber(ARGV[3 + i])
          if admitted and amount > 0 then
            full[i] = full[i] + amount
            local life = math.ceil((full[i] - now) / 1000) + 1000
            redis.call('SET', key, string.format('%.0f', full[i]), 'PX', string.format('%.0f', life))
          end
          reply[#reply + 1] = string.format('%.0f', waits[i])
          reply[#reply + 1] = string.format('%.0f', full[i] - now)
        end
        return table.concat(reply, ' ')
        """

    private let store: RedisStore
    private let capacity: Int
    private let now: (@Sendable () -> Int)?

    /// Creates buckets in a store.
    ///
    /// - Parameters:
    ///   - store: The Redis store.
    ///   - capacity: The content of a full bucket, in microseconds.
    ///   - now: Replaces the clock of Redis, in microseconds; used by tests.
    package init(_ store: RedisStore, capacity: Int, now: (@Sendable () -> Int)? = nil) {
        self.store = store
        self.capacity = capacity
        self.now = now
    }

    /// Takes an amount from each bucket.
    ///
    /// Takes nothing if any bucket does not contain enough.
    ///
    /// - Parameters:
    ///   - amounts: Amounts in microseconds; 0 for a bucket without a limit.
    ///   - keys: The keys of the buckets, in the same order as the amounts.
    /// - Returns: The state of each bucket; nil if Redis did not reply in time.
    package func take(_ amounts: [Int], from keys: [String]) async -> [State]? {
        await run(amounts, keys, force: false)
    }

    /// Takes an amount from a bucket, even if the bucket then has a debt.
    package func charge(_ amount: Int, to key: String) async { _ = await run([amount], [key], force: true) }

    private func run(_ amounts: [Int], _ keys: [String], force: Bool) async -> [State]? {
        let arguments = ["\(now?() ?? -1)", "\(capacity)", force ? "1" : "0"] + amounts.map { "\($0)" }
        guard let reply = await store.evaluate(Self.script, keys: keys, arguments) else { return nil }
        // Redis is untrusted, because another program may have written the keys.
        let numbers = String(decoding: reply.prefix(200), as: UTF8.self).split(separator: " ").map { Int($0) }
        guard numbers.count == 2 * keys.count else { return nil }
        var states: [State] = []
        for index in stride(from: 0, to: numbers.count, by: 2) {
            guard let wait = numbers[index], let missing = numbers[index + 1],
                (0...Self.maxMicroseconds).contains(wait), (0...Self.maxMicroseconds).contains(missing)
            else { return nil }
            states.append(State(wait: wait, missing: missing))
        }
        return states
    }
}
