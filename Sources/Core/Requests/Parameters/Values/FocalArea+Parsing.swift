package import Framing
package import UntrustedText

extension FocalArea {
    /// The maximum number of focal areas in a request.
    package static let maxCount = 16

    /// The form of focal areas, for messages.
    static let form =
        "at most \(maxCount) rectangles \(Region.form), separated by ;, each optionally with ,weight from 0.01 to 10, or from "
        + "-10 to -0.01 to exclude it"

    /// A focal area, as a regular expression.
    static let pattern = "\(Length.pattern)(,\(Length.pattern)){3}(,-?[0-9.]+)?"

    /// Parses `x,y,width,height` or `x,y,width,height,weight`; nil for other text.
    package init?(_ text: some TextSlice) {
        let parts = text.bytes.split(separator: ",", omittingEmptySubsequences: false).map { Substring($0) }
        guard let region = Region(Array(parts.prefix(4))), parts.count <= 5 else { return nil }
        var weight = 1.0
        if parts.count == 5 {
            let isNegative = parts[4].bytes.hasPrefix("-")
            guard let given = Double(plainDecimal: isNegative ? parts[4].dropFirst() : parts[4]),
                (Self.minWeight...Self.maxWeight).contains(given)
            else { return nil }
            weight = isNegative ? -given : given
        }
        self.init(region, weight: weight)
    }

    /// Parses a list of focal areas separated by semicolons; nil for other text.
    package static func list(_ text: String) -> [FocalArea]? { text.list(";", atMost: maxCount) { FocalArea($0) } }
}
