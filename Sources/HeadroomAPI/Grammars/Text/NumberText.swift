/// Numbers in other services' addresses.
enum NumberText {
    /// A number as the text of a parameter: a plain decimal with at most six digits after the point.
    ///
    /// - Parameter number: A number from 0 to 100,000.
    /// - Returns: Digits that every parameter accepts.
    static func plain(_ number: Double) -> String {
        let millionths = Int((min(max(number, 0), 100_000) * 1_000_000).rounded())
        let (whole, rest) = millionths.quotientAndRemainder(dividingBy: 1_000_000)
        guard rest > 0 else { return "\(whole)" }
        var digits = "\(1_000_000 + rest)".dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits)"
    }

    /// A side of a result times a pixel ratio, rounded half up; nil outside of the sizes of results.
    static func side(_ side: Int, times ratio: Double) -> Int? {
        let scaled = (Double(side) * ratio).rounded()
        guard (1...Double(FrameParameters.maxSide)).contains(max(1, scaled)) else { return nil }
        return max(1, Int(scaled))
    }
}
