import HTTPTypes
import Imaging
import Pipeline

/// The pictures of all faces in one file.
enum FaceArchive {
    /// A ZIP file with `face-1.jpg`, `face-2.jpg` …, the largest face first, and `faces.json`, the body of `/faces`.
    ///
    /// - Throws: A ``Problem`` when the pictures exceed the limits of a ZIP file.
    static func bytes(of result: FrameResult) throws(Problem) -> [UInt8] {
        var archive = ZIPArchive()
        do {
            try archive.add(FaceFiles.list, FaceFiles.document(of: result))
            for (index, image) in result.images.enumerated() {
                try archive.add(FaceFiles.picture(index + 1, image.format), image.bytes)
            }
        } catch {
            throw Problem(.tooLarge, .unprocessableContent, "The pictures of the faces are too large for a ZIP file.")
        }
        return archive.bytes()
    }
}
