import CImageCodec
import Geometry

extension [Plane] {
    /// Returns the smallest rectangle around all pixels that differ from `others`, the same number of planes of the
    /// same size; nil if no pixel differs.
    func change(from others: [Plane]) -> PixelRect? {
        var box = hr_box()
        withViews { own in others.withViews { hr_find_change(own, $0, Int32(count), &box) } }
        guard box.width > 0 else { return nil }
        return PixelRect(x: Int(box.x), y: Int(box.y), width: Int(box.width), height: Int(box.height))
    }
}
