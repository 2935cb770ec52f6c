import Geometry

extension [Face] {
    /// Returns the position of the face that `face` belongs to; nil if no face matches.
    func index(of face: Face) -> Int? { firstIndex { Duplicates.isSame($0.box, face.box) } }

    /// Adds the faces of another network pass: known faces are averaged, new faces need a minimum confidence.
    mutating func add(_ found: [Face], above minimum: Double, in size: PixelSize) {
        for face in Duplicates.merged(found.filter { $0.confidence > 0 }, in: size).kept {
            if let same = index(of: face) {
                self[same].average(with: face, in: size)
            } else if face.confidence > minimum {
                append(face)
            }
        }
    }
}
