/// Reads a stream of bytes in pieces, through a buffer of fixed size.
package struct ByteReader {
    /// Reads available bytes into a buffer, and returns their number; 0 at the end of the stream.
    package typealias Source = (UnsafeMutableRawBufferPointer) throws -> Int

    private let source: Source
    // bounded: a constant
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var position = 0
    private var end = 0

    /// A reader of a stream from its current position.
    ///
    /// Nothing is read yet; later reads rethrow the errors of `source`.
    package init(_ source: @escaping Source) { self.source = source }

    /// The next byte, which is not consumed; nil at the end.
    package mutating func peek() throws -> UInt8? {
        if position == end {
            position = 0
            end = try buffer.withUnsafeMutableBytes { try source($0) }
        }
        return position < end ? buffer[position] : nil
    }

    /// The next byte; nil at the end.
    package mutating func next() throws -> UInt8? {
        guard let byte = try peek() else { return nil }
        position += 1
        return byte
    }

    /// Returns the available bytes, at least one; empty at the end.
    package mutating func some() throws -> ArraySlice<UInt8> {
        guard try peek() != nil else { return [] }
        defer { position = end }
        // bounded: the position is at most the end
        return buffer[position..<end]
    }

    /// Returns the bytes up to a line feed, at most `maximum`, or the remaining bytes.
    ///
    /// The line feed is consumed and not returned.
    ///
    /// - Returns: The line, and whether its line feed was found.
    package mutating func line(atMost maximum: Int) throws -> (bytes: [UInt8], isWhole: Bool) {
        var line: [UInt8] = []
        while line.count < maximum, let byte = try next() {
            if byte == 0x0A { return (line, true) }
            line.append(byte)
        }
        return (line, false)
    }

    /// Reads bytes into an array.
    ///
    /// - Returns: The number of bytes read, smaller than the array only at the end.
    package mutating func fill(_ bytes: inout [UInt8]) throws -> Int {
        var count = min(end - position, bytes.count)
        // bounded: at most the bytes that are left
        bytes.replaceSubrange(0..<count, with: buffer[position..<position + count])
        position += count
        while count < bytes.count {
            let read = try bytes.withUnsafeMutableBytes {
                try source(UnsafeMutableRawBufferPointer(rebasing: $0[count...]))
            }
            if read == 0 { break }
            count += read
        }
        return count
    }
}
