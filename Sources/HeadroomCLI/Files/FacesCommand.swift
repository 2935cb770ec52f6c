import ArgumentParser
import FaceDetection
import FramePipeline
import Foundation
import Framing
import HeadroomAPI

/// `headroom faces`: where the faces are.
struct FacesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faces",
        abstract: "Lists the faces in pictures, the largest first.",
        discussion: """
            Rectangles are in pixels of the upright picture: x and y of the top left corner, width and height.

            EXAMPLES
              headroom faces team.jpg
              headroom faces photos/ --json > faces.jsonl
            """
    )

    @Argument(help: ArgumentHelp("Pictures, folders of pictures, or - for standard input.", valueName: "in"))
    var inputs: [String]

    @Flag(help: "Print JSON, one line a picture.")
    var json = false

    @OptionGroup var detection: DetectionOptions

    func run() async throws {
        let parameters = try PictureParameters(detection.pairs)
        let inputs = try PictureInput.all(self.inputs)
        let batch = try PictureBatch(inputs: inputs, options: detection)
        let wantsJSON = json
        let succeeded = await batch.run { bytes in
            parameters.job(source: bytes, wantsPlan: true)
        } finish: { input, result in
            if wantsJSON {
                print(FileDocument(file: input.name, plan: PlanDocument(result.plan, crops: false)).line)
            } else {
                print(Self.lines(input, result.plan).joined(separator: "\n"))
            }
        }
        if !succeeded { throw ExitCode.failure }
    }

    private static func lines(_ input: PictureInput, _ plan: FramePlan) -> [String] {
        let count = plan.faces.count
        let size = plan.source.size
        let title =
            "\(input.name): \(size.width)×\(size.height), \(count == 0 ? "no" : "\(count)") face\(count == 1 ? "" : "s")"
        return [title]
            + plan.faces.enumerated().map { index, face in
                let box = face.box
                let pose = face.pose.map { ", \($0.rawValue)" } ?? ""
                let confidence = String(format: "%.2f", face.confidence)
                return
                    "  \(index + 1): \(box.width)×\(box.height) at \(box.x),\(box.y), confidence \(confidence)\(pose)"
            }
    }
}
