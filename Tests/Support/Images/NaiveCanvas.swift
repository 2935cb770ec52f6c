package import Geometry

/// Composes animations pixel by pixel in floating point, as a reference for the fast implementation.
package struct NaiveCanvas {
    /// The disposal of a frame after its time.
    package enum Disposal: CaseIterable, Sendable {
        case keep, clear, restore
    }

    /// Red, green, blue and alpha, 0 to 1, row by row.
    package private(set) var pixels: [[Double]]
    private let size: PixelSize
    private var disposal: (() -> [[Double]])?

    /// A transparent canvas.
    package init(_ size: PixelSize) {
        self.size = size
        pixels = Array(repeating: [0, 0, 0, 0], count: size.area)
    }

    /// Draws a frame after the disposal of the previous one; pixels outside the canvas are skipped.
    package mutating func draw(
        in rect: PixelRect,
        _ disposal: Disposal,
        blends: Bool,
        pixel: (_ x: Int, _ y: Int) -> WebPFile.RGBA
    ) {
        if let dispose = self.disposal { pixels = dispose() }
        let before = pixels
        var cleared: [Int] = []
        for y in rect.rows where (0..<size.height).contains(y) {
            for x in rect.columns where (0..<size.width).contains(x) {
                let at = y * size.width + x
                let new = pixel(x - rect.x, y - rect.y)
                let color = [new.red, new.green, new.blue, new.alpha].map { Double($0) / 255 }
                pixels[at] = blends ? Self.over(color, pixels[at]) : color
                cleared.append(at)
            }
        }
        let after = pixels
        self.disposal = {
            switch disposal {
            case .keep: return after
            case .restore: return before
            case .clear:
                var result = after
                for at in cleared { result[at] = [0, 0, 0, 0] }
                return result
            }
        }
    }

    /// Porter and Duff's "over" for straight alpha.
    private static func over(_ above: [Double], _ below: [Double]) -> [Double] {
        let alpha = above[3] + below[3] * (1 - above[3])
        guard alpha > 0 else { return [0, 0, 0, 0] }
        return (0..<3).map { (above[$0] * above[3] + below[$0] * below[3] * (1 - above[3])) / alpha } + [alpha]
    }
}
