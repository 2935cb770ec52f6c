import HeadroomAPI
import Imaging
import Pipeline
import Requests

/// The parameters of jobs: the parameters of the run, overridden by the parameters of each job.
struct JobParameters: Sendable {
    /// The parameters of the run, with new names.
    private let standard: [(name: String, value: String)]
    private let parsed: FrameParameters
    private let overlays: OverlaySet

    /// Parses the parameters of the run.
    init(_ configuration: BatchConfiguration) throws(BatchError) {
        let given = configuration.parameters.map { (name: $0.name, value: $0.value) }
        standard = (try? DeprecatedName.resolved(given).pairs) ?? given
        overlays = configuration.overlays
        do throws(RowError) {
            parsed = try Self.parse(given, overlays)
        } catch {
            throw BatchError(usage: error.detail)
        }
    }

    func parameters(of job: BatchJob) throws(RowError) -> FrameParameters {
        guard !job.parameters.isEmpty else { return parsed }
        let own = Set(job.parameters.map { DeprecatedName.parameter($0.name)?.new ?? $0.name })
        let pairs = job.parameters.map { (name: $0.name, value: $0.value) }
        return try Self.parse(standard.filter { !own.contains($0.name) } + pairs, overlays)
    }

    private static let known = Parameter.all.filter { ![.url, .page, .frame, .version].contains($0) }

    private static func parse(
        _ parameters: [(name: String, value: String)],
        _ overlays: OverlaySet
    ) throws(RowError) -> FrameParameters {
        let parsed: FrameParameters
        do throws(Problem) {
            parsed = try Problem.checked(FrameParameters(parameters, known: known, hints: nil))
            _ = try Problem.checked(overlays.drawn(by: parsed))
        } catch {
            throw RowError(error)
        }
        switch parsed.format {
        case .auto, .source, .image, .debug: break
        case .json, .focus, .html, .zip, .multipart, .video:
            let words = (["auto", "source"] + FrameParameters.Format.images + ["debug"]).joined(separator: ", ")
            throw .parameter("format=\(parsed.format.word) is not valid: expected one of \(words).")
        }
        if parsed.format == .debug, parsed.options.aspects.count > 1 {
            throw .parameter("format=debug is not allowed with several aspect ratios.")
        }
        return parsed
    }
}
