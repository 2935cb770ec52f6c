import Framing
import Geometry
import Glibc

/// A time in which a person speaks.
package struct SpeechTurn: Hashable, Codable, Sendable {
    /// The number of the person in the plan.
    package var person: Int
    /// The first frame.
    package var first: Int
    /// The last frame.
    package var last: Int
}
