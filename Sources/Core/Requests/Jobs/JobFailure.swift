import Framing
import Geometry
import Imaging
package import Pipeline

/// The reason why a job failed, for its caller: without causes for the log, such as the text of a detector.
package struct JobFailure: Sendable {
    /// Every kind of failure.
    package enum Kind: Sendable {
        /// A parameter does not fit the image.
        case invalidParameter
        case unsupportedImage
        /// A video requires an animation; the image is still.
        case stillImage
        case unreadableImage
        case tooLarge
        /// No face was found, and the fallback is an error.
        case noFace
        /// Fewer faces were found than the requested number.
        case noSuchFace
        /// Too many jobs are waiting.
        case overloaded
        case internalError
    }

    package let kind: Kind
    /// One or more sentences.
    package let detail: String

    private init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    /// Describes the error of a job.
    package init(_ error: PipelineError) {
        self =
            switch error {
            case .codec(let error): JobFailure(error)
            case .backdrop(let error): JobFailure(error, beginning: "The backdrop: ")
            case .framing(.noFace(let gravity)):
                JobFailure(
                    .noFace,
                    "\(Self.missing(gravity)) found for gravity=\(Decision(gravity)) (fallback=error)."
                )
            case .framing(.emptyImage): .unreadable("The image has no pixels.")
            case .noSuchFace(let index, let found):
                JobFailure(.noSuchFace, "Face \(index) does not exist: \(Self.faces(found)) found.")
            case .resultTooLarge(let size, let maxPixels):
                .tooLarge("\(Self.result(size)) exceeds the limit of \(maxPixels) pixels.")
            case .formatTooLarge(let format, let size, let maxPixels):
                .tooLarge("\(Self.result(size)) exceeds the limit of \(maxPixels) pixels for \(format.name).")
            case .portraitsTooLarge(let pixels, let maxPixels):
                .tooLarge(
                    "The images of all faces, with \(pixels) pixels in total, exceed the limit of \(maxPixels) pixels. "
                        + "Request a smaller width."
                )
            case .regionOutside(let size):
                JobFailure(
                    .invalidParameter,
                    "The region starts outside the image of \(size.width)×\(size.height) pixels."
                )
            case .notLossless(.jpeg):
                .unsupported("This rotated or mirrored JPEG is too small for losslessCrop=true.")
            case .notLossless(let format):
                .unsupported("losslessCrop=true requires a JPEG image; received \(format.name).")
            case .noVideo(let obstacle): JobFailure(obstacle)
            case .tooMuchMemory:
                .tooLarge(
                    "Processing this image needs more memory than the service allows for one image. Request a smaller "
                        + "width, or send a smaller image."
                )
            case .tookTooLong(let limit):
                .tooLarge(
                    "Processing took longer than \(Int((limit / .seconds(1)).rounded(.up))) s, the limit for one image."
                )
            case .overloaded: JobFailure(.overloaded, "Too many requests are waiting; retry later.")
            case .sourceRefused(let retryAfter):
                .unreadable(
                    "This image crashed a worker or exceeded the time limit, and is rejected for another "
                        + "\(max(1, Int((retryAfter / .seconds(60)).rounded(.up)))) min."
                )
            case .detector, .workerLost, .cancelled:
                JobFailure(.internalError, "The image could not be processed.")
            }
    }

    private init(_ obstacle: VideoObstacle) {
        self =
            switch obstacle {
            case .still(let format):
                JobFailure(
                    .stillImage,
                    "A video requires an animated GIF, WebP, PNG or AVIF; received a still \(format.name) image. Use "
                        + "format=auto for an image."
                )
            case .tooManyFrames(let count, let limit):
                .tooLarge("The animation of \(count) frames exceeds the limit of \(limit) frames.")
            case .tooManyPixels(let count, let limit):
                .tooLarge(
                    "The frames of the animation or of the video, with \(count) pixels in total, exceed the limit of "
                        + "\(limit) pixels."
                )
            case .tooManySearchedPixels(let limit):
                .tooLarge("The animation has too many frames to search for heads within \(limit) pixels.")
            case .tooSmall(let size):
                .tooLarge("\(Self.result(size)) is too small for a video. Request at least 2×2 pixels.")
            }
    }

    private init(_ error: CodecError, beginning: String = "") {
        let detail = beginning + (Self.adviceForVideo(error) ?? error.description)
        self =
            switch error {
            case .unsupportedFormat, .unsupportedFeature: .unsupported(detail)
            case .tooLarge, .tooManyBytes: .tooLarge(detail)
            default: .unreadable(detail)
            }
    }

    /// The names of unsupported formats that are video formats.
    private static let videos: Set<String> = [
        "MP4", "QuickTime", "AVI", "Matroska", "WebM", "MPEG", "MPEG-TS", "FLV", "Ogg", "Windows Media", "Y4M", "MXF",
        "3GP",
    ]

    /// Returns advice on a video that was received as an image; nil for other errors.
    private static func adviceForVideo(_ error: CodecError) -> String? {
        guard case .unsupportedFormat(let name?) = error, videos.contains(name) else { return nil }
        return
            "This is a video (\(name)), not an image. Use the command headroom reframe for videos, or send a frame as "
            + "an image: ffmpeg -i FILE -frames:v 1 frame.png."
    }

    private static func faces(_ count: Int) -> String {
        count == 0 ? "no faces" : count == 1 ? "1 face" : "\(count) faces"
    }

    /// Returns the beginning of the sentence about the faces or objects of a gravity that were not found.
    private static func missing(_ gravity: Gravity) -> String {
        switch gravity {
        case .subject: return "No face, person, animal or thing"
        case .object(let classes):
            let names = classes.map(\.kind.rawValue)
            let last = names.suffix(2).joined(separator: " or ")
            return "No \(ParameterError.shortened((names.dropLast(2) + [last]).joined(separator: ", ")))"
        default: return "No face"
        }
    }

    private static func result(_ size: PixelSize) -> String {
        "The output of \(size.width)×\(size.height) pixels"
    }

    private static func tooLarge(_ detail: String) -> JobFailure { JobFailure(.tooLarge, detail) }

    private static func unreadable(_ detail: String) -> JobFailure { JobFailure(.unreadableImage, detail) }

    private static func unsupported(_ detail: String) -> JobFailure { JobFailure(.unsupportedImage, detail) }
}
