import FramePipeline
import ImageCodec

/// What an answer is written as: what the `format` parameter says, else what `Accept` asks for.
struct Negotiation {
    /// The two shapes of an answer.
    enum Shape: Hashable {
        case image(ImageFormat?)
        case document
    }

    let answer: Shape
    /// Whether another `Accept` could have had another answer, which caches must know.
    let dependsOnAccept: Bool

    private let accepted: [ImageFormat]

    init(_ format: FrameParameters.Format, accept: String?, route: Route) {
        let header = AcceptHeader(accept)
        accepted = header.imageFormats
        switch (route, format) {
        case (.faces, _), (_, .json):
            answer = .document
            dependsOnAccept = false
        case (_, .image(let format)):
            answer = .image(format)
            dependsOnAccept = false
        case (_, .auto):
            answer = header.prefersJSON ? .document : .image(nil)
            dependsOnAccept = true
        }
    }

    /// The job that gives this answer.
    func job(source: [UInt8], parameters: FrameParameters, route: Route) -> FrameJob {
        let result: FrameJob.Answer
        switch (answer, route) {
        case (.document, .face(let index)):
            result = .facePlan(index: index)
        case (.document, _):
            result = .plan
        case (.image(let format), .face(let index)):
            result = .face(index: index, output(format, parameters))
        case (.image(let format), _):
            result = .image(output(format, parameters))
        }
        var job = FrameJob(source: source, answer: result)
        job.aspects = parameters.aspects
        job.framing = parameters.framing
        job.resultSize = parameters.resultSize
        job.accuracy = parameters.accuracy
        return job
    }

    private func output(_ format: ImageFormat?, _ parameters: FrameParameters) -> ImageOutput {
        ImageOutput(format: format, accepted: accepted, quality: parameters.quality)
    }
}
