import Fetching
import Framing
import Geometry
import HTTPTypes
import Imaging
package import Pipeline

extension Problem {
    /// The problem for a failed job.
    package init(_ error: PipelineError) {
        switch error {
        case .codec(let error):
            self.init(error)
        case .backdrop(let error):
            self.init(error)
            detail = "The backdrop: \(detail)"
        case .framing(.noFace(let gravity)):
            self.init(
                .noFace,
                .unprocessableContent,
                "gravity=\(Decision(gravity)) found no face, and fallback is error."
            )
        case .framing(.emptyImage):
            self.init(.unreadableImage, .unprocessableContent, "The image has no pixels.")
        case .noSuchFace(let index, let found):
            let faces = found == 0 ? "No face was" : found == 1 ? "Only 1 face was" : "Only \(found) faces were"
            self.init(.noFace, .notFound, "\(faces) found, so there is no face \(index).")
        case .resultTooLarge(let size, let mostPixels):
            self.init(
                .tooLarge,
                .unprocessableContent,
                "The result would have \(size.width)×\(size.height) pixels; at most \(mostPixels) in all are allowed."
            )
        case .formatTooLarge(let format, let size, let mostPixels):
            self.init(
                .tooLarge,
                .unprocessableContent,
                "The result would have \(size.width)×\(size.height) pixels; at most \(mostPixels) in all are allowed in \(format.name)."
            )
        case .portraitsTooLarge(let pixels, let mostPixels):
            self.init(
                .tooLarge,
                .unprocessableContent,
                "The pictures of all faces would have \(pixels) pixels; at most \(mostPixels) are allowed. Request a smaller width."
            )
        case .regionOutside(let size):
            self.init(
                .invalidParameter,
                .badRequest,
                "The region begins beyond the picture, which has \(size.width)×\(size.height) pixels."
            )
        case .notLossless(.jpeg):
            self.init(
                .unsupportedImage,
                .unsupportedMediaType,
                "The JPEG image is turned or mirrored, and too small to be cut without loss."
            )
        case .notLossless(let format):
            self.init(
                .unsupportedImage,
                .unsupportedMediaType,
                "Only a JPEG image can be cut without loss, and this is a \(format.name) image."
            )
        case .tooMuchMemory:
            self.init(
                .tooLarge,
                .unprocessableContent,
                "The image would need more memory than this service may use for one picture."
            )
        case .tookTooLong(let limit):
            self.init(
                .tooLarge,
                .unprocessableContent,
                "The result takes more than \(Int((limit / .seconds(1)).rounded(.up))) s, the most for one picture."
            )
        case .overloaded(let retryAfter):
            self.init(.overloaded, .serviceUnavailable, "Too many requests are waiting already; try again later.")
            self.retryAfter = retryAfter
        case .sourceRefused(let retryAfter):
            let minutes = max(1, Int((retryAfter / .seconds(60)).rounded(.up)))
            self.init(
                .unreadableImage,
                .unprocessableContent,
                "The image caused a failure recently and is refused for \(minutes) min."
            )
        case .detector, .workerLost, .cancelled:
            self.init(.internalError, .internalServerError, "The picture could not be processed.")
        }
    }

    private init(_ error: CodecError) {
        switch error {
        case .unsupportedFormat, .unsupportedFeature:
            self.init(.unsupportedImage, .unsupportedMediaType, error.description)
        case .tooLarge, .tooManyBytes:
            self.init(.tooLarge, .unprocessableContent, error.description)
        default:
            self.init(.unreadableImage, .unprocessableContent, error.description)
        }
    }
}
