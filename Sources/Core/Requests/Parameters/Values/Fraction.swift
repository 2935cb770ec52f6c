/// Two fractions of the width and height of an image.
enum Fraction {
    /// Two fractions from 0 to 1, as a regular expression.
    static let pattern = "[0-9.]+,[0-9.]+"

    /// Parses two fractions such as `0.3,0.5`; nil for other text, and for numbers above 1.
    static func pair(_ text: String) -> (x: Double, y: Double)? {
        guard let numbers = text.list(",", atMost: 2, { Double(plainDecimal: $0) }), numbers.count == 2,
            numbers.allSatisfy((0...1).contains)
        else { return nil }
        return (numbers[0], numbers[1])
    }
}
