import ArgumentParser
import Foundation
import HeadroomAPI

/// `headroom reframe`: crops videos around the people in them, with a crop that moves like a camera.
struct ReframeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reframe",
        abstract: "Crops videos around the people in them.",
        discussion: """
            Reads Y4M or MJPEG, which ffmpeg and cameras write, from a file or a pipe, and writes the same.
            JPEGs are decoded in a sandboxed process.
            A file is read twice: its crops are planned with all frames known.
            A pipe is read once, with some look-ahead.

            EXAMPLES
              ffmpeg -i in.mp4 -f yuv4mpegpipe - | headroom reframe --aspect 9:16 |
                ffmpeg -i - -i in.mp4 -map 0:v -map '1:a?' out.mp4
              headroom reframe in.y4m --aspect 9:16,1:1 --output 'out-{aspect}.y4m'
              headroom reframe in.y4m --aspect 9:16 --plan out.jsonl
              curl -sN http://camera/video | headroom reframe --aspect 1:1 |
                ffplay -f mjpeg -
              headroom reframe in.y4m --aspect 16:9 --redact pixelate --output out.y4m
              headroom reframe in.y4m --plan-from out.jsonl --output out.y4m
            """
    )

    @Argument(help: ArgumentHelp("A Y4M or MJPEG file, or - for standard input.", valueName: "file"))
    var input = "-"

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "A file, or - for standard output. With several shapes, {aspect} stands for each of them. (default: -)",
            valueName: "path"
        )
    )
    var output: String?

    @OptionGroup(title: "Crop") var crop: ReframeOptions

    @OptionGroup(title: "Faces") var detection: DetectionOptions

    func run() async throws {
        let settings = try ReframeSettings(input: input, output: output, crop, detection)
        do {
            try await ReframeRun(settings).run()
        } catch let failure as CommandFailure {
            throw failure
        } catch let code as ExitCode {
            throw code
        } catch {
            throw CommandFailure("\(settings.inputName): \(error)")
        }
    }
}

/// The options of `reframe` that concern crops and results.
struct ReframeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Aspect ratio: 9:16 or 1.5; a comma-separated list for several results.", valueName: "ratio")
    )
    var aspect: String?

    @Option(help: ArgumentHelp("Width of the result in pixels. (default: that of the widest crop)", valueName: "px"))
    var width: String?

    @Option(help: ArgumentHelp("Height of the result in pixels.", valueName: "px"))
    var height: String?

    @Option(
        help: ArgumentHelp(
            "Subject of the crops: faces, largest, smallest, face:N, attention, center, top, bottom, left, right, "
                + "top-left and other corners, or point:X,Y. (default: faces)",
            valueName: "word"
        )
    )
    var gravity: String?

    @Option(
        help: ArgumentHelp(
            "Crop of shots without people: attention, center, top or another edge or corner. (default: attention)",
            valueName: "word"
        )
    )
    var fallback: String?

    @Option(
        help: ArgumentHelp(
            "0 for the widest crop, 1 for the tightest around the heads of a shot. (default: 0)",
            valueName: "n"
        )
    )
    var zoom: String?

    @Option(
        help: ArgumentHelp(
            "Room around each head: a share of its height, or pixels such as 24px. (default: 0.06)",
            valueName: "n"
        )
    )
    var padding: String?

    @Option(
        help: ArgumentHelp(
            "Position of the people in the crop: center, thirds, left, right, top or bottom. (default: center)",
            valueName: "word"
        )
    )
    var place: String?

    @Option(
        help: ArgumentHelp(
            "Read the input once, and know each crop so many seconds later, 0 to 10. (default: two readings of a file; "
                + "1 for a pipe)",
            valueName: "s"
        )
    )
    var lookAhead: String?

    @Option(help: ArgumentHelp("Frames a second of a video that does not say. (default: 25)", valueName: "n"))
    var fps: String?

    @Option(
        help: ArgumentHelp(
            "Write the crops as JSON, one line for each frame, instead of pictures. With several shapes, {aspect} stands "
                + "for each of them.",
            valueName: "file"
        )
    )
    var plan: String?

    @Option(help: ArgumentHelp("Take the crops from a file that --plan wrote.", valueName: "file"))
    var planFrom: String?

    @Option(
        help: ArgumentHelp(
            "source, y4m or mjpeg: that of the source; or ffmpeg: filters of ffmpeg that crop, instead of pictures. "
                + "(default: source)",
            valueName: "type"
        )
    )
    var format: String?

    @Option(help: ArgumentHelp("Quality of MJPEG, 1 to 100. (default: 82)", valueName: "n"))
    var quality: String?

    @OptionGroup(title: "Crop") var redaction: RedactionOptions

    @Option(Settings.isolation) var isolation: String?

    /// The options that are also parameters of a request.
    var pairs: [(name: String, value: String)] {
        let options: [(String, String?)] = [
            ("aspect", aspect), ("width", width), ("height", height), ("gravity", gravity), ("fallback", fallback),
            ("zoom", zoom), ("padding", padding), ("place", place),
        ]
        return givenParameters(options) + redaction.pairs
    }
}
