import ArgumentParser
import Foundation
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

    @Option("Write a contact sheet, one HTML file.", value: "path", name: .shortAndLong)
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
        var pictures: [CheckedPicture] = []
        do {
            try await PictureBatch(inputs, settings).run(printsLines: false) { input, result in
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

    /// Reads a result; if it has images, its first crop is the whole picture and is left out.
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

/// The results of a check of many pictures, as text or JSON.
struct CheckReport: Sendable {
    var pictures: [CheckedPicture]
    /// Pictures that could not be read.
    var unreadable: Int

    var faces: Int { pictures.reduce(0) { $0 + $1.faces.count } }
    var crops: Int { pictures.reduce(0) { $0 + $1.crops.count } }
    var cutCrops: Int { pictures.reduce(0) { $0 + $1.crops.count { !$0.cut.isEmpty } } }
    var withoutFace: Int { pictures.count { $0.faces.isEmpty } }
    var uncertainFaces: Int { pictures.reduce(0) { $0 + $1.uncertain.count } }

    /// One line per finding, and a summary.
    var text: String { (pictures.flatMap(Self.lines) + [summary]).map { "\($0)\n" }.joined() }

    /// The counts, as a sentence.
    var summary: String {
        var words = [
            Self.count(pictures.count, "picture"), Self.count(faces, "face"), Self.count(crops, "crop"),
            "\(cutCrops) that cut a head", "\(withoutFace) without a face",
        ]
        if uncertainFaces > 0 { words.append("\(uncertainFaces) uncertain") }
        if unreadable > 0 { words.append("\(unreadable) not readable") }
        return words.joined(separator: ", ")
    }

    private static func lines(_ picture: CheckedPicture) -> [String] {
        if picture.faces.isEmpty { return ["\(picture.file): no face"] }
        let cuts = picture.crops.filter { !$0.cut.isEmpty }.map { crop in
            "\(picture.file): \(crop.aspect) cuts \(crop.cut.count) of \(count(picture.faces.count, "head"))"
        }
        let doubts = picture.uncertain.map { number in
            let confidence = String(format: "%.2f", picture.faces[number - 1].confidence)
            return "\(picture.file): face \(number) is uncertain (\(confidence))"
        }
        return cuts + doubts
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// The report as one JSON document with a line end.
    var json: String {
        String(decoding: JSONDocument.bytes(of: Document(self), isPretty: true), as: UTF8.self)
    }
}

/// The JSON form of the report.
private struct Document: Encodable {
    struct Summary: Encodable {
        var pictures, faces, crops, cutCrops, withoutFace, uncertainFaces, unreadable: Int
    }

    struct Picture: Encodable {
        var file: String
        var width, height: Int
        var faces: [Face]
        var crops: [Crop]
    }

    struct Face: Encodable {
        var head: Rect
        var confidence: Double
        var uncertain: Bool
    }

    struct Crop: Encodable {
        var aspect, decision: String
        var crop: Rect
        /// The faces whose heads are cut, counted from 1.
        var cut: [Int]
    }

    struct Rect: Encodable {
        var x, y, width, height: Int

        init(_ rect: PixelRect) { (x, y, width, height) = (rect.x, rect.y, rect.width, rect.height) }
    }

    var summary: Summary
    var pictures: [Picture]

    init(_ report: CheckReport) {
        summary = Summary(
            pictures: report.pictures.count,
            faces: report.faces,
            crops: report.crops,
            cutCrops: report.cutCrops,
            withoutFace: report.withoutFace,
            uncertainFaces: report.uncertainFaces,
            unreadable: report.unreadable
        )
        pictures = report.pictures.map { picture in
            Picture(
                file: picture.file,
                width: picture.size.width,
                height: picture.size.height,
                faces: picture.faces.map { face in
                    let isUncertain = face.confidence < CheckedPicture.leastConfidence
                    return Face(head: Rect(face.head), confidence: face.confidence, uncertain: isUncertain)
                },
                crops: picture.crops.map {
                    Crop(aspect: $0.aspect, decision: $0.decision, crop: Rect($0.rect), cut: $0.cut)
                }
            )
        }
    }
}
