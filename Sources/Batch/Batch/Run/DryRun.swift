import Geometry
import Imaging
import Pipeline
import Requests

/// Lists the actions of a run without running it.
package struct DryRun {
    /// The numbers of rows to process, rows that an earlier run has finished, and rejected rows.
    package struct Summary: Sendable, Equatable {
        package var jobs = 0
        package var done = 0
        package var problems = 0
    }

    private let configuration: BatchConfiguration

    /// A dry run with the settings of a run; it reads the journal and writes nothing.
    package init(_ configuration: BatchConfiguration) { self.configuration = configuration }

    /// Calls `line` for each row that would be processed or rejected.
    ///
    /// The fields of a line are the key, source and results of a job; or `refused`, the row, and the type and detail of
    /// its error. They contain text from the inputs, which may include control characters.
    package func run(_ inputs: BatchInputs, line: ([String]) throws -> Void) throws -> Summary {
        let parameters = try JobParameters(configuration)
        let settings = configuration.settingsDigest
        let earlier = configuration.restarts ? nil : try Journal.contents(of: configuration.results, settings: settings)
        var index = earlier?.index ?? RunIndex()
        var inputs = inputs
        var summary = Summary()
        while let row = try inputs.next() {
            do {
                switch index.decide(row, retriesFailed: configuration.retriesFailed, name: inputs.name) {
                case .skip: summary.done += 1
                case .fail(let error): throw error
                case .work(let job):
                    let paths = try outputs(of: job, parameters)
                    summary.jobs += 1
                    try line([job.key, job.source.text, paths.joined(separator: " ")])
                }
            } catch let error as RowError {
                summary.problems += 1
                try line(["refused", row.place, error.type, error.detail])
            }
        }
        return summary
    }

    /// Returns the paths of the outputs of a job.
    ///
    /// If the output format depends on the image, the paths contain `{format}`.
    private func outputs(of job: BatchJob, _ parameters: JobParameters) throws(RowError) -> [String] {
        guard configuration.target != .plans else { return [] }
        let parameters = try parameters.parameters(of: job)
        let aspects = parameters.options.aspects
        let name = configuration.outputName(hasSeveral: aspects.count > 1)
        let format: OutputFormat? = if case .image(let image) = parameters.format { image } else { nil }
        return aspects.map { name.path(key: job.key, aspect: $0?.text ?? "own", format: format) }
    }
}
