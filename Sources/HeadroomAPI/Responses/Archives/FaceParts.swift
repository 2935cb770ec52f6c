import Geometry
import HTTPTypes
import Imaging
import Pipeline

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
