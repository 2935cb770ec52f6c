import Glibc

package import Geometry

/// The redacted area of one head: the union of rotated rectangles, each with the outline of a ``RedactionShape``.
package struct RedactionMask: Hashable, Codable, Sendable {
    /// The rectangle of one curve, in pixels.
    package struct Part: Hashable, Codable, Sendable {
        package var centre: PixelPoint
        /// Half of the width and height of the covered rectangle, before its rotation.
        package var halfWidth: Double
        package var halfHeight: Double
        /// The rotation in degrees clockwise.
        package var roll: Double

        /// A rectangle that is rotated about its centre; it may lie outside the image.
        ///
        /// - Parameters:
        ///   - centre: In pixels of the image.
        ///   - halfWidth: Half of the width before the rotation, in pixels.
        ///   - halfHeight: Half of the height before the rotation, in pixels.
        ///   - roll: Degrees clockwise.
        package init(centre: PixelPoint, halfWidth: Double, halfHeight: Double, roll: Double) {
            self.centre = centre
            self.halfWidth = halfWidth
            self.halfHeight = halfHeight
            self.roll = roll
        }
    }

    /// The area is the union of all parts.
    package var parts: [Part]
    package var shape: RedactionShape

    /// The union of parts with equal outlines.
    ///
    /// - Parameters:
    ///   - parts: Rectangles in pixels of the image.
    ///   - shape: The curve around each of them.
    package init(_ parts: [Part], shape: RedactionShape = .rounded) {
        self.parts = parts
        self.shape = shape
    }

    /// A rounded area that covers a rectangle in pixels of the image, without rotation.
    package init(around rect: PixelRect) {
        let (halfWidth, halfHeight) = (Double(rect.width) / 2, Double(rect.height) / 2)
        let centre = PixelPoint(x: Double(rect.x) + halfWidth, y: Double(rect.y) + halfHeight)
        self.init([Part(centre: centre, halfWidth: halfWidth, halfHeight: halfHeight, roll: 0)])
    }

    /// The smallest rectangle around the area, which may lie outside the image; at most 2²⁸ pixels from its origin.
    var bounds: (left: Double, top: Double, right: Double, bottom: Double) {
        var bounds = (left: Double.infinity, top: Double.infinity, right: -Double.infinity, bottom: -Double.infinity)
        for part in parts {
            let (cosine, sine) = part.direction
            let across = shape.reach * (part.halfWidth * abs(cosine) + part.halfHeight * abs(sine))
            let down = shape.reach * (part.halfWidth * abs(sine) + part.halfHeight * abs(cosine))
            bounds.left = min(bounds.left, part.centre.x - across)
            bounds.right = max(bounds.right, part.centre.x + across)
            bounds.top = min(bounds.top, part.centre.y - down)
            bounds.bottom = max(bounds.bottom, part.centre.y + down)
        }
        let maximum = Double(1 << 28)
        func bounded(_ value: Double) -> Double { value.isFinite ? min(max(value, -maximum), maximum) : 0 }
        return (bounded(bounds.left), bounded(bounds.top), bounded(bounds.right), bounded(bounds.bottom))
    }

    /// Returns the same area in the same image at another size, moved left and up.
    func scaled(from size: PixelSize, to other: PixelSize, x: Int = 0, y: Int = 0) -> RedactionMask {
        let across = Double(other.width) / Double(size.width)
        let down = Double(other.height) / Double(size.height)
        return RedactionMask(
            parts.map { part in
                var scaled = part
                scaled.centre = part.centre.scaled(from: size, to: other)
                scaled.centre.x -= Double(x)
                scaled.centre.y -= Double(y)
                // The additional half pixel allows for rounding in small images.
                scaled.halfWidth = part.halfWidth * max(across, down) + 0.5
                scaled.halfHeight = part.halfHeight * max(across, down) + 0.5
                return scaled
            },
            shape: shape
        )
    }
}

extension RedactionMask {
    /// The fraction of the smaller mask's bounds that must lie inside another mask for both to become one area.
    private static let maxContained = 0.6

    /// Returns the same areas, joined if most of an area lies in another area.
    static func joined(_ masks: [RedactionMask]) -> [RedactionMask] {
        var areas: [RedactionMask] = []
        for mask in masks {
            var mask = mask
            // The joined area is larger, and may now contain most of another area.
            while let other = areas.firstIndex(where: { $0.isMostlyOne(with: mask) }) {
                mask.parts += areas.remove(at: other).parts
            }
            areas.append(mask)
        }
        return areas
    }

    private func isMostlyOne(with other: RedactionMask) -> Bool {
        let (one, another) = (bounds, other.bounds)
        let across = min(one.right, another.right) - max(one.left, another.left)
        let down = min(one.bottom, another.bottom) - max(one.top, another.top)
        guard across > 0, down > 0 else { return false }
        let smaller = min(
            (one.right - one.left) * (one.bottom - one.top),
            (another.right - another.left) * (another.bottom - another.top)
        )
        return across * down >= Self.maxContained * smaller
    }
}

extension RedactionMask.Part {
    var direction: (cosine: Double, sine: Double) {
        let angle = roll * .pi / 180
        return (cos(angle), sin(angle))
    }
}
