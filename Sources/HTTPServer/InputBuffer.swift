/// Bytes that have arrived on a connection and wait to be parsed.
struct InputBuffer {
    /// Above this many bytes the memory is given back when the buffer runs empty.
    private static let keptCapacity = 16 * 1024

    private(set) var storage: [UInt8] = []
    private(set) var start = 0
    /// How many bytes from `start` are known to hold no LF, so that a slow line is not searched again and again.
    private var searched = 0

    var count: Int { storage.count - start }
    var isEmpty: Bool { start == storage.count }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        // Moving the rest forward is cheap when most has been consumed, and keeps the buffer from growing for ever.
        if start > storage.count / 2 {
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

    /// Moves up to `limit` bytes to the end of `body`, and returns how many.
    mutating func move(upTo limit: Int, to body: inout [UInt8]) -> Int {
        let taken = min(limit, count)
        body.append(contentsOf: storage[start..<start + taken])
        consume(taken)
        return taken
    }

    /// The length of the first line without its CRLF, or nil while its end has not arrived.
    ///
    /// A recipient may take a bare LF as a line's end (RFC 9112 §2.2); this one does not, because a proxy in front may
    /// see it otherwise.
    ///
    /// - Parameters:
    ///   - limit: The longest line allowed, in bytes without CRLF.
    ///   - tooLong: What to throw for a longer one.
    /// - Returns: The length in bytes; the line begins at `start`.
    /// - Throws: `tooLong`, or ``RequestError/bareLineFeed``.
    mutating func lineLength(
        atMost limit: Int,
        tooLong: @autoclosure () -> RequestError
    ) throws(RequestError) -> Int? {
        let end = min(storage.count, start + limit + 2)
        var index = start + searched
        while index < end {
            if storage[index] == .lineFeed {
                guard index > start, storage[index - 1] == .carriageReturn else { throw .bareLineFeed }
                return index - 1 - start
            }
            index += 1
        }
        searched = index - start
        guard searched < limit + 2 else { throw tooLong() }
        return nil
    }
}
