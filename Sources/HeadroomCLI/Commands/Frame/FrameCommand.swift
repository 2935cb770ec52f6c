import ArgumentParser
import Pipeline
import Requests

/// `headroom frame`: crops files.
struct FrameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "frame",
        abstract: "Crops pictures around the people in them.",
        discussion: """
            A folder stands for all pictures below it. The output folder gets the same subfolders.

            EXAMPLES
              headroom frame team.jpg --aspect 16:9 --output wide.jpg
              headroom frame photos/ more/a.png --aspect 1:1 --width 400 --output avatars/
              headroom frame - --aspect 4:5 < in.jpg > out.jpg
              curl -fsSL https://example.com/a.jpg | headroom frame - --aspect 1:1 > a.jpg
              headroom frame team.jpg --aspect 16:9,1:1,9:16 --json
            """
    )

    @Argument(help: ArgumentHelp(PictureOptions.inputsHelp, valueName: "picture"))
    var inputs: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "A file, a folder, or - for standard output. (default: - for a single picture)",
            valueName: "path"
        )
    )
    var output: String?

    @Flag(help: "Print the plans as JSON, one line per picture, instead of writing crops.")
    var json = false

    @OptionGroup(title: "Crop") var picture: PictureOptions

    @OptionGroup(title: "Faces") var detection: DetectionOptions

    func run() async throws {
        var settings = try PictureSettings(picture, detection, wantsImage: !json)
        if json, output != nil { throw CommandFailure.usage("--output is for crops; redirect what --json prints") }
        let inputs = try PictureInput.all(self.inputs)
        let output: PictureOutput
        if json {
            output = .standardOutput
        } else {
            settings.format = settings.format ?? PictureOutput.format(named: self.output)
            output = try PictureOutput(self.output, inputs: inputs, format: settings.format)
        }
        let batch = try PictureBatch(inputs: inputs, settings: settings)
        try await batch.run(Progress(total: inputs.count, printsLines: json)) { input, result in
            if let image = result.image {
                try output.write(image, of: input)
                if result.plan.coveredHeads == 0 {
                    StandardStream.error.writeLine("\(input.name): --redact covers nobody: no head was found for it")
                }
                if let key = result.plan.borderKey, key == .none {
                    let reason = "the borders have no colour that can be a key"
                    StandardStream.error.writeLine("\(input.name): --key=auto makes nothing transparent: \(reason)")
                }
            } else {
                let document = FileDocument(file: input.name, plan: PlanDocument(result.plan, crops: true))
                try StandardStream.output.write(document.line)
            }
        }
    }
}
