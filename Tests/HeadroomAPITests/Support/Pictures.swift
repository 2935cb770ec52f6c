import Geometry
import Imaging
import TestPictures

/// The pictures that tests post.
enum Pictures {
    /// One person, right of the middle.
    static let single = DrawnPicture(width: 640, height: 400, faces: [DrawnFace(x: 420, y: 150, side: 110)])

    /// A small face on the left, a larger one on the right: a square keeps only one of them whole, 16:9 both.
    static let pair = DrawnPicture(
        width: 640,
        height: 400,
        faces: [DrawnFace(x: 60, y: 150, side: 90), DrawnFace(x: 440, y: 140, side: 130)]
    )

    /// Nobody.
    static let blank = DrawnPicture(width: 320, height: 240)

    static let singleJPEG = Result { try single.jpeg() }
    static let pairJPEG = Result { try pair.jpeg() }
    static let blankJPEG = Result { try blank.jpeg() }
    static let blankPNG = Result { try blank.png() }
}

extension JSONValue {
    /// A rectangle of an answer; empty when it is none.
    var rect: PixelRect {
        PixelRect(
            x: self["x"].integer ?? 0,
            y: self["y"].integer ?? 0,
            width: self["width"].integer ?? 0,
            height: self["height"].integer ?? 0
        )
    }
}

/// A value as a query holds it.
func percentEncoded(_ text: String) -> String {
    text.utf8.map { byte in
        let isPlain = (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        return isPlain
            ? String(UnicodeScalar(byte)) : "%" + String(Int(byte) + 0x100, radix: 16).dropFirst().uppercased()
    }.joined()
}
