package import Framing
import UntrustedText

extension Region {
    /// The form of a region, for messages.
    static let form = "x,y,width,height, each a fraction from 0 to 1 such as 0.25, or pixels such as 24px"

    /// The form of a region at a position, for messages.
    static let placedForm =
        "place,width,height with a place such as center, top-left, top-left:10px:0.1 or point:0.3:0.4, or "
        + "inset,top,right,bottom,left"

    /// A region in either form, as a regular expression.
    static let pattern =
        "(\(Length.pattern)(,\(Length.pattern)){3}|([a-z-]+|point:[0-9.]+:[0-9.]+|[a-z-]+:-?[0-9.]+(px)?:-?[0-9.]+(px)?)(,\(Length.pattern)){2}|inset(,\(Length.pattern)){4})"

    /// Parses `x,y,width,height`, `place,width,height` or `inset,top,right,bottom,left`; nil for other text and for a
    /// width or height of 0.
    package init?(_ text: String) {
        let parts = text.bytes.split(separator: ",", omittingEmptySubsequences: false)
        if parts.count == 5, parts[0].bytes == "inset" {
            let lengths = parts.dropFirst().compactMap { Length($0) }
            guard lengths.count == 4 else { return nil }
            self.init(insetLeft: lengths[3], above: lengths[0], right: lengths[1], below: lengths[2])
            return
        }
        guard parts.count == 3 else {
            self.init(parts)
            return
        }
        // Commas separate the lengths, so a colon separates the coordinates of a point here.
        let place =
            parts[0].bytes.hasPrefix("point:")
            ? "point:" + parts[0].dropFirst(6).bytes.replacing(":", with: ",") : String(parts[0])
        guard let width = Length(parts[1]), let height = Length(parts[2]), !width.isZero, !height.isZero else {
            return nil
        }
        if let gravity = Gravity(place) {
            self.init(at: gravity, width: width, height: height)
        } else {
            // A compass point, and the distance from this point.
            let words = place.bytes.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2, let gravity = Gravity(String(words[0])),
                let offset = GravityOffset(words[1], divider: ":")
            else { return nil }
            self.init(at: gravity, width: width, height: height, offset: offset)
        }
    }

    init?(_ parts: [Substring]) {
        let lengths = parts.compactMap { Length($0) }
        guard parts.count == 4, lengths.count == 4, !lengths[2].isZero, !lengths[3].isZero else { return nil }
        self.init(x: lengths[0], y: lengths[1], width: lengths[2], height: lengths[3])
    }
}
