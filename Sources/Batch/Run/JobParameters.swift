import Imaging
import Pipeline
import Requests

/// The parameters of jobs: those of the run, overridden by those of each job.
struct JobParameters: Sendable {
    private let standard: [BatchJob.Parameter]
    private let parsed: Result<FrameParameters, RowError>
    private let overlays: OverlaySet
    private let wantsPictures: Bool

    /// Parses the parameters of the run.
    init(_ configuration: BatchConfiguration) {
        standard = configuration.parameters
        overlays = configuration.overlays
        wantsPictures = configuration.target != .plans
        parsed = Self.parse(standard, overlays)
    }

    /// Why the parameters of the run cannot be used; nil if they can.
    var problem: RowError? {
        if case .failure(let error) = parsed { error } else { nil }
    }

    /// The parameters of a job.
    func parameters(of job: BatchJob) -> Result<FrameParameters, RowError> {
        guard !job.parameters.isEmpty else { return parsed }
        let own = Set(job.parameters.map(\.name))
        return Self.parse(standard.filter { !own.contains($0.name) } + job.parameters, overlays)
    }

    /// The work for a picture.
    func frameJob(_ bytes: [UInt8], _ parameters: FrameParameters) -> FrameJob {
        // The names of pictures were checked when the parameters were parsed.
        let drawn = (try? overlays.drawn(by: parameters)) ?? .init()
        return Negotiation(files: parameters, wantsPictures: wantsPictures)
            .job(source: SourceBytes(bytes), parameters: parameters, drawn: drawn)
    }

    private static let known = Parameter.all.filter { $0 != .url && $0 != .version }

    private static func parse(
        _ parameters: [BatchJob.Parameter],
        _ overlays: OverlaySet
    ) -> Result<FrameParameters, RowError> {
        do throws(ParameterErrors) {
            let parsed = try FrameParameters(parameters.map { ($0.name, $0.value) }, known: known, hints: nil)
            _ = try overlays.drawn(by: parsed)
            switch parsed.format {
            case .auto, .source, .image, .debug: break
            case .json, .focus, .html, .zip, .multipart:
                let words = (["auto", "source"] + FrameParameters.Format.images + ["debug"]).joined(separator: ", ")
                return refusal("format=\(parsed.format.word) is not valid: expected one of \(words).")
            }
            if parsed.format == .debug, parsed.options.aspects.count > 1 {
                return refusal("format=debug is for one aspect a picture.")
            }
            return .success(parsed)
        } catch {
            return refusal(error.all.map(\.sentence).joined(separator: " "))
        }
    }

    private static func refusal(_ text: String) -> Result<FrameParameters, RowError> {
        .failure(RowError("invalid-parameter", text))
    }
}
