import Geometry

/// Merges detections of the same face.
///
/// Passes at different sizes find the same face at slightly different places, and now and then a second box inside a face.
enum Duplicates {
    /// Boxes that share more than this of their union are of one face.
    static let mostOverlap = 0.3
    /// A box with more than this of its area inside another is of the same face.
    static let mostContained = 0.6

    /// The surest of every group of boxes of one face, merged with the others, and what was dropped for it.
    static func merged(_ faces: [Face], in size: PixelSize) -> (kept: [Face], dropped: [Face]) {
        var kept: [Face] = []
        var dropped: [Face] = []
        for face in faces.sorted(by: isSurer) {
            if let same = kept.firstIndex(where: { isSame($0.box, face.box) }) {
                kept[same].merge(face, in: size)
                dropped.append(face)
            } else {
                kept.append(face)
            }
        }
        return (kept, dropped)
    }

    private static func isSurer(_ left: Face, _ right: Face) -> Bool {
        (left.confidence, left.box.area, -left.box.x) > (right.confidence, right.box.area, -right.box.x)
    }

    private static func isSame(_ left: PixelRect, _ right: PixelRect) -> Bool {
        let shared = Double(left.intersection(right).area)
        let smaller = Double(min(left.area, right.area))
        return left.overlap(with: right) > mostOverlap || shared > mostContained * smaller
    }
}
