import Geometry
import Glibc

/// A BlurHash (Wolt, https://blurha.sh, algorithm at https://github.com/woltapp/blurhash/blob/master/Algorithm.md): a
/// placeholder as text of base 83, without alpha.
///
/// The image in linear light is transformed by cosines. The mean has 24 bits in sRGB. Each further component has 19
/// levels per colour on a square root scale, relative to the largest component.
package enum BlurHash {
    private static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8
    )

    /// The components along the longer and the shorter side.
    private static let (longer, shorter) = (4, 3)

    /// The number of characters of every hash.
    package static let length = 4 + 2 * longer * shorter

    /// Whether a text has ``length`` base 83 digits; the text may be untrusted.
    ///
    /// It may still not be the hash of any image.
    package static func isHash(_ text: String) -> Bool {
        text.utf8.count == length && text.utf8.allSatisfy(digits.contains)
    }

    /// The hash of an image, over white.
    package static func text(of pixels: PreviewPixels) -> String {
        let (width, height) = (pixels.size.width, pixels.size.height)
        let (across, down) = width >= height ? (longer, shorter) : (shorter, longer)
        let planes = (0..<3).map { plane in
            pixels.alpha.indices.map { index in
                let alpha = Int(pixels.alpha[index])
                let value = (Int(pixels.colors[plane][index]) * alpha + 255 * (255 - alpha) + 127) / 255
                return linear(value)
            }
        }
        var components: [[Double]] = []
        for row in 0..<down {
            for column in 0..<across {
                let norm = (row == 0 && column == 0 ? 1.0 : 2.0) / Double(width * height)
                let columns = (0..<width).map { cos(.pi * Double(column) * Double($0) / Double(width)) }
                let rows = (0..<height).map { cos(.pi * Double(row) * Double($0) / Double(height)) }
                components.append(
                    planes.map { plane in
                        var sum = 0.0
                        for y in 0..<height {
                            for x in 0..<width { sum += columns[x] * rows[y] * plane[x + y * width] }
                        }
                        return sum * norm
                    }
                )
            }
        }
        let mean = components.removeFirst()
        let largest = components.joined().map(abs).max() ?? 0
        let level = Int(min(max((largest * 166 - 0.5).rounded(.down), 0), 82))
        let maximum = Double(level + 1) / 166
        var text = encoded((across - 1) + (down - 1) * 9, 1) + encoded(level, 1)
        text += encoded(mean.map(Self.sRGB).reduce(0) { $0 << 8 | $1 }, 4)
        for component in components { text += encoded(component.reduce(0) { $0 * 19 + quantized($1 / maximum) }, 2) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns 0…18 for −1…1, on a square root scale.
    private static func quantized(_ value: Double) -> Int {
        let root = abs(value).squareRoot() * (value < 0 ? -1 : 1)
        return Int(min(max((root * 9 + 9.5).rounded(.down), 0), 18))
    }

    private static func encoded(_ value: Int, _ count: Int) -> [UInt8] {
        var (rest, text) = (value, [UInt8]())
        for _ in 0..<count {
            text.insert(digits[rest % 83], at: 0)
            rest /= 83
        }
        return text
    }

    private static func linear(_ value: Int) -> Double {
        let share = Double(value) / 255
        return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }

    private static func sRGB(_ value: Double) -> Int {
        let share = min(max(value, 0), 1)
        let encoded = share <= 0.0031308 ? share * 12.92 : 1.055 * pow(share, 1 / 2.4) - 0.055
        return Int(encoded * 255 + 0.5)
    }
}
