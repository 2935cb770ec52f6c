import ArgumentParser
import FramePipeline
import HeadroomAPI

/// `headroom check`: whether crops keep the heads in many pictures.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Tells which crops of pictures cut a head.",
        discussion: """
            Plans every shape for every picture, prints what to look at, and can draw a sheet of all crops on which cut \
            heads are red.

            EXAMPLES
              headroom check photos/ --output sheet.html
              headroom check photos/ --aspect 16:9,1:1 --json > report.json

            EXIT STATUS
              0 when every head is whole, 1 when one is cut, 2 when something failed, 64 when the call was wrong.
            """
    )

    @Argument(help: ArgumentHelp(PictureOptions.inputsHelp, valueName: "picture"))
    var inputs: [String]

    @Option(help: ArgumentHelp("The shapes, with commas between.", valueName: "ratios"))
    var aspect = "16:9,1:1,9:16"

    @Option(name: .shortAndLong, help: ArgumentHelp("Write the sheet, one HTML file.", valueName: "path"))
    var output: String?

    @Flag(help: "Print the report as JSON.")
    var json = false

    @Option(help: ArgumentHelp("What crops are built around. (default: faces)", valueName: "word"))
    var gravity: String?

    @Option(help: ArgumentHelp("0 for the widest crops, 1 for the tightest. (default: 0)", valueName: "n"))
    var zoom: String?

    @Option(help: ArgumentHelp("Room around every head. (default: 0.06)", valueName: "n"))
    var padding: String?

    @Option(help: ArgumentHelp("Where people are in the crops. (default: center)", valueName: "word"))
    var place: String?

    @OptionGroup(title: "Faces") var detection: DetectionOptions

    /// The exit code when something failed, for 1 says that a head is cut.
    private static let failed = ExitCode(2)

    func run() async throws {
        let given = [
            ("aspect", aspect), ("gravity", gravity), ("zoom", zoom), ("padding", padding), ("place", place),
        ]
        let pairs = given.compactMap { name, value in value.map { (name: name, value: $0) } }
        var settings = try PictureSettings(pairs, detection, wantsImage: false)
        settings.makesSheet = output != nil
        let report: CheckReport
        do {
            report = try await check(settings)
            if let output { try LocalFile.write(Array(ContactSheet(report: report).html.utf8), to: output) }
        } catch let failure as CommandFailure where failure.exitCode == .failure {
            for reason in failure.reasons { StandardStream.error.writeLine("Error: \(reason)") }
            throw Self.failed
        }
        try StandardStream.output.write(json ? report.json : report.text)
        if report.unreadable > 0 { throw Self.failed }
        if report.cutCrops > 0 { throw ExitCode.failure }
    }

    private func check(_ settings: PictureSettings) async throws -> CheckReport {
        let inputs = try PictureInput.all(self.inputs)
        let batch = try PictureBatch(inputs: inputs, settings: settings)
        var pictures: [CheckedPicture] = []
        do {
            try await batch.run(Progress(total: inputs.count, printsLines: false)) { input, result in
                pictures.append(CheckedPicture(input.name, result))
            }
        } catch is ExitCode {
            // What failed has been said; the report counts it.
        }
        return CheckReport(pictures: pictures, unreadable: inputs.count - pictures.count)
    }
}
