/// The preferred position of people in the crop.
///
/// The kept people are determined first, so that no placement cuts a head.
package enum Placement: Hashable, Codable, Sendable {
    /// Their faces are in the centre.
    case center
    /// Their eyes are on the upper of the two lines that divide the crop's height into thirds.
    case thirds
    /// People are at the left, with space to their right; never further right than the centre.
    case left
    /// People are at the right, with space to their left.
    case right
    /// People are at the top, with space below.
    case top
    /// People are at the bottom, with space above.
    case bottom
    /// The centre of their faces has the same relative position as in the image.
    case keep
    /// The centre of their faces is at fractions of the crop's sides, each 0…1 from its top left corner.
    case at(x: Double, y: Double)

    /// The positions without an argument.
    package static let plain: [Placement] = [.center, .thirds, .left, .right, .top, .bottom, .keep]

    /// The word in parameters; two numbers for a position in fractions.
    package var word: String {
        switch self {
        case .center: "center"
        case .thirds: "thirds"
        case .left: "left"
        case .right: "right"
        case .top: "top"
        case .bottom: "bottom"
        case .keep: "keep"
        case .at(let x, let y): "\(x),\(y)"
        }
    }

    /// The space for the shoulders between a head and the edge where it is placed, as a fraction of the head's height.
    static let air = 0.5

    /// The space between a head and the lower edge, as a fraction of the head's height.
    ///
    /// Without a neck, a head at this edge would look cut off.
    static let airBelow = 1.0

    /// Returns the minimum side of a crop that is shortened for a placement: two thirds of its possible length.
    static func minLength(of length: Int) -> Int { length - length / 3 }
}
