package import Framing

extension Length {
    /// The most pixels of a length.
    package static let mostPixels = 100_000

    /// Parses `0.2`, a share from 0 to 1, or `24px`; nil for other text.
    package init?(_ text: some StringProtocol) {
        if text.hasSuffix("px") {
            guard let pixels = Int(plainDigits: text.dropLast(2)), pixels <= Self.mostPixels else { return nil }
            self = .pixels(pixels)
        } else {
            guard let share = Double(plainDecimal: text), share <= 1 else { return nil }
            self = .share(share)
        }
    }
}

extension Region {
    /// The form of a region, for messages.
    static let form = "x,y,width,height, each a share from 0 to 1 such as 0.25, or pixels such as 24px"
    /// The form of a region at a place, for messages.
    static let placedForm = "place,width,height with a place such as center, top-left or point:0.3:0.4"

    /// Parses `x,y,width,height` or `place,width,height`; nil for other text and for a width or height of 0.
    package init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            self.init(parts)
            return
        }
        // A comma divides the lengths, and so a colon the coordinates.
        let place =
            parts[0].hasPrefix("point:") ? "point:" + parts[0].dropFirst(6).replacing(":", with: ",") : String(parts[0])
        guard let gravity = Gravity(place), let width = Length(parts[1]), let height = Length(parts[2]),
            !width.isZero, !height.isZero
        else { return nil }
        self.init(at: gravity, width: width, height: height)
    }

    fileprivate init?(_ parts: [Substring]) {
        let lengths = parts.compactMap { Length($0) }
        guard parts.count == 4, lengths.count == 4, !lengths[2].isZero, !lengths[3].isZero else { return nil }
        self.init(x: lengths[0], y: lengths[1], width: lengths[2], height: lengths[3])
    }
}

extension FocalArea {
    /// The largest number of focal areas in a request.
    package static let maxCount = 16

    /// The form of focal areas, for messages.
    static let form =
        "at most \(maxCount) rectangles \(Region.form), separated by ;, each optionally with ,weight from 0.01 to 10"

    /// Parses `x,y,width,height` or `x,y,width,height,weight`; nil for other text.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Substring($0) }
        guard let region = Region(Array(parts.prefix(4))), parts.count <= 5 else { return nil }
        var weight = 1.0
        if parts.count == 5 {
            guard let given = Double(plainDecimal: parts[4]),
                (Self.leastWeight...Self.mostWeight).contains(given)
            else { return nil }
            weight = given
        }
        self.init(region, weight: weight)
    }

    /// Parses a list separated by semicolons; nil for other text.
    package static func list(_ text: String) -> [FocalArea]? {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        let areas = parts.compactMap { FocalArea($0) }
        return areas.count == parts.count && areas.count <= maxCount ? areas : nil
    }
}
