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
    static let parameters: [Parameter] = [
        .aspect, .width, .height, .gravity, .fallback, .zoom, .padding, .place, .accuracy, .minFace, .redact,
        .redactFaces, .redactShape, .redactAreas,
    ]
    let request: ReframeRequest
    let detector: DetectorChoice
    let isolation: IsolationChoice

    /// Validates names and values.
    ///
    /// - Throws: A ``CommandFailure`` with every invalid value.
    init(input: String, output: String?, _ crop: ReframeOptions, _ detection: DetectionOptions) throws(CommandFailure) {
        var reader = SettingsReader(environment: [:])
        var request = ReframeRequest()
        request.workers = reader.value(Settings.workers, detection.workers)
        detector = reader.value(Settings.detector, detection.detector)
        let parameters: FrameParameters
        do {
            let pairs = crop.pairs + detection.givenParameters
            parameters = try FrameParameters(pairs, known: Self.parameters, hints: nil)
        } catch {
            throw .usage(error.all.map(ImageSettings.sentence) + reader.errors)
        }
        let options = parameters.options
        request.aspects = options.aspects.compactMap { $0 }
        request.size = (options.resultSize.width, options.resultSize.height)
        if options.resultSize.dependsOnImage { reader.refuse("--width and --height must be in pixels for a video.") }
        request.framing = options.framing
        request.smallestFace = options.smallestFace ?? (options.accuracy == .low ? Accuracy.low.smallestFace : nil)
        request.redaction = options.redaction
        let people = crop.redactExcept?.split(separator: ";", omittingEmptySubsequences: false) ?? []
        request.visible = people.compactMap { VisiblePerson($0) }
        request.visibleNumbers = people.compactMap { VisiblePerson.number($0) }
        let maximum = ReframeRequest.maxVisible
        if request.visible.count + request.visibleNumbers.count < people.count || people.count > maximum {
            reader.refuse(
                "--redact-except=\(crop.redactExcept ?? "") is not valid: expected at most \(maximum) of x,y, "
                    + "x,y@seconds or person:N, separated by semicolons, with x and y from 0 to 1."
            )
        }
        if let text = crop.gravity, request.framing.gravity.needsSubjects {
            reader.refuse("--gravity=\(text) is not valid for a video: expected \(Gravity.formOfVideos).")
        }
        request.wantedLayout = reader.choice("--layout", crop.layout)
        request.screen = crop.screen.flatMap { FrameShare($0) }
        if let text = crop.screen, request.screen == nil {
            reader.refuse(
                "--screen=\(text) is not valid: expected left,top,width,height from 0 to 1, within the frame."
            )
        }
        request.path = input == "-" ? nil : input
        request.output = output == "-" ? nil : output
        (request.plan, request.planFrom) = (crop.plan, crop.planFrom)
        let lookAhead = 0...ReframeRequest.maxLookAhead
        request.lookAhead = Self.number(crop.lookAhead, "--look-ahead", in: lookAhead, " seconds", &reader)
        request.fps = Self.number(crop.fps, "--fps", in: 1...240, " frames per second", &reader) ?? request.fps
        request.quality =
            Self.number(crop.quality, "--quality", in: 1...100, "", &reader).map { Int($0) } ?? request.quality
        isolation = reader.value(Settings.isolation, crop.isolation)
        let words = "source, y4m, mjpeg or ffmpeg"
        if let text = crop.format, ReframeRequest.Format(rawValue: text) == nil {
            reader.refuse("--format=\(text) is not valid: expected \(words).")
        }
        request.format = crop.format.flatMap(ReframeRequest.Format.init) ?? .source
        Self.check(request, &reader)
        if !reader.errors.isEmpty { throw .usage(reader.errors) }
        self.request = request
    }

    /// Refuses options that contradict each other.
    private static func check(_ request: ReframeRequest, _ reader: inout SettingsReader) {
        if request.aspects.isEmpty, request.planFrom == nil {
            reader.refuse("--aspect is required, or --width and --height.")
        }
        if let redaction = request.redaction, redaction.faces != .all, redaction.faces != .none {
            reader.refuse("--redact-faces is not valid for a video: expected all, or none with --redact-areas.")
        }
        if !request.visible.isEmpty || !request.visibleNumbers.isEmpty, !request.redactsHeads {
            reader.refuse(
                "--redact-except requires --redact, and is not allowed with --redact-faces none."
            )
        }
        if request.redaction != nil, request.plan != nil || request.format == .ffmpeg {
            reader.refuse("--redact is not allowed with --plan or --format ffmpeg, which write no frames.")
        }
        if [.stack, .auto].contains(request.layout), request.lookAhead != nil {
            reader.refuse(
                "--look-ahead is not allowed with --layout=\(request.layout.rawValue), which plans whole shots."
            )
        }
        if [.stack, .wide, .auto].contains(request.layout), request.format == .ffmpeg {
            reader.refuse(
                "--format ffmpeg is not allowed with --layout=\(request.layout.rawValue), which does more than crop."
            )
        }
        if request.screen != nil, ![.stack, .auto].contains(request.layout) {
            reader.refuse("--screen requires --layout stack or auto.")
        }
        if request.writesDocument, request.lookAhead != nil {
            reader.refuse(
                "--look-ahead is not allowed with a --plan that ends in .json, which describes the whole video; use .jsonl."
            )
        }
        if request.planFrom != nil, request.aspects.count > 1 || request.plan != nil {
            reader.refuse("--plan-from renders one plan: expected at most one --aspect, without --plan.")
        }
        if [.original, .error].contains(request.framing.fallback) {
            reader.refuse(
                "--fallback=\(request.framing.fallback.word) is not valid: expected attention, center, an edge, a corner or a point."
            )
        }
        let several = request.aspects.count > 1
        for (name, value) in [("--output", request.output), ("--plan", request.plan)]
        where several && (request.plan != nil) == (name == "--plan") {
            let word = ReframeRequest.aspectWord
            if value?.contains(word) != true {
                reader.refuse(
                    "\(name) with several aspect ratios requires a name with \(word), such as out-\(word).y4m."
                )
            }
        }
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

extension FrameShare {
    /// `left,top,width,height`; nil if it is empty or not within the frame.
    fileprivate init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
            Double(plainDecimal: String($0))
        }
        guard parts.count == 4, let left = parts[0], let top = parts[1], let width = parts[2], let height = parts[3]
        else { return nil }
        self.init(left: left, top: top, width: width, height: height)
    }
}

extension VisiblePerson {
    /// `x,y` or `x,y@seconds`; nil if the point is outside the frame or the time is negative.
    fileprivate init?(_ text: Substring) {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let place = parts[0].split(separator: ",", omittingEmptySubsequences: false)
            .map { Double(plainDecimal: String($0)) }
        guard place.count == 2, let x = place[0], let y = place[1],
            let seconds = parts.count == 1 ? 0 : Double(plainDecimal: String(parts[1]))
        else { return nil }
        self.init(x: x, y: y, seconds: seconds)
    }

    /// The number of `person:N`; nil for other text.
    fileprivate static func number(_ text: Substring) -> Int? {
        guard text.hasPrefix("person:") else { return nil }
        return Int(plainDigits: String(text.dropFirst("person:".count))).flatMap {
            (1...1_000_000).contains($0) ? $0 : nil
        }
    }
}
#endif
