import Geometry
import Glibc

/// A ThumbHash (Evan Wallace, https://evanw.github.io/thumbhash/): a placeholder of about 25 bytes with alpha.
///
/// The image becomes a luma `l`, two chromas `p` and `q`, and alpha. The cosine transform of each channel keeps the
/// mean and a triangle of the lowest frequencies. The triangle has at most 7 by 7 frequencies for luma without alpha, 5
/// by 5 for luma and alpha if there is alpha, and 3 by 3 for chroma. A frequency has 4 bits, relative to the largest
/// frequency of its channel.
package enum ThumbHash {
    /// The maximum size of a hash in bytes.
    package static let maxBytes = 25

    /// The hash of an image with its alpha, of at most ``maxBytes`` bytes.
    package static func bytes(of pixels: PreviewPixels) -> [UInt8] {
        let (width, height) = (pixels.size.width, pixels.size.height)
        let (mean, opacity) = mean(of: pixels)
        let hasAlpha = opacity < Double(width * height)
        let longest = Double(max(width, height))
        // With alpha, luma has fewer frequencies.
        let limit = hasAlpha ? 5.0 : 7.0
        let across = max(1, Int((limit * Double(width) / longest).rounded()))
        let down = max(1, Int((limit * Double(height) / longest).rounded()))
        var planes = [[Double]](repeating: [], count: 4)
        for index in pixels.alpha.indices {
            let alpha = Double(pixels.alpha[index]) / 255
            // Transparent pixels get the mean colour.
            let rgb = (0..<3).map { mean[$0] * (1 - alpha) + alpha / 255 * Double(pixels.colors[$0][index]) }
            planes[0].append((rgb[0] + rgb[1] + rgb[2]) / 3)
            planes[1].append((rgb[0] + rgb[1]) / 2 - rgb[2])
            planes[2].append(rgb[0] - rgb[1])
            planes[3].append(alpha)
        }
        func channel(_ plane: Int, _ across: Int, _ down: Int) -> Channel {
            Channel(planes[plane], width: width, height: height, across: across, down: down)
        }
        let luma = channel(0, max(3, across), max(3, down))
        let (yellow, red) = (channel(1, 3, 3), channel(2, 3, 3))
        let isLandscape = width > height
        let head =
            bits(63 * luma.mean) | bits(31.5 + 31.5 * yellow.mean) << 6 | bits(31.5 + 31.5 * red.mean) << 12
            | bits(31 * luma.scale) << 18 | (hasAlpha ? 1 << 23 : 0)
        let shape =
            (isLandscape ? down : across) | bits(63 * yellow.scale) << 3 | bits(63 * red.scale) << 9
            | (isLandscape ? 1 << 15 : 0)
        var bytes = [head, head >> 8, head >> 16, shape, shape >> 8].map { UInt8(truncatingIfNeeded: $0) }
        var channels = [luma, yellow, red]
        if hasAlpha {
            let alpha = channel(3, 5, 5)
            bytes.append(UInt8(truncatingIfNeeded: bits(15 * alpha.mean) | bits(15 * alpha.scale) << 4))
            channels.append(alpha)
        }
        for (index, nibble) in channels.flatMap(\.nibbles).enumerated() {
            if index.isMultiple(of: 2) { bytes.append(nibble) } else { bytes[bytes.count - 1] |= nibble << 4 }
        }
        return bytes
    }

    /// The nearest whole number; halves are rounded up.
    private static func bits(_ value: Double) -> Int { Int((value + 0.5).rounded(.down)) }

    /// The mean colour of the visible pixels, each channel from 0 to 1, and the sum of all opacities.
    private static func mean(of pixels: PreviewPixels) -> (color: [Double], opacity: Double) {
        var (sums, opacity) = ([0.0, 0.0, 0.0], 0.0)
        for index in pixels.alpha.indices {
            let alpha = Double(pixels.alpha[index]) / 255
            for plane in 0..<3 { sums[plane] += alpha / 255 * Double(pixels.colors[plane][index]) }
            opacity += alpha
        }
        return (opacity > 0 ? sums.map { $0 / opacity } : sums, opacity)
    }

    private struct Channel {
        var mean = 0.0
        /// The maximum amplitude of a frequency.
        var scale = 0.0
        /// The frequencies without the mean, row by row, each 0…15.
        let nibbles: [UInt8]

        /// The minimum amplitude; smaller amplitudes are rounding errors of a uniform plane.
        private static let minScale = 1e-9

        init(_ plane: [Double], width: Int, height: Int, across: Int, down: Int) {
            let columns = (0..<across).map { cx in
                (0..<width).map { cos(.pi / Double(width) * Double(cx) * (Double($0) + 0.5)) }
            }
            var frequencies: [Double] = []
            for cy in 0..<down {
                let rows = (0..<height).map { cos(.pi / Double(height) * Double(cy) * (Double($0) + 0.5)) }
                var cx = 0
                while cx * down < across * (down - cy) {
                    var sum = 0.0
                    for y in 0..<height {
                        for x in 0..<width { sum += plane[x + y * width] * columns[cx][x] * rows[y] }
                    }
                    sum /= Double(width * height)
                    if cx > 0 || cy > 0 {
                        frequencies.append(sum)
                        scale = max(scale, abs(sum))
                    } else {
                        mean = sum
                    }
                    cx += 1
                }
            }
            if scale < Self.minScale { scale = 0 }
            nibbles = frequencies.map { [scale] frequency in
                scale > 0 ? UInt8(min(max(ThumbHash.bits(15 * (0.5 + 0.5 / scale * frequency)), 0), 15)) : 0
            }
        }
    }
}
