import HeadroomAPI
import Imaging
import Requests

/// The filters of a URL, as the value of `filter`.
///
/// Filters with public definitions are reproduced exactly if a colour matrix can express them. Other filters are
/// translated to Headroom's filters with a similar strength.
struct FilterText {
    private var filters: [String] = []

    /// The value of `filter`; nil without filters.
    var text: String? { filters.isEmpty ? nil : filters.joined(separator: ",") }

    /// Adds a filter without an amount.
    mutating func add(_ name: String) { filters.append(name) }

    /// Adds a filter with an amount, which is clamped to 0 and the maximum amount.
    ///
    /// A filter whose amount has no effect is omitted.
    mutating func add(_ name: ImageFilter.Name, _ amount: Double) {
        let row = FilterRow.row(of: name)
        guard let maximum = row.numbers.maximum, amount != row.neutral else { return }
        filters.append("\(name.rawValue):\(NumberText.plain(min(max(amount, 0), maximum)))")
    }

    /// Adds an unsharp mask by its amount, and its radius as a standard deviation in pixels; both are clamped.
    mutating func addSharpening(_ amount: Double, radius: Double) {
        guard amount != 0 else { return }
        let text = NumberText.plain(min(max(amount, 0), ImageFilter.maxSharpening))
        let radiusText = ":" + NumberText.plain(min(max(radius, 0), ImageFilter.maxRadius))
        filters.append("sharpen:\(text)\(radius == ImageFilter.standardRadius ? "" : radiusText)")
    }

    /// Adds filters that add a fraction of the whole range, -1 to 1, to all samples.
    ///
    /// They are a factor of brightness and a factor of contrast, whose matrices are multiplied before rounding: with `f
    /// = 1 + 2d`, the contrast `1 / f` followed by the brightness `f` produces `x + d`; below 0, the order is reversed.
    mutating func addOffset(_ share: Double) {
        guard share != 0 else { return }
        let factor = 1 + 2 * abs(min(max(share, -1), 1))
        let steps: [(ImageFilter.Name, Double)] =
            share > 0
            ? [(.contrast, 1 / factor), (.brightness, factor)] : [(.brightness, 1 / factor), (.contrast, factor)]
        for (name, amount) in steps { add(name, amount) }
    }

    /// Adds a rotation of the hue by any number of degrees.
    mutating func addHue(_ degrees: Double) {
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        if rest.isFinite { add(.hue, rest < 0 ? rest + 360 : rest) }
    }
}
