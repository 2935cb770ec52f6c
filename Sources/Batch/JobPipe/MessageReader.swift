/// Reads messages: the lengths of header and body (4 bytes each, big-endian), a header of JSON, and a body.
package struct MessageReader: Sendable {
    /// The reason why no further message can be read.
    package enum Failure: Error, Equatable {
        /// The stream ends inside a message.
        case endsEarly
        /// The header is longer than ``PipeLimits/maxHeaderBytes``.
        case headerTooLong(Int)
    }

    /// Maximum number of bytes that are read and dropped at a time.
    private static let skippedBytes = 1 << 16

    private let source: @Sendable (UnsafeMutableRawBufferPointer) throws -> Int

    /// Creates a reader.
    ///
    /// The source reads available bytes into a buffer and returns their number; 0 at the end of the stream.
    package init(_ source: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws -> Int) { self.source = source }

    /// The header of the next message, and the length of its body; nil at the end of the stream.
    ///
    /// - Throws: A ``Failure``, or an error of the source.
    package func header() throws -> (bytes: [UInt8], bodyLength: Int)? {
        let lengths = try bytes(8)
        if lengths.isEmpty { return nil }
        guard lengths.count == 8 else { throw Failure.endsEarly }
        let length = Self.number(lengths[..<4])
        guard length <= PipeLimits.maxHeaderBytes else { throw Failure.headerTooLong(length) }
        return (try body(length), Self.number(lengths[4...]))
    }

    /// The next `count` bytes: the body of the message whose header was read.
    ///
    /// - Throws: A ``Failure``, or an error of the source.
    package func body(_ count: Int) throws -> [UInt8] {
        let bytes = try bytes(count)
        guard bytes.count == count else { throw Failure.endsEarly }
        return bytes
    }

    /// Reads a body without keeping it.
    ///
    /// - Throws: A ``Failure``, or an error of the source.
    package func skip(_ length: Int) throws {
        var rest = length
        while rest > 0 { rest -= try body(min(rest, Self.skippedBytes)).count }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    /// Reads `count` bytes; fewer only at the end of the stream.
    private func bytes(_ count: Int) throws -> [UInt8] {
        // The initialiser would write to the storage of an array without capacity, which all threads share.
        guard count > 0 else { return [] }
        return try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let all = UnsafeMutableRawBufferPointer(buffer)
            while filled < count {
                let read = try source(UnsafeMutableRawBufferPointer(rebasing: all[filled..<count]))
                if read == 0 { break }
                filled += read
            }
        }
    }
}

/// The two ends of a pipe, whose calls block.
package protocol JobStream: Sendable {
    /// Reads some bytes.
    ///
    /// - Returns: The number of bytes; 0 at the end, and after ``stop()``.
    /// - Throws: An error of the system.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int

    /// Writes all bytes.
    ///
    /// - Throws: An error of the system.
    func write(_ bytes: [UInt8]) throws

    /// Ends reading, including a read that blocks.
    func stop()

    var isStopped: Bool { get }
}
