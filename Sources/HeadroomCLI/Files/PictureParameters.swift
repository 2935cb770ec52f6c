import FramePipeline
import HeadroomAPI

/// The HTTP parameters as the command line uses them: the same words, checked by the same rules.
struct PictureParameters {
    private let parameters: FrameParameters

    /// Reads names and values.
    ///
    /// - Throws: A ``CommandFailure`` that names every wrong value.
    init(_ pairs: [(name: String, value: String)]) throws(CommandFailure) {
        do {
            parameters = try FrameParameters(pairs, known: ParameterName.allCases)
        } catch {
            throw CommandFailure(error.all.map { "--\($0.sentence)" }.joined(separator: "\n"))
        }
    }

    /// Refuses what only a plan can answer.
    func checked(forImage wantsImage: Bool) throws(CommandFailure) -> PictureParameters {
        if wantsImage, parameters.aspects.count > 1 {
            throw CommandFailure("--aspect with several shapes needs --json")
        }
        if wantsImage, parameters.format == .json { throw CommandFailure("--format json: use --json") }
        return self
    }

    /// The job for one picture.
    func job(source: [UInt8], wantsPlan: Bool) -> FrameJob {
        var output = ImageOutput(quality: parameters.quality)
        if case .image(let format) = parameters.format { output.format = format }
        var job = FrameJob(source: source, answer: wantsPlan ? .plan : .image(output))
        job.aspects = parameters.aspects
        job.framing = parameters.framing
        job.resultSize = parameters.resultSize
        job.accuracy = parameters.accuracy
        job.smallestFace = parameters.smallestFace
        return job
    }
}
