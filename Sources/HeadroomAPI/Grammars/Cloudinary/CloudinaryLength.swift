/// A number of Cloudinary's `w_`, `h_`, `x_` and `y_`: with a point it is a share of the source.
enum CloudinaryLength: Hashable {
    case pixels(Int)
    case share(Double)

    /// Parses `300` or `0.5`; nil for other text.
    init?(_ text: String) {
        if text.contains(".") {
            guard let share = Double(plainDecimal: text) else { return nil }
            self = .share(share)
        } else {
            guard let pixels = Int(plainDigits: text) else { return nil }
            self = .pixels(pixels)
        }
    }

    /// A length in the form of the parameter `region`; nil for a share above 1.
    var region: String? {
        switch self {
        case .pixels(let pixels): "\(min(pixels, 100_000))px"
        case .share(let share): share <= 1 ? NumberText.plain(share) : nil
        }
    }
}
