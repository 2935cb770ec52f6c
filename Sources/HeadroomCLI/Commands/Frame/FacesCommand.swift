import ArgumentParser
import FaceDetection
import Foundation
import Geometry
import Pipeline
import Requests

/// `headroom faces`: lists the faces in pictures.
struct FacesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faces",
        abstract: "Lists the faces in pictures, the largest first.",
        discussion: """
            Rectangles are in pixels of the upright picture: x and y of the top left corner, width and height.

            EXAMPLES
              headroom faces team.jpg
              headroom faces photos/ --json > faces.jsonl
              headroom faces photos/ --focus > focus.csv
            """
    )

    @Argument(help: ArgumentHelp(PictureOptions.inputsHelp, valueName: "picture"))
    var inputs: [String]

    @Flag(help: "Print JSON, one line per picture.")
    var json = false

    @Flag(
        help: "Print focal points, the middle of all heads: as CSV, or with --json in the words of several services."
    )
    var focus = false

    @OptionGroup(title: "Faces") var detection: DetectionOptions

    func run() async throws {
        let settings = try PictureSettings(nil, detection, wantsImage: false)
        let inputs = try PictureInput.all(self.inputs)
        let batch = try PictureBatch(inputs: inputs, settings: settings)
        let (wantsJSON, wantsFocus) = (json, focus)
        if wantsFocus, !wantsJSON { try StandardStream.output.write(FocalRow.header) }
        try await batch.run(Progress(total: inputs.count, printsLines: true)) { input, result in
            if wantsFocus {
                guard let focus = FocusDocument(result.plan) else { return }
                let row = FocalRow(file: input.name, faces: result.plan.faces.count, focus: focus)
                try StandardStream.output.write(wantsJSON ? row.json : row.csv)
            } else if wantsJSON {
                let document = FileDocument(file: input.name, plan: PlanDocument(result.plan, crops: false))
                try StandardStream.output.write(document.line)
            } else {
                try StandardStream.output.write(Self.lines(input, result.plan))
            }
        }
    }

    private static func lines(_ input: PictureInput, _ plan: FramePlan) -> String {
        let count = plan.faces.count
        let size = plan.source.size
        let faces = count == 0 ? "no face" : count == 1 ? "1 face" : "\(count) faces"
        var lines = "\(input.name): \(size.width)×\(size.height), \(faces)\n"
        for (index, face) in plan.faces.enumerated() {
            let box = face.box
            let pose = face.pose.map { ", \($0.rawValue)" } ?? ""
            let confidence = String(format: "%.2f", face.confidence)
            lines +=
                "  \(index + 1): \(box.width)×\(box.height) at \(box.x),\(box.y), confidence \(confidence)\(pose)\n"
        }
        return lines
    }
}
