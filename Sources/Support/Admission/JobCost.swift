/// The processor time that a job may take, compared with others.
package enum JobCost: Sendable {
    /// That of most jobs.
    case usual
    /// Several times that of most jobs.
    case high
}
