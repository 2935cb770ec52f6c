#if Video
import FaceDetection
import Framing
import Geometry
import Imaging
import Motion
import Pipeline
import Requests
import Video
import Workers

/// The validated options of `reframe`.
struct ReframeSettings {
    enum Format: String, CaseIterable {
        /// Images, in the format of the source.
        case source
        /// Images, as Y4M.
        case y4m
        /// Images, as consecutive JPEGs.
        case mjpeg
        /// A script of filters for ffmpeg.
        case ffmpeg

        /// The format that the source must have; nil for any format.
        var input: VideoInput.Format? { VideoInput.Format(rawValue: rawValue) }
    }

    static let parameters: [Parameter] = [
        .aspect, .width, .height, .gravity, .fallback, .zoom, .padding, .place, .accuracy, .minFace, .redact,
        .redactFaces, .redactShape, .redactAreas,
    ]
    /// The maximum look-ahead in seconds; all frames of the look-ahead are in memory.
    static let maxLookAhead = 10.0
    /// The look-ahead for a pipe, in seconds.
    static let lookAhead = 1.0
    /// The placeholder for an aspect ratio in file names.
    static let aspectWord = "{aspect}"

    /// The input's path; nil for standard input.
    let path: String?
    /// The result's path; nil for standard output.
    let output: String?
    let aspects: [AspectRatio]
    let size: (width: Int?, height: Int?)
    let framing: FramingRequest
    /// The requested layout; nil if the option was not given.
    let wantedLayout: Layout?
    /// The part of the frames with a screen or slides.
    let screen: FrameShare?
    /// The minimum face size, as a fraction of the short side; nil for the detector's minimum.
    let smallestFace: Double?
    /// The heads and areas to redact, and the style; nil for none.
    let redaction: Redaction?
    /// People who stay visible, by a point and a time.
    let visible: [VisiblePerson]
    /// People who stay visible, by their numbers in a plan.
    let visibleNumbers: [Int]
    let detector: DetectorChoice
    let workers: Int
    /// Seconds of look-ahead; nil to read the video twice, if possible.
    let lookAhead: Double?
    /// Frames per second of a video that does not state its rate.
    let fps: Double
    let plan: String?
    let planFrom: String?
    let format: Format
    /// The quality of JPEGs, 1 to 100.
    let quality: Int
    private let isolation: IsolationChoice

    /// The layout; the default is one crop that follows people.
    var layout: Layout { wantedLayout ?? .follow }

    /// Whether the motion of lips is measured.
    var readsLips: Bool { layout == .hold || layout == .auto || plan?.hasSuffix(".json") == true }

    /// Whether heads are redacted, not only areas.
    var redactsHeads: Bool { redaction.map { $0.faces != .none } ?? false }

    var inputName: String { path ?? "standard input" }

    /// Validates names and values.
    ///
    /// - Throws: A ``CommandFailure`` with every invalid value.
    init(input: String, output: String?, _ crop: ReframeOptions, _ detection: DetectionOptions) throws(CommandFailure) {
        var reader = SettingsReader(environment: [:])
        workers = reader.value(Settings.workers, detection.workers)
        detector = reader.value(Settings.detector, detection.detector)
        let parameters: FrameParameters
        do {
            let pairs = crop.pairs + detection.givenParameters
            parameters = try FrameParameters(pairs, known: Self.parameters, hints: nil)
        } catch {
            throw .usage(error.all.map(ImageSettings.sentence) + reader.errors)
        }
        let options = parameters.options
        aspects = options.aspects.compactMap { $0 }
        size = (options.resultSize.width, options.resultSize.height)
        if options.resultSize.dependsOnImage { reader.refuse("--width and --height must be in pixels for a video.") }
        framing = options.framing
        smallestFace = options.smallestFace ?? (options.accuracy == .low ? Accuracy.low.smallestFace : nil)
        redaction = options.redaction
        let people = crop.redactExcept?.split(separator: ";", omittingEmptySubsequences: false) ?? []
        visible = people.compactMap { VisiblePerson($0) }
        visibleNumbers = people.compactMap { VisiblePerson.number($0) }
        if visible.count + visibleNumbers.count < people.count || people.count > VisiblePerson.maximum {
            reader.refuse(
                "--redact-except=\(crop.redactExcept ?? "") is not valid: expected at most \(VisiblePerson.maximum) of x,y, "
                    + "x,y@seconds or person:N, separated by semicolons, with x and y from 0 to 1."
            )
        }
        if let text = crop.gravity, framing.gravity.needsSubjects {
            reader.refuse("--gravity=\(text) is not valid for a video: expected \(Gravity.formOfVideos).")
        }
        wantedLayout = reader.choice("--layout", crop.layout)
        screen = crop.screen.flatMap { FrameShare($0) }
        if let text = crop.screen, screen == nil {
            reader.refuse(
                "--screen=\(text) is not valid: expected left,top,width,height from 0 to 1, within the frame."
            )
        }
        path = input == "-" ? nil : input
        self.output = output == "-" ? nil : output
        (plan, planFrom) = (crop.plan, crop.planFrom)
        lookAhead = Self.number(crop.lookAhead, "--look-ahead", in: 0...Self.maxLookAhead, " seconds", &reader)
        fps = Self.number(crop.fps, "--fps", in: 1...240, " frames per second", &reader) ?? 25
        quality = Int(Self.number(crop.quality, "--quality", in: 1...100, "", &reader) ?? 82)
        isolation = reader.value(Settings.isolation, crop.isolation)
        let words = "source, y4m, mjpeg or ffmpeg"
        if let text = crop.format, Format(rawValue: text) == nil {
            reader.refuse("--format=\(text) is not valid: expected \(words).")
        }
        format = crop.format.flatMap(Format.init) ?? .source
        check(&reader)
        if !reader.errors.isEmpty { throw .usage(reader.errors) }
    }

    /// Starts a process that decodes JPEGs.
    func jpegDecoder() throws -> WorkerService {
        let limits = PipelineLimits(
            decode: DecodeLimits(maxPixels: Y4MHeader.maxPixels, maxSide: Y4MHeader.maxSide),
            maxResultPixels: Y4MHeader.maxPixels
        )
        let pool = PoolConfiguration(workers: 1, queueLimit: 2, maxBytesInFlight: 1 << 31)
        do {
            return try isolation.service(detector, limits: limits, pool: pool)
        } catch let error as WorkerExit where error.cause == .sandbox {
            throw CommandFailure("\(error); use --isolation thread if the video is trusted")
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    private func check(_ reader: inout SettingsReader) {
        if aspects.isEmpty, planFrom == nil { reader.refuse("--aspect is required, or --width and --height.") }
        if let redaction, redaction.faces != .all, redaction.faces != .none {
            reader.refuse("--redact-faces is not valid for a video: expected all, or none with --redact-areas.")
        }
        if !visible.isEmpty || !visibleNumbers.isEmpty, !redactsHeads {
            reader.refuse(
                "--redact-except requires --redact, and is not allowed with --redact-faces none."
            )
        }
        if redaction != nil, plan != nil || format == .ffmpeg {
            reader.refuse("--redact is not allowed with --plan or --format ffmpeg, which write no frames.")
        }
        if [.stack, .auto].contains(layout), lookAhead != nil {
            reader.refuse("--look-ahead is not allowed with --layout=\(layout.rawValue), which plans whole shots.")
        }
        if [.stack, .wide, .auto].contains(layout), format == .ffmpeg {
            reader.refuse("--format ffmpeg is not allowed with --layout=\(layout.rawValue), which does more than crop.")
        }
        if screen != nil, ![.stack, .auto].contains(layout) {
            reader.refuse("--screen requires --layout stack or auto.")
        }
        if plan?.hasSuffix(".json") == true, lookAhead != nil {
            reader.refuse(
                "--look-ahead is not allowed with a --plan that ends in .json, which describes the whole video; use .jsonl."
            )
        }
        if planFrom != nil, aspects.count > 1 || plan != nil {
            reader.refuse("--plan-from renders one plan: expected at most one --aspect, without --plan.")
        }
        if [.original, .error].contains(framing.fallback) {
            reader.refuse(
                "--fallback=\(framing.fallback.word) is not valid: expected attention, center, an edge, a corner or a point."
            )
        }
        let several = aspects.count > 1
        for (name, value) in [("--output", output), ("--plan", plan)]
        where several && (plan != nil) == (name == "--plan") {
            if value?.contains(Self.aspectWord) != true {
                reader.refuse(
                    "\(name) with several aspect ratios requires a name with \(Self.aspectWord), such as out-\(Self.aspectWord).y4m."
                )
            }
        }
    }

    func path(_ template: String?, for aspect: AspectRatio?) -> String? {
        let name = aspect.map { $0.text.replacing(":", with: "x") } ?? ""
        return template?.replacing(Self.aspectWord, with: name)
    }

    private static func number(
        _ text: String?,
        _ name: String,
        in range: ClosedRange<Double>,
        _ unit: String,
        _ reader: inout SettingsReader
    ) -> Double? {
        guard let text else { return nil }
        if let value = Double(plainDecimal: text), range.contains(value) { return value }
        reader.refuse("\(name)=\(text) is not valid: expected \(range.lowerBound) to \(range.upperBound)\(unit).")
        return nil
    }
}

/// A part of a frame, in fractions of its sides.
struct FrameShare: Hashable {
    let left, top, width, height: Double

    /// `left,top,width,height`; nil if it is empty or not within the frame.
    init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
            Double(plainDecimal: String($0))
        }
        guard parts.count == 4, let left = parts[0], let top = parts[1], let width = parts[2], let height = parts[3],
            left >= 0, top >= 0, width >= 0.01, height >= 0.01, left + width <= 1 + 1e-9, top + height <= 1 + 1e-9
        else { return nil }
        (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }

    func region(in size: PixelSize) -> FractionalRect {
        let (across, down) = (Double(size.width), Double(size.height))
        return FractionalRect(x: left * across, y: top * down, width: width * across, height: height * down)
            .clamped(to: size)
    }
}
#endif
