package import Geometry

extension Canvas {
    /// Pixels around a label's text, before scaling.
    private static let labelMargin = 2

    /// The size of a label: its lines and the margin around them.
    ///
    /// - Parameters:
    ///   - lines: The text.
    ///   - scale: Pixels of the canvas for each pixel of the font, at least 1.
    /// - Returns: Width and height in pixels of the canvas.
    package static func labelSize(_ lines: [String], scale: Int) -> PixelSize {
        let longest = lines.map(\.count).max() ?? 0
        return PixelSize(
            width: (longest * BitmapFont.advance - 1 + 2 * labelMargin) * scale,
            height: (lines.count * lineHeight + 2 * labelMargin) * scale
        )
    }

    /// Writes lines of text on a dark background.
    ///
    /// - Parameters:
    ///   - lines: The text; characters beyond ASCII are shown as boxes.
    ///   - x: The background's left edge; moved into the canvas if possible.
    ///   - y: The background's top edge; moved into the canvas if possible.
    ///   - color: The text's colour.
    ///   - scale: Pixels of the canvas for each pixel of the font, at least 1.
    package mutating func label(_ lines: [String], x: Int, y: Int, color: Color, scale: Int) {
        let ground = Self.labelSize(lines, scale: scale)
        let left = max(0, min(x, size.width - ground.width))
        let top = max(0, min(y, size.height - ground.height))
        fill(PixelRect(x: left, y: top, width: ground.width, height: ground.height), with: .black, opacity: 0.75)
        for (index, line) in lines.enumerated() {
            write(
                line,
                x: left + Self.labelMargin * scale,
                y: top + (Self.labelMargin + index * Self.lineHeight) * scale,
                color: color,
                scale: scale
            )
        }
    }

    private static var lineHeight: Int { BitmapFont.height + 1 }

    private mutating func write(_ line: String, x: Int, y: Int, color: Color, scale: Int) {
        var left = x
        for character in line where left < size.width {
            for pixel in BitmapFont.pixels(of: character) {
                let spot = PixelRect(x: left + pixel.x * scale, y: y + pixel.y * scale, width: scale, height: scale)
                fill(spot, with: color)
            }
            left += BitmapFont.advance * scale
        }
    }
}
