/// Limits of a pipe of jobs.
package struct PipeLimits: Sendable {
    /// The version of the protocol.
    package static let version = 1
    /// The maximum length of a message header in bytes; equal to the limit of the service's JSON objects.
    package static let maxHeaderBytes = 65_536
    /// The maximum length of a job ID in bytes.
    package static let maxIDBytes = 256

    /// The maximum number of jobs that run or wait.
    ///
    /// Further jobs are read when a job ends.
    package var inWork: Int
    /// The maximum length of a body in bytes.
    package var maxBodyBytes: Int
    /// The memory for the bodies of all jobs in progress, in bytes.
    package var maxBytesInWork = 256 << 20

    /// Limits with 256 MiB for the bodies of all jobs in progress.
    ///
    /// - Parameters:
    ///   - inWork: The maximum number of jobs that run or wait.
    ///   - maxBodyBytes: The maximum length of a body.
    package init(inWork: Int, maxBodyBytes: Int) {
        self.inWork = inWork
        self.maxBodyBytes = maxBodyBytes
    }
}
