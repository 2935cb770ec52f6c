import FaceDetection
import Geometry

extension Detection {
    /// Converts a detection in the input of a pass to pixels of the image; `input` is the size of the scaled `part`.
    func placed(in part: PixelRect, from input: PixelSize) -> Detection {
        var placed = self
        placed.box = box.scaled(from: input, to: part.size).moved(x: part.x, y: part.y)
        placed.consensus = consensus.map { mean in
            var mean = mean.scaled(from: input, to: part.size)
            mean.centreX += Double(part.x)
            mean.centreY += Double(part.y)
            return mean
        }
        placed.landmarks = landmarks?.mapped { point in
            let inside = point.scaled(from: input, to: part.size)
            return PixelPoint(x: inside.x + Double(part.x), y: inside.y + Double(part.y))
        }
        return placed
    }
}
