package import Imaging

extension KeyColor {
    /// Parses `rrggbb` or `rgb` in hexadecimal digits with an optional `#`; nil for other text.
    package init?(_ text: String) {
        guard case .color(let red, let green, let blue) = Background(text) else { return nil }
        self.init(red: red, green: green, blue: blue)
    }
}

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
