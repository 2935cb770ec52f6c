import Imaging
import Pipeline

/// Names and contents of the files for all faces, in an archive or a multipart body.
enum FaceFiles {
    /// The file name of the list of all faces.
    static let list = "faces.json"

    /// The file name of the picture of face `index`, counted from 1.
    static func picture(_ index: Int, _ format: ImageFormat) -> String { "face-\(index).\(format.fileExtensions[0])" }

    /// The content of the list: the body of `/faces`.
    static func document(of result: FrameResult) -> [UInt8] {
        JSONDocument.bytes(of: PlanDocument(result.plan, crops: false))
    }
}
