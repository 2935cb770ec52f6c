import ArgumentParser
import FramePipeline
import Foundation
import HeadroomAPI

/// `headroom frame`: crops of files.
struct FrameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "frame",
        abstract: "Crops pictures so that heads stay inside.",
        discussion: """
            EXAMPLES
              headroom frame team.jpg --aspect 16:9 --output wide.jpg
              headroom frame photos/ more/a.png --aspect 1:1 --width 400 --output avatars/
              headroom frame - --aspect 4:5 < in.jpg > out.jpg
              headroom frame team.jpg --aspect 16:9,1:1,9:16 --json
            """
    )

    @Argument(help: ArgumentHelp("Pictures, folders of pictures, or - for standard input.", valueName: "in"))
    var inputs: [String]

    @Option(
        name: .shortAndLong,
        help: "The result: a file, a folder, or - for standard output. (default: - for a single picture)"
    )
    var output: String?

    @Flag(help: "Print the plan as JSON, one line a picture, instead of making crops.")
    var json = false

    @OptionGroup var picture: PictureOptions

    @OptionGroup var detection: DetectionOptions

    func run() async throws {
        let parameters = try PictureParameters(picture.pairs + detection.pairs).checked(forImage: !json)
        let inputs = try PictureInput.all(self.inputs)
        let batch = try PictureBatch(inputs: inputs, options: detection)
        let output = json ? PictureOutput.standardOutput : try PictureOutput(output, inputs: inputs)
        if output == .standardOutput, !json, isatty(STDOUT_FILENO) == 1 {
            throw CommandFailure("the picture would go to the terminal: give --output FILE, or redirect the output")
        }
        let wantsPlan = json
        let succeeded = await batch.run { bytes in
            parameters.job(source: bytes, wantsPlan: wantsPlan)
        } finish: { input, result in
            if let image = result.image {
                try output.write(image, of: input)
            } else {
                print(FileDocument(file: input.name, plan: PlanDocument(result.plan, crops: true)).line)
            }
        }
        if !succeeded { throw ExitCode.failure }
    }
}
