import Geometry
import Pipeline

/// The point of a picture at which another service keeps the subject of a crop, from 0 to 1.
///
/// It is the middle of the kept heads and focal areas, else of the crop. A crop that is centred on the middle of a
/// rectangle contains it if it is as large, also after it is moved into the picture. So the crop of the same shape at
/// this point keeps the same heads.
struct FocalPoint: Encodable {
    /// The share of the width to the left of the point, to four digits.
    let x: Double
    /// The share of the height above the point, to four digits.
    let y: Double

    /// The focal point of a crop of a picture of the given size.
    init(of crop: FramePlan.Crop, in size: PixelSize) {
        let area = crop.focalArea
        x = Self.rounded(Double(area.x) + Double(area.width) / 2, of: size.width)
        y = Self.rounded(Double(area.y) + Double(area.height) / 2, of: size.height)
    }

    /// A length as a share of a side, to four digits, so that no share is written with an exponent.
    static func rounded(_ length: Double, of side: Int) -> Double {
        (length / Double(side) * 10_000).rounded() / 10_000
    }
}

extension FramePlan.Crop {
    /// The rectangle around the subject: the kept heads and focal areas, else the crop.
    var focalArea: PixelRect { subjectArea ?? rect }
}
