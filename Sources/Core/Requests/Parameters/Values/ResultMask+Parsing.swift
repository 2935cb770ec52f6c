import Framing
import Pipeline
import UntrustedText

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
