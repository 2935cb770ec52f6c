/// Token buckets in Redis, which processes share; amounts have the meaning of `TokenBucket`, the bucket of one process.
///
/// A bucket is a key whose value is the time when the bucket is full again. One script reads and writes all buckets of
/// a call at once, by the clock of Redis, so the clocks of the processes do not matter.
package struct SharedBuckets: Sendable {
    /// A bucket after a call.
    package struct State: Hashable, Sendable {
        /// Microseconds until the bucket has the amount; 0 if it has it now.
        package let wait: Int
        /// The amount that the bucket lacks to be full, in microseconds.
        package let missing: Int
    }

    /// The maximum plausible number in a reply: more than a year, in microseconds.
    private static let maxMicroseconds = 1 << 45

    /// Takes all amounts or none; with `force`, takes every amount even if buckets go into debt.
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
    ///   - now: Replaces the clock of Redis, in microseconds; for tests.
    package init(_ store: RedisStore, capacity: Int, now: (@Sendable () -> Int)? = nil) {
        self.store = store
        self.capacity = capacity
        self.now = now
    }

    /// Takes an amount from each bucket, or nothing if any bucket contains too little.
    ///
    /// - Parameters:
    ///   - amounts: Microseconds; 0 for a bucket without a limit.
    ///   - keys: The buckets, in the same order and number.
    /// - Returns: The state of each bucket; nil if Redis did not reply in time.
    package func take(_ amounts: [Int], from keys: [String]) async -> [State]? {
        await run(amounts, keys, force: false)
    }

    /// Takes an amount from a bucket, which may go into debt.
    package func charge(_ amount: Int, to key: String) async { _ = await run([amount], [key], force: true) }

    private func run(_ amounts: [Int], _ keys: [String], force: Bool) async -> [State]? {
        let arguments = ["\(now?() ?? -1)", "\(capacity)", force ? "1" : "0"] + amounts.map { "\($0)" }
        guard let reply = await store.evaluate(Self.script, keys: keys, arguments) else { return nil }
        // Redis is not trusted: another program may have written the keys.
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
