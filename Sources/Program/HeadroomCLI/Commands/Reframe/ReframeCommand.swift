#if Video
import ArgumentParser
import Glibc
import Requests

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
        // Incomplete results are removed, because they cannot be played.
        let listener = try SignalListener([SIGINT, SIGTERM]) { number, _ in
            MediaOutput.removeParts()
            _exit(128 + number)
        }
        defer { listener.stop() }
        do {
            try await ReframeRun(settings).run()
        } catch let error where !(error is CommandFailure || error is ExitCode) {
            throw CommandFailure("\(settings.inputName): \(error)")
        }
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
#endif
