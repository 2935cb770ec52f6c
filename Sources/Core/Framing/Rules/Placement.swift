/// The preferred position of people in the crop.
///
/// The kept people are determined first, so that no placement cuts a head.
package enum Placement: Hashable, Codable, Sendable {
    /// Their faces in the middle.
    case center
    /// Their eyes on the upper of the two lines that divide the crop's height into thirds.
    case thirds
    /// At the left, with room to the right of them; never further right than the middle.
    case left
    /// At the right, with room to the left of them.
    case right
    /// At the top, with room below them.
    case top
    /// At the bottom, with room above them.
    case bottom
    /// The middle of their faces where it is in the image, as shares of its sides.
    case keep
    /// The middle of their faces at shares of the crop's sides, each 0…1 from its top left corner.
    case at(x: Double, y: Double)

    /// Those without an argument.
    package static let plain: [Placement] = [.center, .thirds, .left, .right, .top, .bottom, .keep]

    /// The word in parameters; two numbers for a place in shares.
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

    /// The room between a head and the edge at which it is placed, as a share of the head's height: for the shoulders.
    static let air = 0.5

    /// The same for the lower edge, at which a head without a neck would look cut off.
    static let airBelow = 1.0

    /// The least side of a crop that is shortened for a placement: two thirds of its possible length.
    static func minLength(of length: Int) -> Int { length - length / 3 }
}
