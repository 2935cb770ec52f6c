/// Purges in all caches that share a Redis server.
///
/// A purge deletes keys in Redis and makes an announcement that every process reads.
///
/// Announcements are tags in a sorted set, with times by the clock of Redis. Processes of all versions share this set.
/// Each tag is removed after a day, when no value that was cached at that time exists any more.
package struct SharedPurges: Sendable {
    /// New announcements, with the time of reading them in milliseconds by the clock of Redis.
    package struct News: Hashable, Sendable {
        /// The announced tags.
        package let tags: [String]
        /// The value of `since` in the next call.
        package let time: Int
    }

    /// The prefix of all keys of all versions.
    private static let root = "headroom:"
    private static let key = root + "purges"
    /// The lifetime of an announcement, in milliseconds.
    private static let lifetime = 86_400_000
    /// The maximum number of steps that delete keys.
    ///
    /// Each step scans about 1000 keys.
    private static let maxSteps = 1_000_000

    private static let clock = """
        local clock = redis.call('TIME')
        local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
        """

    private static let announcing =
        clock + """

            redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[1])
            redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - tonumber(ARGV[2])))
            redis.call('PEXPIRE', KEYS[1], ARGV[2])
            return 'announced'
            """

    private static let reading =
        clock + """

            local tags = {}
            if tonumber(ARGV[1]) >= 0 then tags = redis.call('ZRANGEBYSCORE', KEYS[1], ARGV[1], '+inf', 'LIMIT', 0, 10000) end
            return string.format('%.0f', now) .. ' ' .. table.concat(tags, ' ')
            """

    private static let deleting = """
        local reply = redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', 1000)
        for _, key in ipairs(reply[2]) do redis.call('DEL', key) end
        return reply[1] .. ' ' .. #reply[2]
        """

    private let store: RedisStore

    /// Creates the purges for a store.
    package init(_ store: RedisStore) { self.store = store }

    /// Announces a tag to all processes.
    ///
    /// - Parameter tag: Letters, digits and hyphens.
    /// - Returns: Whether Redis was available.
    package func announce(_ tag: String) async -> Bool {
        await store.runAfterWrites(Self.announcing, keys: [Self.key], [tag, "\(Self.lifetime)"]) != nil
    }

    /// Returns the announcements since a given time; nil if Redis is unavailable.
    ///
    /// - Parameter since: The time of the previous call's result. With nil, only the current time is returned.
    /// - Returns: At most 10,000 announcements, oldest first.
    package func news(since: Int?) async -> News? {
        guard let reply = await store.runAfterWrites(Self.reading, keys: [Self.key], ["\(since ?? -1)"]) else {
            return nil
        }
        // Redis is untrusted, so the caller checks the tags.
        let words = reply.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard let time = words.first.flatMap({ Int($0) }), time >= 0 else { return nil }
        return News(tags: Array(words.dropFirst()), time: time)
    }

    /// Deletes all keys that contain a word, for all versions.
    ///
    /// - Parameter word: Letters, digits and hyphens.
    /// - Returns: The number of deleted keys; nil if Redis is unavailable.
    package func deleteKeys(containing word: String) async -> Int? {
        var (cursor, count) = ("0", 0)
        for _ in 0..<Self.maxSteps {
            let arguments = [cursor, "\(Self.root)*\(word)*"]
            guard let reply = await store.runAfterWrites(Self.deleting, keys: [], arguments) else { return nil }
            let words = reply.prefix(100).split(separator: UInt8(ascii: " ")).map {
                String(decoding: $0, as: UTF8.self)
            }
            guard words.count == 2, let next = UInt64(words[0]), let deleted = Int(words[1]), 0...1_000_000 ~= deleted
            else { return nil }
            count += deleted
            if next == 0 { return count }
            cursor = "\(next)"
        }
        return count
    }
}
