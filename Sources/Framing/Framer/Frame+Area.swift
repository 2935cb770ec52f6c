package import Geometry

extension Frame {
    /// A frame of a part of an image, in pixels of the whole image.
    ///
    /// - Parameter area: The part, in pixels of the image.
    package mutating func move(from area: PixelRect) {
        crop = crop.moved(x: area.x, y: area.y)
        unclamped = unclamped.moved(x: area.x, y: area.y)
        subjectArea = subjectArea?.moved(x: area.x, y: area.y)
    }
}
