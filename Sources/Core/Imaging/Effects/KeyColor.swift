/// The colour of a key, in sRGB.
package struct KeyColor: Hashable, Codable, Sendable {
    /// Red, green and blue, from 0 to 255.
    package let red, green, blue: UInt8

    /// Creates a colour from three sRGB samples; it can only be a key if the length of its chroma is at least
    /// ``minChroma``.
    package init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// The chroma of BT.601, as differences from neutral, in levels of 255.
    var chroma: (blue: Double, red: Double) {
        let (r, g, b) = (Double(red), Double(green), Double(blue))
        return (-0.168736 * r - 0.331264 * g + 0.5 * b, 0.5 * r - 0.418688 * g - 0.081312 * b)
    }

    /// The minimum length of the chroma of a key; grey has a length of 0.
    package static let minChroma = 24.0

    /// Whether the colour is far enough from grey to be a key.
    package var isKey: Bool {
        let (blue, red) = chroma
        return (blue * blue + red * red).squareRoot() >= Self.minChroma
    }

    /// The colour in six hexadecimal digits.
    package var digits: String {
        [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
