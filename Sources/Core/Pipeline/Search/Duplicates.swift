package import Geometry

/// Merges detections of the same face.
///
/// Passes of different sizes find the same face at slightly different positions, and sometimes a second box inside a
/// face.
package enum Duplicates {
    /// The intersection over union above which two boxes belong to the same face.
    static let maxOverlap = 0.3
    /// The share of the smaller box inside the larger above which both belong to the same face.
    static let maxContained = 0.6

    /// The detection with the highest score of each face, merged with the others of that face, and the dropped
    /// detections; all in pixels of an upright image of a size.
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
