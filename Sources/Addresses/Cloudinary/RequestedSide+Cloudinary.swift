import Requests
import UntrustedText

extension RequestedSide {
    /// Parses a number of Cloudinary's `w_`, `h_`, `x_` and `y_`: pixels such as `300`, or with a decimal point a
    /// fraction of the source; nil for other text.
    init?(cloudinary text: String) {
        if text.bytes.contains(".") {
            guard let share = Double(plainDecimal: text) else { return nil }
            self = .share(share)
        } else {
            guard let pixels = Int(plainDigits: text) else { return nil }
            self = .pixels(pixels)
        }
    }

    /// Parses an expression of the image's own side, such as `iw` or `iw_div_2`; nil for other text.
    init?(expression text: String, of key: String) {
        let parts = text.bytes.split(separator: "_")
        guard let first = parts.first, first.bytes == ByteText("i\(key)"[...]) else { return nil }
        guard parts.count > 1 else {
            self = .share(1)
            return
        }
        guard parts.count == 3, let number = Double(plainDecimal: parts[2]), number > 0 else { return nil }
        switch parts[1] {
        case "mul": self = .share(number)
        case "div": self = .share(1 / number)
        default: return nil
        }
    }

    /// A length in the form of the parameter `region`; nil for a fraction above 1.
    var region: String? {
        switch self {
        case .pixels(let pixels): NumberText.pixels(pixels)
        case .share(let share): share <= 1 ? NumberText.plain(share) : nil
        }
    }
}
