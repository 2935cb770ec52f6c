package import Framing

/// A person in one frame of a video, found by the body.
package struct FramePerson {
    /// The person with an estimated head.
    package let subject: Subject
    /// Whether the lower edge of the frame cuts the body, so that the top and the centre of the head are accurate, but
    /// not its size.
    package let isCut: Bool
}
