import CHiredis

/// A connection to a Redis server or a sentinel.
///
/// Calls block until their deadline at most.
///
/// hiredis serialises commands and parses replies. Replies are untrusted, so their bytes and elements are limited.
struct RedisConnection: ~Copyable {
    enum Reply {
        case bytes([UInt8])
        case nothing
        case done
        /// An error reply with its text.
        case refused(String)
        /// An array with the bytes of its first strings.
        ///
        /// Other elements are empty.
        case list([[UInt8]])
    }

    /// The maximum size of a reply in bytes, which is enough for a value of maximum size.
    static let maxReplyBytes = RedisStore.maxValueBytes + 64 << 10
    /// The maximum number of elements in an array of a reply.
    fileprivate static let maxElements: Int32 = 1024
    /// The maximum number of array elements that are returned.
    private static let maxListed = 8
    private static let chunkBytes = 32 << 10

    private let stream: RedisStream
    private let reader: UnsafeMutablePointer<redisReader>
    private let buffer: UnsafeMutableRawBufferPointer
    /// The time limit of a command.
    var timeout: Duration

    /// Creates a connection over a stream.
    init(_ stream: consuming RedisStream, timeout: Duration) throws(RedisFailure) {
        guard let reader = redisReaderCreateWithFunctions(RedisReplies.functions) else {
            throw RedisFailure(description: "out of memory")
        }
        self.stream = stream
        self.reader = reader
        self.timeout = timeout
        buffer = .allocate(byteCount: Self.chunkBytes, alignment: 16)
    }

    deinit {
        redisReaderFree(reader)
        buffer.deallocate()
    }

    /// Sends a command, which is its name and its arguments, and waits for the reply.
    ///
    /// The reply may be an error reply.
    func command(_ parts: [[UInt8]]) throws(RedisFailure) -> Reply {
        try command(parts, by: .now + timeout)
    }

    /// Sends a command with a deadline, and waits for the reply.
    func command(_ parts: [[UInt8]], by deadline: ContinuousClock.Instant) throws(RedisFailure) -> Reply {
        try send(parts, by: deadline)
        var total = 0
        while true {
            var reply: UnsafeMutableRawPointer?
            guard redisReaderGetReply(reader, &reply) == REDIS_OK else { throw readerFailure() }
            if let reply {
                defer { freeReplyObject(reply) }
                return Self.reply(reply)
            }
            let count = try stream.receive(into: buffer, by: deadline)
            total += count
            guard total <= Self.maxReplyBytes else {
                throw RedisFailure(description: "expected a reply of at most \(Self.maxReplyBytes) bytes")
            }
            let bytes = buffer.assumingMemoryBound(to: CChar.self).baseAddress
            guard redisReaderFeed(reader, bytes, count) == REDIS_OK else { throw readerFailure() }
        }
    }

    /// Sends a command and expects success.
    ///
    /// The message of an error reply starts with the command's name.
    func expect(_ parts: [String], by deadline: ContinuousClock.Instant) throws(RedisFailure) {
        if case .refused(let reason) = try command(parts.map { Array($0.utf8) }, by: deadline) {
            throw RedisFailure(description: "\(parts[0]): \(reason)")
        }
    }

    private func send(_ parts: [[UInt8]], by deadline: ContinuousClock.Instant) throws(RedisFailure) {
        let lengths = parts.map(\.count)
        var formatted: UnsafeMutablePointer<CChar>?
        let count = parts.flatMap(\.self).withUnsafeBytes { bytes -> Int32 in
            // hiredis needs a valid pointer even for an empty argument.
            guard let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress else { return -1 }
            var offset = 0
            var arguments = lengths.map { length -> UnsafePointer<CChar>? in
                defer { offset += length }
                return start + offset
            }
            return redisFormatCommandArgv(&formatted, Int32(arguments.count), &arguments, lengths)
        }
        guard count > 0, let formatted else { throw RedisFailure(description: "out of memory") }
        defer { redisFreeCommand(formatted) }
        try stream.send(UnsafeRawBufferPointer(start: formatted, count: Int(count)), by: deadline)
    }

    private static func reply(_ reply: UnsafeMutableRawPointer) -> Reply {
        let content = reply.assumingMemoryBound(to: redisReply.self).pointee
        return switch content.type {
        case REDIS_REPLY_STRING: .bytes(bytes(content))
        case REDIS_REPLY_NIL: .nothing
        case REDIS_REPLY_ERROR: .refused(RedisFailure.printable(bytes(content)))
        case REDIS_REPLY_ARRAY:
            .list((0..<min(content.elements, maxListed)).map { content.element[$0].map { bytes($0.pointee) } ?? [] })
        default: .done
        }
    }

    private static func bytes(_ reply: redisReply) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: reply.str, count: reply.str == nil ? 0 : Int(reply.len)))
    }

    private func readerFailure() -> RedisFailure {
        withUnsafeBytes(of: reader.pointee.errstr) { bytes in
            RedisFailure(description: "reply: \(RedisFailure.printable(bytes.prefix { $0 != 0 }))")
        }
    }
}

/// The functions that create replies in hiredis, with a limit on the declared number of elements.
private enum RedisReplies {
    /// The original functions of hiredis.
    private static let standard: redisReplyObjectFunctions = {
        guard let reader = redisReaderCreate() else { preconditionFailure("hiredis needs memory") }
        defer { redisReaderFree(reader) }
        return reader.pointee.fn.pointee
    }()

    /// This memory is never freed, because readers keep pointers to it.
    nonisolated(unsafe) static let functions: UnsafeMutablePointer<redisReplyObjectFunctions> = {
        let functions = UnsafeMutablePointer<redisReplyObjectFunctions>.allocate(capacity: 1)
        functions.initialize(to: standard)
        functions.pointee.createArray = { task, count in
            count <= RedisConnection.maxElements ? RedisReplies.standard.createArray(task, count) : nil
        }
        return functions
    }()
}
