import ArgumentParser
import Encodings
import Framing
import Geometry
import Pipeline
import Requests
import Telemetry

/// `headroom check`: reports crops of many images that cut a head.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Reports crops that cut a head.",
        discussion: """
            Plans every aspect ratio for every image and prints the crops that cut a head. --output writes a contact sheet of \
            all crops, with cut heads in red.

            EXAMPLES
              headroom check photos/ --output sheet.html
              headroom check photos/ --aspect 16:9,1:1 --json > report.json

            EXIT STATUS
              0 if every head is whole, 1 if a head is cut, 2 if an image failed, 64 if the arguments are not valid.
            """
    )

    @Argument(help: ArgumentHelp(ImageOptions.inputsHelp, valueName: "image"))
    var inputs: [String]

    @Option(help: ArgumentHelp("Comma-separated aspect ratios.", valueName: "ratios"))
    var aspect = "16:9,1:1,9:16"

    @Option("Write a contact sheet, one HTML file.", value: "path", name: .shortAndLong)
    var output: String?

    @Flag(help: "Print the report as JSON.")
    var json = false

    @Option(.gravity) var gravity: String?
    @Option(.zoom) var zoom: String?
    @Option(.padding) var padding: String?
    @Option(.place) var place: String?

    @OptionGroup(title: "Faces") var detection: DetectionOptions

    /// The exit code for a failure; 1 means that a crop cuts a head.
    private static let failed = ExitCode(2)

    func run() async throws {
        let pairs = [(name: Parameter.aspect.name, value: aspect)] + givenParameters
        var settings = try ImageSettings(pairs, detection, wantsImage: false)
        settings.makesSheet = output != nil
        let report: CheckReport
        do {
            report = try await check(settings)
            if let output { try LocalFile.write(Array(ContactSheet(report: report).html.utf8), to: output) }
        } catch let failure as CommandFailure where failure.exitCode == .failure {
            for reason in failure.reasons { StandardStream.error.writeLine("Error: \(reason)") }
            throw Self.failed
        }
        let bytes = json ? JSONDocument.bytes(of: report, isPretty: true) : Array(report.text.utf8)
        try StandardStream.output.write(bytes)
        if report.summary.unreadable > 0 { throw Self.failed }
        if report.summary.cutCrops > 0 { throw ExitCode.failure }
    }

    private func check(_ settings: ImageSettings) async throws -> CheckReport {
        let inputs = try ImageInput.all(self.inputs)
        var images: [CheckedImage] = []
        do {
            try await ImageBatch(inputs, settings).run(printsLines: false) { input, result in
                images.append(CheckedImage(input.name, result))
            }
        } catch is ExitCode {
            // The failures have been reported; the report counts them.
        }
        return CheckReport(images, unreadable: inputs.count - images.count)
    }
}

/// The heads of an image and the crops that cut them, as in the JSON of the report.
struct CheckedImage: Encodable {
    struct Face: Encodable {
        let head: PixelRect
        /// The probability that it is a face, 0 to 1.
        let confidence: Double
        /// The margin above the detector's threshold.
        let score: Double
        let uncertain: Bool
    }

    /// The crop for one of the requested aspect ratios.
    struct Crop: Encodable {
        let aspect: String
        let crop: PixelRect
        let decision: String
        /// The faces whose heads are cut, counted from 1.
        let cut: [Int]
    }

    private enum CodingKeys: String, CodingKey {
        case file, width, height, faces, crops
    }

    /// The minimum confidence of a face that is not reported as uncertain; it corresponds to a score of 0.3.
    private static let minConfidence = 0.935

    let file: String
    let width, height: Int
    let faces: [Face]
    let crops: [Crop]
    /// The image and its crops as small JPEG files; empty without a contact sheet.
    let images: [[UInt8]]

    /// Reads a result.
    ///
    /// If it contains images, its first crop is the whole image and is omitted.
    init(_ file: String, _ result: FrameResult) {
        self.file = file
        width = result.plan.source.size.width
        height = result.plan.source.size.height
        faces = result.plan.faces.map { face in
            let confidence = DetectionScore.probability(face.confidence)
            let isUncertain = confidence < Self.minConfidence
            return Face(head: face.head, confidence: confidence, score: face.confidence, uncertain: isUncertain)
        }
        images = result.images.map(\.bytes)
        let heads = faces.map(\.head)
        crops = result.plan.crops.dropFirst(images.isEmpty ? 0 : 1).map { crop in
            Crop(
                aspect: crop.aspect?.text ?? "\(crop.rect.width):\(crop.rect.height)",
                crop: crop.rect,
                decision: crop.decision.description,
                cut: heads.indices.filter { !crop.rect.contains(heads[$0]) }.map { $0 + 1 }
            )
        }
    }

    /// One line per problem.
    fileprivate var lines: [String] {
        let file = QuotedText.line(file)
        if faces.isEmpty { return ["\(file): no face"] }
        let cuts = crops.filter { !$0.cut.isEmpty }.map { crop in
            "\(file): \(crop.aspect) cuts \(crop.cut.count) of \(faces.count.counted("head"))"
        }
        let doubts = faces.enumerated().filter(\.element.uncertain).map { index, face in
            "\(file): face \(index + 1) is uncertain (\(face.confidence.text(decimals: 2)))"
        }
        return cuts + doubts
    }
}

/// The results of a check of many images, as text or JSON.
struct CheckReport: Encodable {
    struct Summary: Encodable {
        let images, faces, crops, cutCrops, withoutFace, uncertainFaces: Int
        /// Images that could not be read.
        let unreadable: Int

        /// The counts in one sentence.
        var text: String {
            var words = [
                images.counted("image"), faces.counted("face"), crops.counted("crop"),
                "\(cutCrops) that cut a head", "\(withoutFace) without a face",
            ]
            if uncertainFaces > 0 { words.append("\(uncertainFaces) uncertain") }
            if unreadable > 0 { words.append("\(unreadable) not readable") }
            return words.joined(separator: ", ")
        }
    }

    let images: [CheckedImage]
    let summary: Summary

    init(_ images: [CheckedImage], unreadable: Int) {
        self.images = images
        let faces = images.flatMap(\.faces)
        let crops = images.flatMap(\.crops)
        summary = Summary(
            images: images.count,
            faces: faces.count,
            crops: crops.count,
            cutCrops: crops.count { !$0.cut.isEmpty },
            withoutFace: images.count { $0.faces.isEmpty },
            uncertainFaces: faces.count(where: \.uncertain),
            unreadable: unreadable
        )
    }

    /// One line per problem, and a summary.
    var text: String { (images.flatMap(\.lines) + [summary.text]).map { "\($0)\n" }.joined() }
}
