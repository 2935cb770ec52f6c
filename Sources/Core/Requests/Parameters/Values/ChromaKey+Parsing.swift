import Imaging

extension ChromaKey {
    /// Parses a colour that is not grey, or `auto`; nil for other text.
    init?(_ text: String) {
        let color = KeyColor(text)
        guard text == "auto" || color?.isKey == true else { return nil }
        self.init(color: color)
    }
}
