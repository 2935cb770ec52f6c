import Caching
import Framing
import HTTPTypes
import Imaging
import Pipeline
import Requests

/// The result of an ``ImageRequest``: bytes, their description, and their origin.
struct ImageResult: Sendable {
    /// The origin of the bytes.
    enum Origin: Sendable {
        /// The bytes were cached at this level.
        case cached(CacheLevel)
        /// The bytes were computed for this request or, if `isJoined`, for an equal request in progress.
        case computed(isJoined: Bool)
    }

    let bytes: [UInt8]
    let mediaType: String
    /// The decision of the first crop; nil for results without a crop.
    private let decision: String?
    /// The number of faces; nil without detection.
    private let faces: Int?
    /// The quality that was chosen to meet a size limit; nil if no quality was chosen.
    private let quality: Int?
    /// The number of heads that redaction covers; nil if the request does not redact heads.
    private let redacted: Int?
    /// The border colour that `key=auto` found; nil without it.
    private let borderKey: String?
    /// The name of a file that contains several images, as the value of `Content-Disposition`; nil for other results.
    private var disposition: String?
    /// The duration of each stage, as the value of `Server-Timing`; nil for a cached image.
    private var timing: String?

    let origin: Origin
    /// The plan; nil for a cached image.
    private(set) var plan: FramePlan?
    /// The reason why the result is degraded; nil if it is not degraded.
    ///
    /// Degraded results are not cached.
    var degradation: ResultCache.Degradation?

    /// Creates the result for an image.
    init(_ image: CachedImage, _ origin: Origin) {
        let head = image.head
        bytes = image.bytes
        mediaType = head.mediaType
        decision = head.decision?.description
        faces = head.faces
        quality = head.quality
        redacted = head.redacted
        borderKey = head.key?.word
        self.origin = origin
    }

    /// Creates the result for an image that was computed.
    init(_ image: CachedImage, of result: FrameResult, fetch: Duration?, isJoined: Bool) {
        self.init(image, .computed(isJoined: isJoined))
        plan = result.plan
        timing = Self.timing(of: result, fetch: fetch)
    }

    /// Creates a computed result in any other form.
    init(
        _ bytes: [UInt8],
        _ mediaType: String,
        disposition: String? = nil,
        decision: String? = nil,
        of result: FrameResult,
        fetch: Duration?,
        isJoined: Bool
    ) {
        self.bytes = bytes
        self.mediaType = mediaType
        self.disposition = disposition
        self.decision = decision
        faces = result.plan.detector == nil ? nil : result.plan.faces.count
        quality = nil
        redacted = result.plan.coveredHeads
        borderKey = result.plan.borderKey?.word
        timing = Self.timing(of: result, fetch: fetch)
        origin = .computed(isJoined: isJoined)
        plan = result.plan
    }

    /// The header fields that describe the bytes, for HTTP responses and for responses over a pipe.
    var fields: HTTPFields {
        var fields: HTTPFields = [.contentType: mediaType]
        fields[.contentDisposition] = disposition
        fields[.headroomDecision] = decision
        fields[.headroomFaces] = faces.map { "\($0)" }
        fields[.headroomQuality] = quality.map { "\($0)" }
        fields[.headroomRedacted] = redacted.map { "\($0)" }
        fields[.headroomKey] = borderKey
        fields[.serverTiming] = timing
        return fields
    }

    /// The descriptions of stages in the developer tools of browsers (W3C Server Timing).
    private static let descriptions = [
        "queue": "wait for a worker", "fetch": "fetch of the source", "decode": "decoding", "detect": "face detection",
        "frame": "choice of the crop", "encode": "scaling and encoding",
    ]

    private static func timing(of result: FrameResult, fetch: Duration?) -> String {
        var stages = result.times.all.map { ($0.stage.rawValue, $0.time) }
        if let fetch { stages.insert(("fetch", fetch), at: 1) }
        return
            stages
            .map { name, time in
                let description = descriptions[name].map { ";desc=\"\($0)\"" } ?? ""
                return "\(name);dur=\((time / .milliseconds(1) * 100).rounded() / 100)\(description)"
            }
            .joined(separator: ", ")
    }
}
