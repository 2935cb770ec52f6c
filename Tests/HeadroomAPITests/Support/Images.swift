import Geometry
import Imaging
import TestImages

/// The images that tests upload.
enum Images {
    /// One person, right of the centre.
    static let single = DrawnImage(width: 640, height: 400, faces: [DrawnFace(x: 420, y: 150, side: 110)])

    /// A small face on the left and a larger face on the right: a square contains only one of them, a 16:9 crop
    /// contains both.
    static let pair = DrawnImage(
        width: 640,
        height: 400,
        faces: [DrawnFace(x: 60, y: 150, side: 90), DrawnFace(x: 440, y: 140, side: 130)]
    )

    /// An image without people.
    static let blank = DrawnImage(width: 320, height: 240)

    static let singleJPEG = Result { try single.jpeg() }
    static let pairJPEG = Result { try pair.jpeg() }
    static let blankJPEG = Result { try blank.jpeg() }
    static let blankPNG = Result { try blank.png() }
}

extension JSONValue {
    /// A rectangle in a JSON response; empty if the value is not a rectangle.
    var rect: PixelRect {
        PixelRect(
            x: self["x"].integer ?? 0,
            y: self["y"].integer ?? 0,
            width: self["width"].integer ?? 0,
            height: self["height"].integer ?? 0
        )
    }
}

/// A percent-encoded value for a query.
func percentEncoded(_ text: String) -> String {
    text.utf8.map { byte in
        let isPlain = (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        return isPlain
            ? String(UnicodeScalar(byte)) : "%" + String(Int(byte) + 0x100, radix: 16).dropFirst().uppercased()
    }.joined()
}
