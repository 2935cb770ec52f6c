package import Imaging

extension Background {
    /// The CSS value of the background; nil for a blur, which CSS has no value for.
    package var css: String? {
        switch self {
        case .color(let red, let green, let blue): "rgb(\(red) \(green) \(blue))"
        case .transparent: "transparent"
        case .blur: nil
        }
    }
}
