import Fetching
import Requests

/// The journal, the index and the outputs of a run: decides which rows are processed, and writes their outcomes.
struct RunLedger {
    private let configuration: BatchConfiguration
    private let journal: Journal
    private var index: RunIndex
    private let paths: TakenPaths
    private var writer: OutputWriter
    private(set) var tally = BatchTally()
    /// Whether the run stopped before all jobs were done; a later run processes the remaining jobs.
    private(set) var hasAbandoned = false

    init(_ configuration: BatchConfiguration, journal: Journal, writer: OutputWriter) {
        self.configuration = configuration
        self.journal = journal
        self.writer = writer
        index = journal.contents.index
        tally.failedBefore = configuration.retriesFailed ? 0 : journal.contents.failed
        paths = journal.contents.paths
        // Results must not replace the run's own files.
        if case .folder(let folder) = configuration.target {
            for file in configuration.files where file.hasPrefix("\(folder)/") {
                paths.take(String(file.dropFirst(folder.count + 1)))
            }
        }
    }

    var hasTooManyFailures: Bool { configuration.failureLimit.stops(tally.failed) }

    mutating func decide(_ row: InputRow, of feed: RowFeed) -> RunIndex.Decision {
        let decision = index.decide(row, retriesFailed: configuration.retriesFailed, name: feed.name)
        if case .skip = decision { tally.skipped += 1 }
        return decision
    }

    /// Writes the outcome of a row: first the results, then the line of the journal.
    ///
    /// Returns the failure, if any.
    mutating func write(_ row: InputRow, _ outcome: ImageWork.Outcome) throws -> BatchFailure? {
        guard !outcome.isAbandoned else {
            hasAbandoned = true
            return nil
        }
        var line = ResultLine(row: row.place)
        let job = try? row.job.get()
        line.key = job?.key
        for parameter in job?.parameters ?? [] {
            tally.deprecated.formUnion(DeprecatedName.used(by: parameter.name, parameter.value))
        }
        line.source = job?.source.text
        line.sha256 = outcome.sha256
        line.milliseconds = outcome.milliseconds.isEmpty ? nil : outcome.milliseconds
        line.attempts = outcome.attempts > 1 ? outcome.attempts : nil
        var plan: [UInt8]?
        do {
            let product = try outcome.result.get()
            let leftOut = try place(product, of: job)
            line.skippedMembers = leftOut.isEmpty ? nil : leftOut
            line.leftOut = line.skippedMembers
            tally.leftOut += leftOut.count
            line.outputs = product.outputs
            line.archiveBytes = writer.archiveLength
            plan = product.plan
            tally.done += 1
            if outcome.isKnown { tally.known += 1 }
        } catch let error as RowError {
            line.error = error
            line.job = job?.columns
            tally.failed += 1
        }
        tally.retries += outcome.attempts - 1
        try journal.append(line.bytes(plan: plan))
        return line.error.map { BatchFailure(row: job?.source.text ?? row.place, detail: $0.detail) }
    }

    /// Closes the outputs, and writes the list of failures.
    mutating func finish(isComplete: Bool) throws(BatchError) {
        try writer.finish(isComplete: isComplete)
        if let path = configuration.failures { try FailureList.write(to: path, from: journal.path) }
    }

    /// The protected file that a result would replace: the row's source, or a file of the run.
    ///
    /// Nil if no protected file is affected.
    private func irreplaceable(_ name: String, of job: BatchJob?) -> String? {
        guard case .folder(let folder) = configuration.target, let identity = FileIdentity("\(folder)/\(name)") else {
            return nil
        }
        if case .file(let source)? = job?.source, FileIdentity(source) == identity { return "its source" }
        return configuration.files.contains { FileIdentity($0) == identity } ? "a file of the run" : nil
    }

    /// Places the results of an image, and returns the names of members that were not copied.
    private mutating func place(_ product: ImageWork.Product, of job: BatchJob?) throws -> [String] {
        let companions = writer.archiveLength == nil ? [] : job?.companions ?? []
        let names = product.parts.map(\.name) + companions.map(\.name)
        for (number, name) in names.enumerated() {
            let problem: String? =
                if let problem = RelativePath.problem(name) {
                    "The output path \(ParameterError.shortened(name)) is not valid: \(problem)."
                } else if paths.contains(name) || names[..<number].contains(name) {
                    "Output path \(name) is already used by another row."
                } else if let file = irreplaceable(name, of: job) {
                    "The output \(name) would replace \(file)."
                } else {
                    nil
                }
            if let problem {
                writer.discard(product.parts)
                throw RowError.output(problem)
            }
        }
        let leftOut = try writer.place(product.parts, companions: companions, textOnly: product.isRedacted)
        for name in names where !leftOut.contains(name) { paths.take(name) }
        return leftOut
    }
}
