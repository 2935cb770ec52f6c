import Geometry
import HTTPTypes
import Imaging
import Pipeline
import Requests

/// Responses that contain the list of faces and an image of each face.
enum FaceFiles {
    private struct File {
        let name: String
        let mediaType: String
        let content: [UInt8]
        /// The rectangle of an image in the source; nil for the list.
        var crop: PixelRect?
    }

    /// `faces.json`, the body of `/faces`, and `face-1.jpg`, `face-2.jpg` …, the largest face first.
    private static func files(of result: FrameResult) -> [File] {
        let list = JSONDocument.bytes(of: PlanDocument(result.plan, crops: false))
        let images = zip(result.images, result.plan.crops).enumerated().map { index, face in
            let (image, crop) = face
            let name = "face-\(index + 1).\(image.format.fileExtensions[0])"
            return File(name: name, mediaType: image.format.mediaType, content: image.bytes, crop: crop.rect)
        }
        return [File(name: "faces.json", mediaType: "application/json", content: list)] + images
    }

    /// Returns a ZIP file.
    ///
    /// - Throws: A ``Problem`` when the images exceed the limits of a ZIP file.
    static func archive(of result: FrameResult) throws(Problem) -> [UInt8] {
        var archive = ZIPArchive()
        do {
            for file in files(of: result) { try archive.add(file.name, file.content) }
        } catch {
            throw Problem(.tooLarge, .unprocessableContent, "The images of the faces are too large for a ZIP file.")
        }
        return archive.bytes()
    }

    /// Returns a multipart body, in which each part has its own header fields (RFC 2046 §5.1).
    ///
    /// The header of each image contains the number of its face and the rectangle of the image in the source. The
    /// boundary must not occur in any part.
    static func multipart(of result: FrameResult, boundary: String) -> (mediaType: String, bytes: [UInt8]) {
        var bytes: [UInt8] = []
        for (index, file) in files(of: result).enumerated() {
            var fields: [(HTTPField.Name, String)] = [
                (.contentType, file.mediaType), (.contentDisposition, "attachment; filename=\"\(file.name)\""),
            ]
            if let crop = file.crop {
                fields.append((.headroomFace, "\(index)"))
                // A dictionary (RFC 9651 §3.2).
                let value = "x=\(crop.x), y=\(crop.y), width=\(crop.width), height=\(crop.height)"
                fields.append((.headroomCrop, value))
            }
            bytes += "--\(boundary)\r\n".utf8
            for (name, value) in fields { bytes += "\(name.rawName): \(value)\r\n".utf8 }
            bytes += "\r\n".utf8
            bytes += file.content
            bytes += "\r\n".utf8
        }
        bytes += "--\(boundary)--\r\n".utf8
        return ("multipart/mixed; boundary=\"\(boundary)\"", bytes)
    }
}
