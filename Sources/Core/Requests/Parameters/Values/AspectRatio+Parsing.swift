package import Geometry
import UntrustedText

extension AspectRatio {
    /// Parses `16:9`, `1.91:1` or `1.5`; nil for other text and for ratios outside ``AspectRatio/allowedValues``.
    package init?(_ text: String) {
        let sides = text.bytes.split(separator: ":", omittingEmptySubsequences: false).map { Double(plainDecimal: $0) }
        guard sides.count <= 2, let width = sides[0], let height = sides.count == 2 ? sides[1] : 1 else { return nil }
        self.init(width, height, text: text)
    }
}
