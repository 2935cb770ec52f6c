package import Geometry

extension AspectRatio {
    /// Parses `16:9`, `1.91:1` or `1.5`; nil for other text and for ratios outside ``AspectRatio/allowedValues``.
    package init?(_ text: String) {
        let sides = text.split(separator: ":", omittingEmptySubsequences: false).map { Double(plainDecimal: $0) }
        switch sides.count {
        case 1:
            guard let ratio = sides[0] else { return nil }
            self.init(ratio, 1, text: text)
        case 2:
            guard let width = sides[0], let height = sides[1] else { return nil }
            self.init(width, height, text: text)
        default:
            return nil
        }
    }
}
