import Geometry
import Imaging
import Synchronization
import TestImages

/// Images for input files.
enum Image {
    /// A landscape image of 480×320 pixels with one face right of its centre.
    static let face = DrawnFace(x: 300, y: 110, side: 110)

    private struct Key: Hashable {
        var format: OutputFormat
        var faces: [DrawnFace]
    }

    /// Cached, because drawing an image takes longer than most tests.
    private static let kept = Mutex<[Key: [UInt8]]>([:])

    static func encoded(as format: OutputFormat = .jpeg, faces: [DrawnFace] = [face]) throws -> [UInt8] {
        let key = Key(format: format, faces: faces)
        return try kept.withLock { kept in
            if let bytes = kept[key] { return bytes }
            let bytes = try encoded(PixelSize(width: 480, height: 320), as: format, faces: faces)
            kept[key] = bytes
            return bytes
        }
    }

    static func encoded(_ size: PixelSize, as format: OutputFormat, faces: [DrawnFace]) throws -> [UInt8] {
        let bytes = DrawnFace.rgb(faces, size: size)
        let image = try TestImage.rgb(size) { x, y in
            let start = (y * size.width + x) * 3
            return (bytes[start], bytes[start + 1], bytes[start + 2])
        }
        return try ImageEncoder.encode(image, as: format)
    }
}

extension ImageHeader {
    /// The width and height of the image in a file.
    static func size(of bytes: [UInt8]) throws -> PixelSize { try ImageHeader.read(bytes).size }
}
