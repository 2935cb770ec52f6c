package import Framing
package import UntrustedText

extension GravityOffset {
    /// A distance, as a regular expression.
    fileprivate static let pattern = "-?([0-9.]+|[0-9.]+px)"

    /// Two distances, as a regular expression.
    static let pairPattern = "\(pattern),\(pattern)"

    /// Parses two distances such as `10px,-0.1`, in pixels or in fractions of the image's sides; nil for other text.
    package init?(_ text: some TextSlice, divider: String = ",") {
        let parts = text.bytes.split(separator: divider, omittingEmptySubsequences: false)
        guard parts.count == 2, let across = Self.distance(parts[0]), let down = Self.distance(parts[1]) else {
            return nil
        }
        self.init(across: across, down: down)
    }

    private static func distance(_ text: some TextSlice) -> Distance? {
        let isNegative = text.bytes.hasPrefix("-")
        let isPixels = text.bytes.hasSuffix("px")
        let digits = text.dropFirst(isNegative ? 1 : 0).dropLast(isPixels ? 2 : 0)
        guard let number = Double(plainDecimal: digits), number <= (isPixels ? Double(Length.maxPixels) : 1) else {
            return nil
        }
        let signed = isNegative ? -number : number
        return isPixels ? .pixels(signed) : .share(signed)
    }
}
