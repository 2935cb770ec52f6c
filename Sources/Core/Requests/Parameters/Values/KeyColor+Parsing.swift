package import Imaging

extension KeyColor {
    /// Parses `rrggbb` or `rgb` in hexadecimal digits with an optional `#`; nil for other text.
    package init?(_ text: String) {
        guard case .color(let red, let green, let blue) = Background(text) else { return nil }
        self.init(red: red, green: green, blue: blue)
    }
}
