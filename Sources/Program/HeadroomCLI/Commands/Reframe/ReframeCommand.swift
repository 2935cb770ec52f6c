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
            Reads Y4M or MJPEG, which ffmpeg and cameras write, from a file or a pipe, and writes the same.
            JPEGs are decoded in a sandboxed process.
            A file is read twice: its crops are planned with all frames known.
            A pipe is read once, with some look-ahead.

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
            "A video: MP4 or another that ffmpeg reads, Y4M or MJPEG; or - for Y4M or MJPEG from standard input.",
            valueName: "file"
        )
    )
    var input = "-"

    @Option(
        "A file, or - for standard output. With several shapes, {aspect} stands for each of them. (default: -)",
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
    @Option("Aspect ratio: 9:16 or 1.5; a comma-separated list for several results.", value: "ratio")
    var aspect: String?

    @Option("Width of the result in pixels. (default: that of the widest crop)", value: "px")
    var width: String?

    @Option(.height) var height: String?

    @Option(.gravity) var gravity: String?

    @Option(
        "Crop of shots without people: attention, center, top or another edge or corner. (default: attention)",
        value: "word"
    )
    var fallback: String?

    @Option(
        "follow: one crop with the most heads; hold: one person until another has the floor; stack: two people, or a "
            + "person and a screen, above one another; wide: the whole picture on a blurred ground; auto: one of them for "
            + "each shot. (default: follow)",
        value: "word"
    )
    var layout: String?

    @Option(
        "The part of the frames with a screen or slides, for --layout stack and auto: left,top,width,height as shares "
            + "of the frame.",
        value: "area"
    )
    var screen: String?

    @Option(.zoom) var zoom: String?

    @Option(.padding) var padding: String?

    @Option(.place) var place: String?

    @Option(
        "Read the input once, and know each crop so many seconds later, 0 to 10. (default: two readings of a file; "
            + "1 for a pipe)",
        value: "s"
    )
    var lookAhead: String?

    @Option("Frames a second of a video that does not say. (default: 25)", value: "n")
    var fps: String?

    @Option(
        "Write the crops as JSON instead of pictures: one line for each frame, or in a file with .json one document with "
            + "shots, people and speech. With several shapes, {aspect} stands for each of them.",
        value: "file"
    )
    var plan: String?

    @Option("Take the crops from a file that --plan wrote.", value: "file")
    var planFrom: String?

    @Option(
        "source, y4m or mjpeg: that of the source; or ffmpeg: filters of ffmpeg that crop, instead of pictures. "
            + "(default: source)",
        value: "type"
    )
    var format: String?

    @Option("Quality of MJPEG, 1 to 100. (default: 82)", value: "n")
    var quality: String?

    @OptionGroup(title: "Crop") var redaction: RedactionOptions

    @Option(
        "People who stay visible with --redact: a place in the face as x,y, as shares of the frame, and a time, such as "
            + "0.4,0.3@12.5, or the number of a person of a plan, such as person:2, separated by semicolons. Each stays "
            + "visible until a cut, until half a second unseen, or until another head comes near.",
        value: "places"
    )
    var redactExcept: String?

    @Option(Settings.isolation) var isolation: String?

    /// The options that are also parameters of a request.
    var pairs: [(name: String, value: String)] {
        // Some options share the name of a parameter but have other values.
        let own = ReframeSettings.parameters.map(\.name)
        return givenParameters.filter { own.contains($0.name) } + redaction.givenParameters
    }
}
#endif
