package import Geometry

/// An image to draw on: rectangles, horizontal and vertical lines, and text.
///
/// Coordinates are pixels from the top left corner. Everything outside the image is clipped, so drawing cannot fail.
package struct Canvas {
    /// Width and height in pixels.
    package let size: PixelSize

    private var red, green, blue: [UInt8]
    private let iccProfile: ICCProfile?

    /// Creates a canvas with a copy of an opaque RGB image.
    package init(_ image: PlanarImage) {
        precondition(image.colorModel == .rgb && image.alpha == nil, "a canvas is RGB and opaque")
        size = image.size
        (red, green, blue) = (image.planes[0].samples, image.planes[1].samples, image.planes[2].samples)
        iccProfile = image.iccProfile
    }

    /// Returns the finished image.
    ///
    /// - Throws: ``CodecError/outOfMemory``.
    package func image() throws(CodecError) -> PlanarImage {
        let width = size.width
        let planes = try [red, green, blue].map { (samples) throws(CodecError) in
            try Plane(size) { x, y in samples[y * width + x] }
        }
        return PlanarImage(size: size, colorModel: .rgb, planes: planes, iccProfile: iccProfile)
    }

    /// The colour of the pixel in column `x` of row `y`.
    package subscript(x x: Int, y y: Int) -> Color {
        let index = y * size.width + x
        return Color(red: red[index], green: green[index], blue: blue[index])
    }

    /// Blends a colour over a rectangle.
    ///
    /// - Parameters:
    ///   - rect: A rectangle in pixels of the canvas.
    ///   - color: The colour.
    ///   - opacity: From 0, which changes nothing, to 1, which replaces the pixels.
    package mutating func fill(_ rect: PixelRect, with color: Color, opacity: Double = 1) {
        let visible = rect.intersection(PixelRect(size))
        guard visible.area > 0 else { return }
        let share = Int((opacity * 256).rounded())
        for y in visible.y..<visible.maxY {
            let row = y * size.width
            for index in (row + visible.x)..<(row + visible.maxX) {
                red[index] = Self.mixed(red[index], color.red, share)
                green[index] = Self.mixed(green[index], color.green, share)
                blue[index] = Self.mixed(blue[index], color.blue, share)
            }
        }
    }

    /// Darkens everything outside a rectangle.
    package mutating func dim(outside rect: PixelRect, opacity: Double) {
        let inside = rect.intersection(PixelRect(size))
        let bands = [
            PixelRect(x: 0, y: 0, width: size.width, height: inside.y),
            PixelRect(x: 0, y: inside.maxY, width: size.width, height: size.height - inside.maxY),
            PixelRect(x: 0, y: inside.y, width: inside.x, height: inside.height),
            PixelRect(x: inside.maxX, y: inside.y, width: size.width - inside.maxX, height: inside.height),
        ]
        for band in bands { fill(band, with: .black, opacity: opacity) }
    }

    /// Draws a rectangle just inside `rect`, between two dark lines, so that it is visible on any background.
    ///
    /// - Parameters:
    ///   - rect: A rectangle in pixels of the canvas.
    ///   - color: The colour.
    ///   - width: The width of the coloured line in pixels.
    package mutating func stroke(_ rect: PixelRect, with color: Color, width: Int) {
        let outline = max(1, width / 2)
        frame(rect.grown(by: outline), with: .black, width: width + 2 * outline)
        frame(rect, with: color, width: width)
    }

    private mutating func frame(_ rect: PixelRect, with color: Color, width: Int) {
        let width = min(width, (rect.size.shortSide + 1) / 2)
        guard width > 0 else { return }
        let inner = rect.grown(by: -width)
        fill(PixelRect(x: rect.x, y: rect.y, width: rect.width, height: width), with: color)
        fill(PixelRect(x: rect.x, y: rect.maxY - width, width: rect.width, height: width), with: color)
        fill(PixelRect(x: rect.x, y: inner.y, width: width, height: inner.height), with: color)
        fill(PixelRect(x: rect.maxX - width, y: inner.y, width: width, height: inner.height), with: color)
    }

    private static func mixed(_ below: UInt8, _ above: UInt8, _ share: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: (Int(below) * (256 - share) + Int(above) * share) >> 8)
    }

    // MARK: Text

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
        let background = Self.labelSize(lines, scale: scale)
        let left = max(0, min(x, size.width - background.width))
        let top = max(0, min(y, size.height - background.height))
        fill(
            PixelRect(x: left, y: top, width: background.width, height: background.height),
            with: .black,
            opacity: 0.75
        )
        for (index, line) in lines.enumerated() {
            let down = (Self.labelMargin + index * Self.lineHeight) * scale
            write(line, x: left + Self.labelMargin * scale, y: top + down, color: color, scale: scale)
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
