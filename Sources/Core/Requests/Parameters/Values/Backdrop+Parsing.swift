package import Imaging

extension Backdrop {
    /// Parses a colour, or `blur`; nil for other text.
    package init?(_ text: String) {
        if text == "blur" {
            self = .blur
        } else if let color = KeyColor(text) {
            self = .color(color)
        } else {
            return nil
        }
    }
}
