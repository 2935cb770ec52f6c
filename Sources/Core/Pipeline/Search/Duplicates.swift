package import Geometry

/// Merges detections of the same face.
///
/// Passes of different sizes find the same face at slightly different positions, and sometimes a second box inside a
/// face.
package enum Duplicates {
    /// The maximum intersection over union of two boxes that belong to different faces.
    static let maxOverlap = 0.3
    /// If a larger fraction of the smaller box is inside the larger box, both boxes belong to the same face.
    static let maxContained = 0.6

    /// Merges the detections of each face into the detection with the highest score, and also returns the dropped
    /// detections.
    ///
    /// All detections are in pixels of an upright image of `size`.
    package static func merged(_ faces: [Face], in size: PixelSize) -> (kept: [Face], dropped: [Face]) {
        var kept: [Face] = []
        var dropped: [Face] = []
        for face in faces.sorted(by: isSurer) {
            if let same = kept.index(of: face) {
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

    /// Whether two boxes of one image belong to the same face.
    package static func isSame(_ left: PixelRect, _ right: PixelRect) -> Bool {
        let shared = Double(left.intersection(right).area)
        let smaller = Double(min(left.area, right.area))
        return left.overlap(with: right) > maxOverlap || shared > maxContained * smaller
    }
}
