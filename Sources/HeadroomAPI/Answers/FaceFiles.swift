import FramePipeline
import ImageCodec

/// What the files of all faces are called and hold, in whatever they are sent.
enum FaceFiles {
    /// The list of all faces.
    static let list = "faces.json"

    /// The picture of face `index`, from 1.
    static func picture(_ index: Int, _ format: ImageFormat) -> String { "face-\(index).\(format.fileExtensions[0])" }

    /// The list's bytes: what `/faces` answers.
    static func document(of result: FrameResult) -> [UInt8] {
        JSONDocument.bytes(of: PlanDocument(result.plan, crops: false))
    }
}
