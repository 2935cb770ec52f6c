/// The preferred position of people in the crop.
///
/// The kept people are determined first, so that no placement cuts a head.
package enum Placement: String, Hashable, Codable, Sendable, CaseIterable {
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

    /// The room between a head and the edge at which it is placed, as a share of the head's height: for the shoulders.
    static let air = 0.5

    /// The same for the lower edge, at which a head without a neck would look cut off.
    static let airBelow = 1.0

    /// The least side of a crop that is shortened for a placement: two thirds of its possible length.
    static func leastLength(of length: Int) -> Int { length - length / 3 }
}
