import Geometry
import HTTPTypes
import Imaging
import Pipeline
import Requests

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

/// The pictures of all faces as the parts of one body.
enum FaceParts {
    /// The body: the list of faces, as in the response of `/faces`, then a picture of each face, the largest first.
    ///
    /// The header of each picture has the number of its face, and the picture's rectangle in the source.
    static func body(of result: FrameResult, boundary: String) -> MultipartBody {
        var body = MultipartBody(boundary: boundary)
        body.add(fields("application/json", FaceFiles.list), FaceFiles.document(of: result))
        for (index, (image, crop)) in zip(result.images, result.plan.crops).enumerated() {
            let rect = crop.rect
            body.add(
                fields(image.format.mediaType, FaceFiles.picture(index + 1, image.format)) + [
                    (HTTPField.Name.headroomFace.rawName, "\(index + 1)"),
                    // A dictionary (RFC 9651 §3.2).
                    (
                        HTTPField.Name.headroomCrop.rawName,
                        "x=\(rect.x), y=\(rect.y), width=\(rect.width), height=\(rect.height)"
                    ),
                ],
                image.bytes
            )
        }
        body.close()
        return body
    }

    private static func fields(_ contentType: String, _ name: String) -> [(name: String, value: String)] {
        [
            (HTTPField.Name.contentType.rawName, contentType),
            (HTTPField.Name.contentDisposition.rawName, "attachment; filename=\"\(name)\""),
        ]
    }
}

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

/// A multipart body; each part has its own header fields (RFC 2046 §5.1).
struct MultipartBody {
    /// The boundary, which must not occur in any part.
    let boundary: String
    private(set) var bytes: [UInt8] = []

    /// A body without parts.
    init(boundary: String) { self.boundary = boundary }

    /// The media type with the boundary.
    var contentType: String { "multipart/mixed; boundary=\"\(boundary)\"" }

    /// Adds a part.
    ///
    /// - Parameters:
    ///   - fields: Names and values as written in the header, in ASCII and without line breaks.
    ///   - content: The part's bytes, written unchanged.
    mutating func add(_ fields: [(name: String, value: String)], _ content: [UInt8]) {
        bytes += "--\(boundary)\r\n".utf8
        for (name, value) in fields { bytes += "\(name): \(value)\r\n".utf8 }
        bytes += "\r\n".utf8
        bytes += content
        bytes += "\r\n".utf8
    }

    /// Writes the closing delimiter; no part can be added afterwards.
    mutating func close() { bytes += "--\(boundary)--\r\n".utf8 }
}
