import Framing
import Geometry
import HTTPServer
import HTTPTypes
import HeadroomAPI
import Imaging
import Motion
import Pipeline
import Requests
import TotalFunctions

/// The parameters of a request for a stream.
struct StreamRequest: Sendable {
    /// The frame rate that plans assume.
    ///
    /// Motion follows the actual times of the frames.
    static let fps = 25.0

    /// The URL of the camera; nil for an upload.
    let url: String?
    let preset: String?
    /// Whether the response consists of plans instead of images.
    let isPlan: Bool
    let quality: Int
    /// The time between a frame's arrival and its crop, in frames at ``fps``.
    let lookAhead: Int
    private let aspect: AspectRatio?
    private let size: ResultSize
    private let framing: FramingRequest
    private let layout: Layout
    /// The minimum face size, as a fraction of the frame's short side.
    ///
    /// Nil for the detector's minimum.
    let smallestFace: Double?
    /// The redaction of frames; nil for none.
    let redaction: Redaction?

    /// Parses the parameters of an admitted request.
    ///
    /// Its client may use the presets in `allowed`; nil allows all presets.
    ///
    /// - Throws: A ``Problem`` with status 400.
    init(_ request: ServerRequest, _ presets: PresetSet, allowed: [String]?) throws(Problem) {
        let pairs = try SignedQuery(of: request).pairs
        let parameters = try Problem.checked(
            FrameParameters(
                pairs,
                known: Parameter.of(.stream),
                presets: presets,
                allowedPresets: allowed,
                formats: Route.stream.formats,
                hints: nil,
                encodedPairs: pairs.count
            )
        )
        self = try Problem.checked(StreamRequest(parameters, isUpload: request.method == .post))
    }

    private init(_ parameters: FrameParameters, isUpload: Bool) throws(ParameterErrors) {
        let options = parameters.options
        var errors: [ParameterError] = []
        func refuse(_ name: Parameter, _ expected: String) {
            errors.append(ParameterError(name: name.name, received: parameters.given[name], expected: expected))
        }
        if !Route.stream.formats.contains(parameters.format.word) {
            refuse(.format, "one of \(Route.stream.formats.joined(separator: ", "))")
        }
        if options.aspects.count > 1 || options.framing.fitsHeads { refuse(.aspect, "one aspect ratio for a stream") }
        if options.framing.gravity.needsSubjects { refuse(.gravity, "\(Gravity.formOfVideos) for a stream") }
        if [.original, .error].contains(options.framing.fallback) {
            refuse(.fallback, "attention, center, an edge, a corner or a point for a stream")
        }
        if let redaction = options.redaction, redaction.faces != .all, redaction.faces != .none {
            refuse(.redactFaces, "all, or none with redactAreas, for a stream")
        }
        if options.resultSize.dependsOnImage {
            refuse(options.resultSize.widthShare == nil ? .height : .width, "pixels for a stream")
        }
        if isUpload, let url = parameters.url {
            errors.append(ParameterError(name: "url", received: url, breaks: "is not allowed with an upload"))
        }
        if !isUpload, parameters.url == nil { refuse(.url, "the http or https URL of a camera") }
        switch parameters.quality {
        case .level(let level): quality = level
        case .source:
            refuse(.quality, "a whole number from 1 to 100 for a stream")
            fallthrough
        case nil: quality = ImageEncoder.defaultQuality
        }
        if !errors.isEmpty { throw ParameterErrors(all: errors) }
        url = parameters.url
        preset = parameters.preset
        isPlan = parameters.format == .json
        lookAhead = Int(clamping: (parameters.lookAhead * Self.fps).rounded())
        aspect = options.aspects.first ?? nil
        size = options.resultSize
        framing = options.framing
        layout = Layout(rawValue: parameters.layout.rawValue) ?? .follow
        smallestFace = options.smallestFace ?? (options.accuracy == .low ? Accuracy.low.smallestFace : nil)
        redaction = isPlan ? nil : options.redaction
    }

    /// Whether frames are searched: for people, for attention, or for heads to redact.
    var isSearched: Bool {
        layout != .wide && (framing.needsFaces || framing.needsAttention(for: [])) || redactsHeads
    }

    /// Whether the motion of lips is measured, to find the speaker.
    var readsMouths: Bool { layout == .hold && framing.needsFaces }

    /// Whether heads are redacted, not only areas.
    var redactsHeads: Bool { redaction.map { $0.faces != .none } ?? false }

    /// The motion request for frames of a size.
    func motion(in image: PixelSize) -> MotionRequest {
        let shape = aspect ?? AspectRatio(image) ?? .square
        return MotionRequest(size: image, fps: Self.fps, aspect: shape, framing: framing, layout: layout)
    }

    /// The size of the outputs for crops of at most `widest`; crops are not enlarged.
    func resultSize(widest: (width: Double, height: Double)) -> PixelSize {
        let (width, height) = widest
        let wanted: (width: Double, height: Double) =
            switch (size.width, size.height) {
            case (nil, nil): (width, height)
            case (let across?, nil): (Double(across), Double(across) * height / width)
            case (nil, let down?): (Double(down) * width / height, Double(down))
            case (let across?, let down?): (Double(across), Double(down))
            }
        let factor = min(1, width / wanted.width, height / wanted.height)
        return PixelSize(
            width: max(1, Int(clamping: (wanted.width * factor).rounded())),
            height: max(1, Int(clamping: (wanted.height * factor).rounded()))
        )
    }
}
