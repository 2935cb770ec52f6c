package import Framing

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
