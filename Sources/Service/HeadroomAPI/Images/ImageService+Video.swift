import Admission
import Fetching
import HTTPTypes
import Imaging
import Pipeline
import Requests
import Workers

extension ImageService {
    /// Throws the problem of a request for a video whose format has no converter.
    func checkVideo(of request: ImageRequest) throws(Problem) {
        guard let format = request.negotiation.video, converters.byVideoFormat[format] == nil else { return }
        throw Problem(
            .unsupportedImage,
            .unsupportedMediaType,
            "format=\(format.rawValue) requires a program that writes \(format.name) videos. The operator can add it: the "
                + "entry \(format.rawValue) of output in the setting converters."
        )
    }

    /// Returns the encoding of the frames of a job; nil if the request is not for a video.
    ///
    /// - Throws: A ``Problem`` if the same encoding recently exceeded a limit.
    func videoEncoding(of job: FrameJob, _ request: ImageRequest) throws(ResultCache.Failure) -> VideoEncoding? {
        guard let format = request.negotiation.video, let encoding = VideoEncoding(format, of: job, converters) else {
            return nil
        }
        do throws(ConversionFailure) {
            try workers.checkQuarantine(of: encoding)
        } catch {
            throw .init(problem: Problem(error, of: encoding), failure: nil)
        }
        return encoding
    }

    /// Replaces the frames in a result by their video.
    ///
    /// - Parameters:
    ///   - encoding: The encoding without its frames; nil if the request is not for a video.
    ///   - result: The result of the job that renders the frames.
    ///   - request: The request.
    /// - Returns: The failure; nil after success, and without an encoding.
    func failure(
        of encoding: VideoEncoding?,
        _ result: inout FrameResult,
        _ request: ImageRequest
    ) async -> ResultCache.Failure? {
        guard var encoding, let image = result.image else { return nil }
        encoding.frames = SourceBytes(image.bytes)
        // Lossless frames are many times as large as other results.
        let budget = caches.fetcher.budget
        guard image.bytes.count <= budget.limit / 2 else {
            let sizes = "with \(image.bytes.count) bytes without loss, exceed the limit of \(budget.limit / 2) bytes"
            let detail = "The frames of the video, \(sizes). Request a smaller width."
            return .init(problem: Problem(.tooLarge, .unprocessableContent, detail), failure: nil)
        }
        guard let share = budget.take(image.bytes.count, for: request.client) else {
            let error = FetchError.overBudget(limit: budget.limit)
            return .init(problem: Problem(error), failure: "\(error)")
        }
        defer { withExtendedLifetime(share) {} }
        let start = ContinuousClock.now
        let bytes: [UInt8]
        do throws(ConversionFailure) {
            bytes = try await workers.convert(encoding, by: laterDeadline, request.limits)
        } catch {
            return .init(problem: Problem(error, of: encoding), failure: error.log)
        }
        result.images = [image.encoded(as: encoding.format, bytes)]
        result.times.encode += .now - start
        return nil
    }
}

extension Problem {
    /// Creates the problem of a failed encoding of a video.
    ///
    /// The program reads frames that the service has rendered, so its failures are failures of the service.
    fileprivate init(_ failure: ConversionFailure, of encoding: VideoEncoding) {
        let name = encoding.format.name
        switch failure {
        case .rejected(let error): self.init(error)
        case .notStarted, .failed, .invalidOutput, .tooManyPixels:
            self.init(.internalError, .internalServerError, "The \(name) video could not be encoded.")
        default: self.init(failure, limiting: "encoding", of: "\(name) video")
        }
    }
}
