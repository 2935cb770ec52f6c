package import UntrustedText
package import Framing
package import Geometry
import Pipeline

extension AspectRatio {
    /// Parses `16:9`, `1.91:1` or `1.5`; nil for other text and for ratios outside ``AspectRatio/allowedValues``.
    package init?(_ text: String) {
        let sides = text.bytes.split(separator: ":", omittingEmptySubsequences: false).map { Double(plainDecimal: $0) }
        guard sides.count <= 2, let width = sides[0], let height = sides.count == 2 ? sides[1] : 1 else { return nil }
        self.init(width, height, text: text)
    }
}

/// The value of `width` or `height`.
enum SideChoice: Sendable {
    /// A number of output pixels.
    case pixels(Int)
    /// A fraction of the framed image's side, above 0 and up to 1.
    case share(Double)

    /// Returns the form of the parameter: `400`, `50%` or, with `takesHints`, also `auto`.
    static func form(takesHints: Bool = false) -> ParameterForm<SideChoice> {
        let word = takesHints ? "\(ClientHints.word)|" : ""
        let pixels = "type: integer, minimum: 1, maximum: \(FrameParameters.maxSide)"
        func either(_ digits: String) -> String {
            "anyOf: [{ \(pixels) }, { type: string, pattern: '^(\(word)\(digits)[0-9.]+%)$' }]"
        }
        return .text(
            expected: "a whole number of pixels from 1 to \(FrameParameters.maxSide), or a percentage, for example 50%",
            listed: "pixels, 1 to \(FrameParameters.maxSide); `50%`" + (takesHints ? "; `auto`" : ""),
            placeholder: "px",
            schema: either(""),
            memberSchema: either("\(FrameParameters.sideDigits)|"),
            types: .init(python: "Union[int, str]", typeScript: "number | string"),
            SideChoice.init
        )
    }

    /// Parses pixels or a percentage; nil for other text, and for values outside the ranges.
    init?(_ text: String) {
        if text.bytes.hasSuffix("%") {
            guard let percent = Double(plainDecimal: text.dropLast()), percent > 0, percent <= 100 else { return nil }
            self = .share(percent / 100)
        } else {
            guard let pixels = Int(plainDigits: text), (1...FrameParameters.maxSide).contains(pixels) else {
                return nil
            }
            self = .pixels(pixels)
        }
    }

    /// The pixels; nil for a fraction.
    var pixels: Int? { if case .pixels(let pixels) = self { pixels } else { nil } }

    /// The fraction; nil for pixels.
    var share: Double? { if case .share(let share) = self { share } else { nil } }
}

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

extension Length {
    package static let maxPixels = 100_000

    /// A length, as a regular expression.
    fileprivate static let pattern = "([0-9.]+|[0-9]+px)"

    /// Parses a length: a fraction from 0 to `maximum` such as `0.2`, or pixels such as `24px`.
    ///
    /// Nil for other text.
    package init?(_ text: some TextSlice, maximum: Double = 1) {
        if text.bytes.hasSuffix("px") {
            guard let pixels = Int(plainDigits: text.dropLast(2)), pixels <= Self.maxPixels else { return nil }
            self = .pixels(pixels)
        } else {
            guard let share = Double(plainDecimal: text), share <= maximum else { return nil }
            self = .share(share)
        }
    }
}

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

    fileprivate init?(_ parts: [Substring]) {
        let lengths = parts.compactMap { Length($0) }
        guard parts.count == 4, lengths.count == 4, !lengths[2].isZero, !lengths[3].isZero else { return nil }
        self.init(x: lengths[0], y: lengths[1], width: lengths[2], height: lengths[3])
    }
}

extension ResultMask {
    /// Parses `circle`, `rounded:0.1` or `rounded:24px`; nil for other text.
    init?(_ text: String) {
        if text == "circle" {
            self = .circle
            return
        }
        guard text.bytes.hasPrefix("rounded:"), let radius = Length(text.dropFirst(8), maximum: 0.5) else { return nil }
        self = .rounded(radius)
    }
}

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

extension Gravity {
    /// Parses a value of the `gravity` parameter; nil for other text.
    package init?(_ text: String) {
        if let gravity = Self.words.first(where: { $0.word == text })?.gravity {
            self = gravity
            return
        }
        let parts = text.bytes.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "face":
            guard let index = Int(plainDigits: parts[1]), index >= 1 else { return nil }
            self = .face(index)
        case "point":
            guard let point = Fraction.pair(String(parts[1])) else { return nil }
            self = .point(x: point.x, y: point.y)
        case "object":
            // bounded: there are two parts
            guard let classes = WantedClass.list(String(parts[1])) else { return nil }
            self = .object(classes)
        default: return nil
        }
    }

    /// All words without an argument, for messages and documentation.
    package static let plainWords = words.map(\.word)

    /// The values for videos and streams, whose frames are not searched for objects, as the end of a message.
    package static let formOfVideos =
        "faces, largest, smallest, centermost, face:N, attention, center, an edge, a corner or point:X,Y"

    private static let words: [(word: String, gravity: Gravity)] = [
        ("faces", .faces), ("largest", .largest), ("smallest", .smallest), ("centermost", .centermost),
        ("subject", .subject), ("attention", .attention),
        ("center", .center), ("top", .top), ("bottom", .bottom), ("left", .left), ("right", .right),
        ("top-left", .topLeft), ("top-right", .topRight), ("bottom-left", .bottomLeft), ("bottom-right", .bottomRight),
    ]
}

extension Padding {
    /// Parses a padding such as `0.2`, a fraction of the head's height, or `24px`; nil for other text.
    package init?(_ text: String) {
        switch Length(text, maximum: 10) {
        case .pixels(let pixels): self = .pixels(pixels)
        case .share(let share): self = .fraction(share)
        case nil: return nil
        }
    }
}

/// The use of width and height for an image whose orientation differs from theirs.
package enum BoxChoice: String, CaseIterable, Sendable {
    /// Width and height are not changed.
    case fixed
    /// Width and height are swapped.
    case swap
    /// The whole image is scaled to fit inside width and height.
    case inside
}

/// The mirroring of an output, which follows its rotation.
package enum Flip: String, CaseIterable, Sendable {
    /// Left and right are swapped.
    case horizontal
    /// Top and bottom are swapped.
    case vertical
    /// Both are swapped, which is a rotation by 180°.
    case both
}
