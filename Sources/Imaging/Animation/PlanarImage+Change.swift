import CImageCodec
import Geometry

extension PlanarImage {
    /// Four planes: red, green, blue and alpha, of an RGB picture; transparent pixels are white.
    ///
    /// - Throws: ``CodecError/outOfMemory``.
    func withAlphaPlane() throws(CodecError) -> [Plane] {
        if let alpha { return try hidingColors().planes + [alpha] }
        return planes + [try Plane(size, filledWith: 255)]
    }
}

extension [Plane] {
    /// The smallest rectangle that contains every pixel that differs from `others`, planes of the same number and size;
    /// nil if there is none.
    func change(from others: [Plane]) -> PixelRect? {
        var box = hr_box()
        hr_find_change(map(\.view), others.map(\.view), Int32(count), &box)
        guard box.width > 0 else { return nil }
        return PixelRect(x: Int(box.x), y: Int(box.y), width: Int(box.width), height: Int(box.height))
    }
}
