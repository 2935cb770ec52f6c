/// Where in the crop people are to be, as far as keeping them leaves it free.
///
/// What a crop keeps is decided first, so that no placement ever costs a head.
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

    /// The room between a head and the edge that it stands at, as a share of the head's height: for the shoulders.
    static let air = 0.5

    /// The same for the lower edge, at which a head without a neck would look cut.
    static let airBelow = 1.0

    /// The shortest that a side is made for people to be where they are asked to be: two thirds of what it could be.
    static func leastLength(of length: Int) -> Int { length - length / 3 }
}

extension FramingRequest {
    /// Whether the crop may be smaller than the widest of its shape.
    package var mayTighten: Bool { zoom > 0 || place != .center }
}
