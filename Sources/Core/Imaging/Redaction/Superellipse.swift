import Geometry

/// The outline of a part of a mask: |u|ⁿ + |v|ⁿ = 1.
struct Superellipse {
    let centre: PixelPoint
    let cosine, sine: Double
    let acrossScale, downScale: Double
    let shape: RedactionShape

    init(_ part: RedactionMask.Part, _ shape: RedactionShape) {
        centre = part.centre
        (cosine, sine) = part.direction
        acrossScale = 1 / max(1, part.halfWidth * shape.reach)
        downScale = 1 / max(1, part.halfHeight * shape.reach)
        self.shape = shape
    }

    /// Whether a point lies inside the curve: uⁿ + vⁿ ≤ 1.
    func contains(_ point: PixelPoint) -> Bool {
        let (x, y) = (point.x - centre.x, point.y - centre.y)
        let u = (x * cosine + y * sine) * acrossScale
        let v = (y * cosine - x * sine) * downScale
        switch shape {
        case .rounded: return u * u * u * u + v * v * v * v <= 1
        case .oval: return u * u + v * v <= 1
        }
    }
}
