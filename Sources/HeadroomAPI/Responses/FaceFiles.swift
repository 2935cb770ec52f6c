import Imaging
import Pipeline

/// Names and contents of the files for all faces, in an archive or a multipart body.
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
