package import Fetching
import Framing
import Geometry
import HTTPTypes
import Imaging
package import Pipeline

extension Problem {
    /// Creates the problem for a failed job.
    package init(_ error: PipelineError) {
        self =
            switch error {
            case .codec(let error): Problem(error)
            case .backdrop(let error): Problem(error, beginning: "The backdrop: ")
            case .framing(.noFace(let gravity)):
                Problem(
                    .noFace,
                    .unprocessableContent,
                    "No face found for gravity=\(Decision(gravity)) (fallback=error)."
                )
            case .framing(.emptyImage): .unreadable("The image has no pixels.")
            case .noSuchFace(let index, let found):
                Problem(.noFace, .notFound, "Face \(index) does not exist: \(Self.faces(found)) found.")
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
                Problem(
                    .invalidParameter,
                    .badRequest,
                    "The region starts outside the image of \(size.width)×\(size.height) pixels."
                )
            case .notLossless(.jpeg):
                .unsupported("This rotated or mirrored JPEG is too small for losslessCrop=true.")
            case .notLossless(let format):
                .unsupported("losslessCrop=true requires a JPEG image; received \(format.name).")
            case .tooMuchMemory:
                .tooLarge("Processing this image needs more memory than the service allows for one image.")
            case .tookTooLong(let limit):
                .tooLarge(
                    "Processing took longer than \(Int((limit / .seconds(1)).rounded(.up))) s, the limit for one image."
                )
            case .overloaded(let retryAfter):
                .overloaded("Too many requests are waiting; retry later.", retryAfter)
            case .sourceRefused(let retryAfter):
                .unreadable(
                    "This image crashed a worker and is rejected for another "
                        + "\(max(1, Int((retryAfter / .seconds(60)).rounded(.up)))) min."
                )
            case .detector, .workerLost, .cancelled: .unprocessed
            }
        switch error {
        case .regionOutside: cause = .regionOutside
        case .codec(.unsupportedFormat), .codec(.unsupportedFeature), .codec(.corrupt), .codec(.truncated),
            .framing(.emptyImage), .sourceRefused:
            cause = .brokenSource
        default: break
        }
        switch error {
        case .sourceRefused, .tookTooLong, .tooMuchMemory: isTemporary = true
        default: break
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
        if case .tooManyBytes = error { cause = .tooManyBytes }
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
            + "an image: ffmpeg -i FILE -frames:v 1 frame.png"
    }

    private static func faces(_ count: Int) -> String {
        count == 0 ? "no faces" : count == 1 ? "1 face" : "\(count) faces"
    }

    private static func result(_ size: PixelSize) -> String {
        "The output of \(size.width)×\(size.height) pixels"
    }
}

extension Problem {
    /// Creates the problem for a failed fetch.
    ///
    /// Blocked URLs, missing sources and names that do not exist have the same problem, so that callers cannot explore
    /// a private network. The log contains the cause.
    package init(_ error: FetchError) {
        self =
            switch error {
            case .invalidURL(let reason): Problem(.invalidParameter, .badRequest, "url is not valid: \(reason)")
            case .blocked, .notFound, .unresolved:
                Problem(.sourceNotFound, .notFound, "No image found at this URL.")
            case .nameServerFailed: .sourceFailed("The origin's host name could not be resolved.")
            case .unreachable: .sourceFailed("The origin is unreachable.")
            case .refused(let status): .sourceFailed("The origin rejected the request with status \(status).")
            case .storeRefused(let status, _):
                .sourceFailed(
                    "The object store rejected the request with status \(status); expected credentials that may read the object."
                )
            case .originError(508): .fetchLoop
            case .originError(let status): .sourceFailed("The origin failed with status \(status).")
            case .retryLater(let status, let time):
                .sourceFailed(
                    "The origin responded with \(status) and Retry-After; Headroom will not contact it before then.",
                    retryAfter: time
                )
            case .undecodable(let coding): .sourceFailed("The origin's content encoding cannot be decoded: \(coding).")
            case .invalidResponse: .sourceFailed("The origin did not return a file.")
            case .tooLarge(let limit): .tooLarge("The source exceeds the limit of \(limit) bytes.")
            case .timeout: .sourceFailed("The origin did not send the image in time.", .gatewayTimeout)
            case .tooManyRedirects(let limit): .sourceFailed("The source redirects more than \(limit) times.")
            case .incomplete: .sourceFailed("The origin closed the connection before the image was complete.")
            case .cancelled: .unprocessed
            case .overBudget:
                .overloaded("The memory limit for sources is reached; retry later.", .seconds(1))
            case .exhausted: .overloaded("The service cannot open more connections now; retry later.", .seconds(1))
            case .busy(let delay):
                .overloaded("Too many sources are being fetched; retry later.", delay, .fetchOverloaded)
            }
    }
}

extension Problem {
    /// The problem for a request that a Headroom service sent to fetch an image, directly or through other services.
    package static let fetchLoop = Problem(
        .loopDetected,
        .init(code: 508, reasonPhrase: "Loop Detected"),
        "The url leads back to this service."
    )

    private static let unprocessed = Problem(
        .internalError,
        .internalServerError,
        "The image could not be processed."
    )

    private static func tooLarge(_ detail: String) -> Problem { Problem(.tooLarge, .unprocessableContent, detail) }

    private static func unreadable(_ detail: String) -> Problem {
        Problem(.unreadableImage, .unprocessableContent, detail)
    }

    private static func unsupported(_ detail: String) -> Problem {
        Problem(.unsupportedImage, .unsupportedMediaType, detail)
    }

    private static func sourceFailed(_ detail: String, _ status: HTTPResponse.Status = .badGateway) -> Problem {
        Problem(.sourceFailed, status, detail)
    }

    /// Returns the problem for an origin in back-off.
    private static func sourceFailed(_ detail: String, retryAfter: Duration) -> Problem {
        var problem = Problem(.sourceFailed, .serviceUnavailable, detail)
        problem.retryAfter = retryAfter
        return problem
    }

    private static func overloaded(_ detail: String, _ delay: Duration, _ kind: Kind = .overloaded) -> Problem {
        var problem = Problem(kind, .serviceUnavailable, detail)
        problem.retryAfter = delay
        return problem
    }
}
