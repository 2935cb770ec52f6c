/// Limits of a pipe of jobs.
package struct PipeLimits: Sendable {
    /// The version of the protocol.
    package static let version = 1
    /// The longest header of a message in bytes; the limit of the service's JSON objects.
    package static let maxHeaderBytes = 65_536
    /// The longest ID of a job in bytes.
    package static let maxIDBytes = 256

    /// Jobs that run or wait; the next one is not read.
    package var inWork: Int
    /// The longest body in bytes.
    package var maxBodyBytes: Int
    /// The memory of all bodies in work, in bytes.
    package var maxBytesInWork = 256 << 20

    /// Limits with 256 MiB for all bodies in work.
    ///
    /// - Parameters:
    ///   - inWork: Jobs that run or wait; the next one is not read.
    ///   - maxBodyBytes: The longest body.
    package init(inWork: Int, maxBodyBytes: Int) {
        self.inWork = inWork
        self.maxBodyBytes = maxBodyBytes
    }
}
