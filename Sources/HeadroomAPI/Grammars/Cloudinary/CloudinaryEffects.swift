import Imaging
import Requests

/// Cloudinary's effects (`e_`) that are filters or redactions here.
///
/// Their definitions are not public; those here have a similar strength.
struct CloudinaryEffects {
    private var filters = FilterText()
    private var redaction: String?

    /// The units of `e_blur` for a pixel of standard deviation.
    private static let blurUnits = 25.0
    /// The values of amounts, and the default.
    private static let blurs = (range: 1...2000, standard: 100)

    /// Adds an effect such as `blur:300`.
    ///
    /// - Throws: A ``Problem`` with status 501 for other effects, and 400 for an amount outside of its range.
    mutating func add(_ text: String) throws(Problem) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        func amount(_ range: ClosedRange<Int>, _ standard: Int) throws(Problem) -> Double {
            guard parts.count > 1 else { return Double(standard) }
            guard let number = Int(parts[1]), range.contains(number) else {
                throw .invalid(option: "e_\(text)", expected: "\(range.lowerBound) to \(range.upperBound)")
            }
            return Double(number)
        }
        switch parts[0] {
        case "grayscale": filters.add("mono")
        case "blackwhite": filters.add("noir")
        case "sepia":
            _ = try amount(1...100, 80)
            filters.add("sepia")
        case "negate": filters.add("invert")
        case "vignette":
            _ = try amount(0...100, 20)
            filters.add("vignette")
        case "blur": filters.add(.blur, try amount(Self.blurs.range, Self.blurs.standard) / Self.blurUnits)
        case "sharpen": filters.add(.sharpen, try amount(1...2000, 100) / 100)
        case "brightness": filters.add(.brightness, 1 + (try amount(-99...100, 80)) / 100)
        case "contrast": filters.add(.contrast, 1 + (try amount(-100...100, 0)) / 100)
        case "saturation": filters.add(.saturation, 1 + (try amount(-100...100, 80)) / 100)
        case "blur_faces": redaction = "blur"
        case "pixelate_faces": redaction = "pixelate"
        default: throw .unsupported(option: "e_\(text)")
        }
    }

    /// Adds filters and redaction.
    func add(to translation: inout Translation) {
        translation[.filter] = filters.text
        translation[.redact] = redaction
    }
}
