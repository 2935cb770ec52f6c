import ArgumentParser
import Encodings
import FaceDetection
import Geometry
import Pipeline
import Requests
import Telemetry

/// `headroom faces`: lists the faces in images.
struct FacesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faces",
        abstract: "Lists the faces in images, largest first.",
        discussion: """
            Rectangles are in pixels of the upright image: x and y of the top left corner, width and height.

            EXAMPLES
              headroom faces team.jpg
              headroom faces photos/ --json > faces.jsonl
              headroom faces photos/ --focus > focus.csv
              headroom faces photos/ --focus --output points.jsonl
            """
    )

    @Argument(help: ArgumentHelp(ImageOptions.inputsHelp, valueName: "image"))
    var inputs: [String]

    @Flag(help: "Print JSON, one line per image.")
    var json = false

    @Flag(
        help: "Print focal points, the centre of all heads: as CSV, or with --json in the syntax of several services."
    )
    var focus = false

    @Option(
        "With --focus: append the points of new images to this JSON Lines file. Only lines with \"by\": \"headroom\" are "
            + "ever changed.",
        value: "path",
        name: .shortAndLong
    )
    var output: String?

    @Flag(help: "With --output: recompute the points that headroom has set.")
    var again = false

    @OptionGroup(title: "Faces") var detection: DetectionOptions

    func run() async throws {
        let settings = try ImageSettings([], detection, wantsImage: false)
        guard focus || output == nil else {
            throw CommandFailure.usage("--output requires --focus; otherwise redirect the output")
        }
        guard output != nil || !again else { throw CommandFailure.usage("--again requires --output") }
        let inputs = try ImageInput.all(self.inputs)
        if let output { return try await update(output, inputs, settings) }
        let batch = try ImageBatch(inputs, settings)
        if focus, !json { try StandardStream.output.write(FocalRow.header) }
        try await batch.run(printsLines: true) { input, result in
            switch (focus, json) {
            case (true, true): if let row = FocalRow(input, result) { try StandardStream.output.write(json: row) }
            case (true, false): if let row = FocalRow(input, result) { try StandardStream.output.write(row.csv) }
            case (false, true):
                let plan = PlanDocument(result.plan, crops: false)
                try StandardStream.output.write(json: FileDocument(file: input.name, plan: plan))
            case (false, false): try StandardStream.output.write(Self.lines(input, result.plan))
            }
        }
    }

    /// Adds the focal points of images without a point to a file.
    ///
    /// With `--again`, also replaces points from this program.
    ///
    /// If an image fails, the points found for the other images are written before the error is thrown.
    private func update(_ path: String, _ inputs: [ImageInput], _ settings: ImageSettings) async throws {
        var points = try FocalFile(path)
        let missing = inputs.filter { points.needs($0.name, again: again) }
        var failure: (any Error)?
        if !missing.isEmpty {
            do {
                try await ImageBatch(missing, settings).run(printsLines: false) { input, result in
                    if let row = FocalRow(input, result) { points.set(row) }
                }
            } catch {
                failure = error
            }
            try points.write()
        }
        let kept = points.kept
        StandardStream.error.writeLine(
            "\(points.written) points found, \(kept.count) kept (\(kept.byHand) set by hand)"
        )
        if let failure { throw failure }
    }

    private static func lines(_ input: ImageInput, _ plan: FramePlan) -> String {
        let count = plan.faces.count
        let size = plan.source.size
        let faces = count == 0 ? "no face" : count.counted("face")
        var lines = "\(QuotedText.line(input.name)): \(size.width)×\(size.height), \(faces)\n"
        for (index, face) in plan.faces.enumerated() {
            let box = face.box
            let pose = face.pose.map { ", \($0.rawValue)" } ?? ""
            let confidence = DetectionScore.probability(face.confidence).text(decimals: 2)
            lines +=
                "  \(index + 1): \(box.width)×\(box.height) at \(box.x),\(box.y), confidence \(confidence)\(pose)\n"
        }
        return lines
    }
}

/// A plan with its file name, as one line of JSON.
struct FileDocument: Encodable {
    let file: String
    let plan: PlanDocument

    private enum Key: String, CodingKey {
        case file
    }

    func encode(to encoder: any Encoder) throws {
        try plan.encode(to: encoder)
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(file, forKey: .file)
    }
}
