import Framing
import Geometry

extension FaceFindings {
    /// The findings for a part of the picture: the faces that lie in it for the greater part, cut off at its edges.
    ///
    /// The others become ignored detections. Rectangles stay in pixels of the whole picture, on which the search
    /// depends alone.
    func restricted(to area: PixelRect) -> FaceFindings {
        guard area != PixelRect(size) else { return self }
        var part = self
        part.faces = faces.compactMap { $0.clipped(to: area) }
        part.ignored += faces.filter { $0.clipped(to: area) == nil }.map { IgnoredFace($0, .region, in: size) }
        return part
    }
}

extension Face {
    /// The face at the edges of a part of the picture; nil if most of its box is outside.
    fileprivate func clipped(to area: PixelRect) -> Face? {
        guard box.liesMostly(in: area) else { return nil }
        var face = self
        face.subject.face = subject.face.intersection(area)
        face.subject.head = subject.head.intersection(area)
        return face.subject.face.area > 0 ? face : nil
    }
}

extension PixelRect {
    /// Whether at least half of the rectangle lies in another one.
    func liesMostly(in area: PixelRect) -> Bool { 2 * intersection(area).area >= self.area }
}
