/// The bytes of a connection that have been received but not parsed.
struct InputBuffer {
    /// The maximum capacity that an empty buffer keeps; a larger buffer is deallocated when it becomes empty.
    private static let keptCapacity = 16 * 1024

    private(set) var storage: [UInt8] = []
    private(set) var start = 0
    /// The number of bytes from `start` that were already searched for LF, so that a line that arrives slowly is not
    /// searched repeatedly.
    private var searched = 0

    var count: Int { storage.count - start }
    var isEmpty: Bool { start == storage.count }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        // Compacting is cheap when most bytes have been consumed, and it limits the buffer's growth.
        if start > storage.count / 2 {
            // bounded: consumed bytes are in the buffer
            storage.removeFirst(start)
            start = 0
        }
        storage.append(contentsOf: bytes)
    }

    mutating func consume(_ count: Int) {
        start += count
        searched = 0
        guard start == storage.count else { return }
        start = 0
        if storage.capacity > Self.keptCapacity {
            storage = []
        } else {
            storage.removeAll(keepingCapacity: true)
        }
    }

    mutating func removeAll() { consume(count) }

    /// Moves up to `limit` bytes to the end of `body`.
    ///
    /// Returns the number of bytes moved.
    mutating func move(upTo limit: Int, to body: inout [UInt8]) -> Int {
        let taken = min(limit, count)
        // bounded: at most the remaining bytes
        body.append(contentsOf: storage[start..<start + taken])
        consume(taken)
        return taken
    }

    /// Returns the length, in bytes, of the first line, from `start` to its CRLF; nil until the line is complete.
    ///
    /// RFC 9112 §2.2 allows a recipient to accept a bare LF as a line end. This parser rejects it, because a proxy in
    /// front of the server may interpret it differently.
    ///
    /// - Throws: `tooLong` for more than `limit` bytes, or ``RequestError/bareLineFeed``.
    mutating func lineLength(atMost limit: Int, tooLong: @autoclosure () -> RequestError) throws(RequestError) -> Int? {
        let end = count - 2 > limit ? start + limit + 2 : storage.count
        var index = start + searched
        while index < end {
            if storage[index] == .lineFeed {
                guard index > start, storage[index - 1] == .carriageReturn else { throw .bareLineFeed }
                return index - 1 - start
            }
            index += 1
        }
        searched = index - start
        guard searched - 2 < limit else { throw tooLong() }
        return nil
    }
}
