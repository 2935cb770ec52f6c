import ArgumentParser
import Framing
import Geometry
import Pipeline
import Requests

/// `headroom check`: reports crops of many pictures that cut a head.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Reports crops that cut a head.",
        discussion: """
            Plans every shape for every picture and prints the crops that cut a head. --output writes a contact sheet of \
            all crops, with cut heads in red.

            EXAMPLES
              headroom check photos/ --output sheet.html
              headroom check photos/ --aspect 16:9,1:1 --json > report.json

            EXIT STATUS
              0 if every head is whole, 1 if one is cut, 2 if a picture failed, 64 if the arguments are not valid.
            """
    )

    @Argument(help: ArgumentHelp(PictureOptions.inputsHelp, valueName: "picture"))
    var inputs: [String]

    @Option(help: ArgumentHelp("Comma-separated shapes.", valueName: "ratios"))
    var aspect = "16:9,1:1,9:16"

    @Option(name: .shortAndLong, help: ArgumentHelp("Write a contact sheet, one HTML file.", valueName: "path"))
    var output: String?

    @Flag(help: "Print the report as JSON.")
    var json = false

    @Option(.gravity) var gravity: String?
    @Option(.zoom) var zoom: String?
    @Option(.padding) var padding: String?
    @Option(.place) var place: String?

    @OptionGroup(title: "Faces") var detection: DetectionOptions

    /// The exit code for a failure; 1 means that a head is cut.
    private static let failed = ExitCode(2)

    func run() async throws {
        let pairs = [(name: Parameter.aspect.name, value: aspect)] + givenParameters
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
            // The failures have been reported; the report counts them.
        }
        return CheckReport(pictures: pictures, unreadable: inputs.count - pictures.count)
    }
}

/// The heads of a picture and the crops that cut them.
struct CheckedPicture: Sendable {
    /// The crop for one of the requested shapes.
    struct Crop: Sendable {
        var aspect: String
        var rect: PixelRect
        var decision: String
        /// The faces whose heads are cut, counted from 1.
        var cut: [Int]
    }

    /// The confidence below which a face is reported as uncertain; scores of dlib's faces range from 0 to about 3.
    static let leastConfidence = 0.3

    var file: String
    var size: PixelSize
    var faces: [Face]
    var crops: [Crop]
    /// The picture and its crops as small JPEG files; empty without a contact sheet.
    var images: [[UInt8]]

    /// Reads a result, whose first crop is the whole picture if there are images.
    init(_ file: String, _ result: FrameResult) {
        self.file = file
        size = result.plan.source.size
        faces = result.plan.faces
        images = result.images.map(\.bytes)
        let heads = faces.map(\.head)
        crops = result.plan.crops.dropFirst(images.isEmpty ? 0 : 1).map { crop in
            Crop(
                aspect: crop.aspect?.text ?? "\(crop.rect.width):\(crop.rect.height)",
                rect: crop.rect,
                decision: crop.decision.description,
                cut: heads.indices.filter { !crop.rect.contains(heads[$0]) }.map { $0 + 1 }
            )
        }
    }

    /// The faces below ``leastConfidence``, counted from 1.
    var uncertain: [Int] { faces.indices.filter { faces[$0].confidence < Self.leastConfidence }.map { $0 + 1 } }
}
