package import Imaging

extension Background {
    /// The same as CSS writes it; nil for what CSS cannot do alone.
    package var css: String? {
        switch self {
        case .color(let red, let green, let blue): "rgb(\(red) \(green) \(blue))"
        case .transparent: "transparent"
        case .blur: nil
        }
    }
}
