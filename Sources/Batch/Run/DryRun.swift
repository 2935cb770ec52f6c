import Geometry
import Imaging
import Pipeline
import Requests

/// Lists what a run would do.
package struct DryRun {
    /// Counts of rows: to be done, done by an earlier run, refused.
    package struct Summary: Sendable, Equatable {
        package var jobs = 0
        package var done = 0
        package var problems = 0
    }

    private let configuration: BatchConfiguration

    package init(_ configuration: BatchConfiguration) { self.configuration = configuration }

    /// Calls `line` for each row that would be done or refused.
    ///
    /// The fields of a line contain text from the inputs, which may have control characters: key, source and results of
    /// a job; or `refused`, the row, and type and detail of its error.
    package func run(
        _ inputs: BatchInputs,
        line: ([String]) throws -> Void
    ) throws -> Summary {
        let parameters = JobParameters(configuration)
        if let problem = parameters.problem { throw BatchError(usage: problem.detail) }
        var index = RunIndex()
        if !configuration.restarts {
            let contents = try Journal.contents(of: configuration.results, settings: configuration.settingsDigest)
            index = contents.index
        }
        var inputs = inputs
        var summary = Summary()
        while let row = try inputs.next() {
            let decision = index.decide(row, retriesFailed: configuration.retriesFailed) { input, number in
                inputs.name(input: input, number: number)
            }
            switch decision {
            case .skip: summary.done += 1
            case .fail(let error):
                summary.problems += 1
                try line(["refused", row.place, error.type, error.detail])
            case .work(let job):
                switch outputs(of: job, parameters) {
                case .failure(let error):
                    summary.problems += 1
                    try line(["refused", row.place, error.type, error.detail])
                case .success(let paths):
                    summary.jobs += 1
                    try line([job.key, job.source.text, paths.joined(separator: " ")])
                }
            }
        }
        return summary
    }

    /// The paths of a job's results; the format of some is known only when the picture is read.
    private func outputs(of job: BatchJob, _ parameters: JobParameters) -> Result<[String], RowError> {
        guard configuration.target != .plans else { return .success([]) }
        return parameters.parameters(of: job).map { parameters in
            let aspects = parameters.options.aspects
            let name =
                configuration.name
                ?? .standard(isArchive: configuration.target.isArchive, hasSeveral: aspects.count > 1)
            var format: ImageFormat?
            if case .image(let image) = parameters.format { format = image }
            return aspects.map { name.path(key: job.key, aspect: $0?.text ?? "own", format: format) }
        }
    }
}
