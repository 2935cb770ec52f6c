/// What the crop of an animation does from frame to frame.
package enum MotionChoice: String, Hashable, Codable, Sendable, CaseIterable {
    /// All frames have the same crop.
    case still
    /// The crop follows people who do not fit into one crop of all frames.
    case follow
}
