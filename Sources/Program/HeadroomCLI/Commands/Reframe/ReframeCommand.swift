#if Video
import ArgumentParser
import FaceDetection
import Glibc
import Imaging
import Motion
import Pipeline
import Requests
import Video
import Workers

/// `headroom reframe`: crops videos around the people in them, with a crop that moves like a camera.
struct ReframeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reframe",
        abstract: "Crops videos around the people in them.",
        discussion: """
            Reads and writes MP4, MOV, MKV and WebM with ffmpeg, which must be installed; sound and subtitles are copied.
            Reads Y4M or MJPEG, which ffmpeg and cameras write, from a file or a pipe, and writes the same format.
            JPEGs are decoded in a sandboxed process.
            A file is read twice, so its crops are planned with all frames known.
            A pipe is read once, with a short look-ahead.
            Watermarks, stickers, filters and masks apply to images, not to videos.

            EXAMPLES
              headroom reframe talk.mp4 --aspect 9:16 --output tall.mp4
              headroom reframe talk.mp4 --aspect 9:16,1:1 --output 'talk-{aspect}.mp4'
              headroom reframe talk.mp4 --aspect 9:16 --layout auto --output tall.mp4
              headroom reframe talk.mp4 --aspect 16:9 --redact blur --output redacted.mp4
              headroom reframe talk.mp4 --aspect 16:9 --redact pixelate \\
                --redact-except 0.4,0.3@12.5 --output redacted.mp4
              headroom reframe talk.mp4 --aspect 9:16 --plan talk.json
              headroom reframe talk.mp4 --plan-from talk.json --output tall.mp4
              ffmpeg -i in.mp4 -f yuv4mpegpipe - | headroom reframe --aspect 9:16 |
                ffmpeg -i - -i in.mp4 -map 0:v -map '1:a?' out.mp4
              curl -sN http://camera/video | headroom reframe --aspect 1:1 |
                ffplay -f mjpeg -
            """
    )

    @Argument(
        help: ArgumentHelp(
            "A video: MP4 or another format that ffmpeg reads, Y4M or MJPEG; or - for Y4M or MJPEG from standard input.",
            valueName: "file"
        )
    )
    var input = "-"

    @Option(
        "A file, or - for standard output. With several aspect ratios, the name must contain {aspect}. (default: -)",
        value: "path",
        name: .shortAndLong
    )
    var output: String?

    @OptionGroup(title: "Crop") var crop: ReframeOptions

    @OptionGroup(title: "Faces") var detection: DetectionOptions

    func run() async throws {
        let settings = try ReframeSettings(input: input, output: output, crop, detection)
        let name = settings.request.inputName
        // Incomplete results are removed, because they cannot be played.
        let listener = try SignalListener([SIGINT, SIGTERM]) { number, _ in
            ReframeRun.removeIncompleteResults()
            _exit(128 + number)
        }
        defer { listener.stop() }
        do {
            let run = try await ReframeRun(settings.request, ReframeProgram(settings))
            defer { Self.report(skipped: run.skipped, of: name) }
            try await run.run()
        } catch let error as ReframeConflict {
            throw CommandFailure(error, of: name)
        } catch let error as ReframeFailure {
            throw CommandFailure("\(error)")
        } catch let error where !(error is CommandFailure || error is ExitCode) {
            throw CommandFailure("\(name): \(error)")
        }
    }

    /// Prints the number of skipped frames, unless it is 0.
    private static func report(skipped: Int, of name: String) {
        guard skipped > 0 else { return }
        let what = "\(skipped.counted("frame")) \(skipped == 1 ? "was" : "were") skipped"
        StandardStream.error.writeLine("\(name): \(what): damaged, or in another format than the first frame.")
    }
}

struct ReframeOptions: ParsableArguments {
    @Option("Aspect ratio: 9:16 or 1.5. A comma-separated list gives one output per ratio.", value: "ratio")
    var aspect: String?

    @Option("Output width in pixels. (default: the width of the widest crop)", value: "px")
    var width: String?

    @Option("Output height in pixels. (default: by --width and --aspect)", value: "px")
    var height: String?

    @Option(
        "Position of the crop: faces, largest, smallest, centermost, face:N (the Nth largest face), attention, center, an "
            + "edge or corner such as top or top-left, or point:X,Y (fractions from the top left). (default: faces)",
        value: "word"
    )
    var gravity: String?

    @Option(
        "Crop of shots without people: attention, center, an edge or corner such as top or top-left, or point:X,Y. "
            + "(default: attention)",
        value: "word"
    )
    var fallback: String?

    @Option(
        "follow: one crop that keeps the most heads. hold: the active speaker. stack: two people, or a person and a "
            + "screen, one above the other. wide: the whole frame on a blurred background. auto: one of these per shot. "
            + "(default: follow)",
        value: "word"
    )
    var layout: String?

    @Option(
        "Part of the frames with a screen or slides, for --layout stack and auto: left,top,width,height as fractions of the "
            + "frame.",
        value: "area"
    )
    var screen: String?

    @Option(.zoom) var zoom: String?

    @Option(.padding) var padding: String?

    @Option(.place) var place: String?

    @Option(
        "Read the input once and delay each crop by this many seconds, 0 to 10. (default: files are read twice; 1 for a "
            + "pipe)",
        value: "s"
    )
    var lookAhead: String?

    @Option("Frame rate of videos that do not state one, 1 to 240. (default: 25)", value: "n")
    var fps: String?

    @Option(
        "Write the crops as JSON instead of a video: one line per frame, or in a .json file one document with shots, people "
            + "and speech. With several aspect ratios, the name must contain {aspect}.",
        value: "file"
    )
    var plan: String?

    @Option("Read the crops from a file that --plan wrote.", value: "file")
    var planFrom: String?

    @Option(
        "Output format. source: like the source. y4m, mjpeg: only if the source has this format. ffmpeg: a script of ffmpeg "
            + "filters that crop, instead of a video. (default: source)",
        value: "type"
    )
    var format: String?

    @Option("Quality of MJPEG, 1 to 100. (default: 82)", value: "n")
    var quality: String?

    @OptionGroup(title: "Crop") var redaction: VideoRedactionOptions

    @Option(
        "People who stay visible with --redact, separated by semicolons: a point in the face as fractions of the frame, with "
            + "a time in seconds, such as 0.4,0.3@12.5; or a person's number in a plan, such as person:2. Each person stays "
            + "visible until a cut, until undetected for half a second, or until another head comes close.",
        value: "places"
    )
    var redactExcept: String?

    @Option(Settings.isolation) var isolation: String?

    /// The options that are also request parameters.
    var pairs: [(name: String, value: String)] {
        // Some options have the name of a parameter, but accept other values.
        let own = ReframeSettings.parameters.map(\.name)
        return givenParameters.filter { own.contains($0.name) } + redaction.givenParameters
    }
}

/// The options for redaction of videos, which redact either all heads or none.
struct VideoRedactionOptions: ParsableArguments {
    @Option(.redact) var redact: String?

    @Option("Heads to redact: all, or none (with --redact-areas only). (default: all)", value: "faces")
    var redactFaces: String?

    @Option(.redactShape) var redactShape: String?
    @Option(.redactAreas) var redactAreas: String?
}

/// The command as the host of a run: standard output, the chosen detector, and the display on standard error.
private struct ReframeProgram: ReframeHost {
    private let detector: DetectorChoice
    private let isolation: IsolationChoice

    init(_ settings: ReframeSettings) { (detector, isolation) = (settings.detector, settings.isolation) }

    func model() throws -> FaceDetectorModel { try detector.model() }

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

    func plan(at path: String) throws -> [UInt8] { try LocalFile.read(path) }

    func write(_ bytes: [UInt8]) throws { try StandardStream.output.write(bytes) }

    func progress(_ work: ReframeWork, of count: Int?) -> any ReframeProgress { FrameRate(work, of: count) }
}

extension CommandFailure {
    /// The failure of a request that does not fit the video, with the names of the options; `input` is the video.
    fileprivate init(_ conflict: ReframeConflict, of input: String) {
        switch conflict {
        case .format(let format, let source):
            self.init(
                "\(input): --format=\(format.rawValue) is not valid for \(source.rawValue): "
                    + "the output has the format of the source; use ffmpeg to convert it."
            )
        case .singleReading(let part):
            let what =
                switch part {
                case .layout(let layout): "--layout \(layout.rawValue)"
                case .planDocument: "--plan with a name in .json"
                case .visibleNumbers: "--redact-except person:N"
                }
            self.init("\(what) reads the video twice: expected a file as input, and no --look-ahead")
        case .pipe(let reading):
            let what =
                switch reading {
                case .planWithoutFrames: "--plan-from without frames"
                case .redaction: "--plan-from with --redact"
                }
            self.init("\(what) reads the video twice: expected a file as input, not a pipe")
        case .unknownPerson(let number, let count):
            self.init("--redact-except person:\(number): the plan contains persons 1 to \(count)")
        case .missingAspect(let plan): self.init("\(plan): has no aspect: expected --aspect")
        case .unusableAspect(let plan):
            self.init(
                "\(plan): the crops have an aspect ratio outside 1:100 to 100:1, or panes without --aspect"
            )
        case .unknownFormat(let output):
            self = .usage(
                "--output=\(output ?? "-") is not valid for \(input): expected a name with .mp4, .m4v, .mov, .mkv, "
                    + ".webm or .y4m, or --format y4m."
            )
        }
    }
}

/// Shows the number of frames, the frames per second and the remaining time.
///
/// Shows nothing if standard error is not a terminal.
struct FrameRate: ReframeProgress {
    private let isShown = StandardStream.error.isTerminal
    private let start = ContinuousClock.now
    private var shown = ContinuousClock.now
    private var frames = 0
    private let work: ReframeWork
    private let count: Int?

    /// Counts frames; `count` is the number of all frames, if known.
    init(_ work: ReframeWork, of count: Int?) {
        self.work = work
        self.count = count
    }

    mutating func advance() {
        frames += 1
        guard isShown, .now - shown > .milliseconds(200) else { return }
        shown = .now
        draw(ending: "")
    }

    func finish() { if isShown, frames > 0 { draw(ending: "\n") } }

    private func draw(ending: String) {
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let rate = seconds > 0 ? Int(Double(frames) / seconds) : 0
        var left = ""
        if let count, count > frames, rate > 0 {
            let seconds = (count - frames) / rate
            left = ", \(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60) left"
        }
        let done = count.map { "\(frames) of \(max($0, frames)) frames" } ?? "\(frames) frames"
        try? StandardStream.error.write(
            Array("\r\u{1B}[K\(done) \(work.rawValue), \(rate) a second\(left)\(ending)".utf8)
        )
    }
}
#endif
