/// The processor time that a job may take, relative to other jobs.
package enum JobCost: Sendable {
    /// The time of most jobs.
    case usual
    /// Several times the time of most jobs.
    case high
}
