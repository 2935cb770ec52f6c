/// The processor time that a job may take, compared with others.
package enum JobCost: Sendable {
    /// That of most jobs.
    case usual
    /// Several times that of most jobs.
    case high
}

/// First come, first served, but while other jobs wait, those of high cost get at most half of the places.
///
/// A burst of costly jobs therefore delays others by at most one costly job each. Without others, costly jobs use all
/// places.
package struct CostOrder: TurnOrder {
    package init() {}

    package func next(in line: WaitingLine<JobCost>) -> Int? {
        guard line.waiting.first == .high, line.running.count(where: { $0 == .high }) >= reserved(line) else {
            return line.waiting.indices.first
        }
        return line.waiting.firstIndex(of: .usual) ?? line.waiting.indices.first
    }

    package func displaced(by job: JobCost, in line: WaitingLine<JobCost>) -> Int? { nil }

    package func wait(of job: JobCost, in line: WaitingLine<JobCost>) -> Duration {
        guard job == .usual, (line.running + line.waiting).contains(.high) else {
            return line.estimate.wait(behind: line.waiting.count, places: line.places)
        }
        let ahead = line.waiting.count { $0 == .usual }
        return line.estimate.wait(behind: ahead, places: line.places - reserved(line))
    }

    /// The places that costly jobs may have while others wait.
    private func reserved(_ line: WaitingLine<JobCost>) -> Int { line.places / 2 }
}
