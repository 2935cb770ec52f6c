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

    /// Ends reading, also a read that blocks.
    func stop()

    /// Whether ``stop()`` was called.
    var isStopped: Bool { get }
}
