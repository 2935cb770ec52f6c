import TotalFunctions
import UntrustedText
import Imaging

/// The client hints about screen size, pixel ratio and data saving.
///
/// They determine parameters with the value `auto`.
///
/// Values are rounded to a few steps, so that similar clients can share cached results.
package struct ClientHints: Hashable, Sendable {
    /// The header fields that contain hints.
    package enum Field: String, CaseIterable, Sendable {
        case width = "Sec-CH-Width"
        case oldWidth = "Width"
        case viewport = "Sec-CH-Viewport-Width"
        case oldViewport = "Viewport-Width"
        case ratio = "Sec-CH-DPR"
        case oldRatio = "DPR"
        case saveData = "Save-Data"

        /// Whether browsers send the field only to hosts that request it with `Accept-CH`.
        package var isRequested: Bool { rawValue.bytes.hasPrefix("Sec-CH-") }
    }

    /// The value of a parameter that uses hints.
    static let word = "auto"
    /// The possible widths of outputs, in pixels.
    package static let widths = [320, 480, 640, 800, 960, 1280, 1600, 1920, 2560, 3840]
    /// The width without a hint.
    package static let usualWidth = 1280
    /// The possible pixel ratios of outputs.
    package static let ratios = [1, 1.5, 2, 3]
    /// The quality for clients that save data.
    package static let savingQuality = 50

    /// The width of the image on the screen, in screen pixels.
    package var width: Int?
    /// The width of the window, in CSS pixels.
    package var viewport: Int?
    /// The number of screen pixels per CSS pixel.
    package var ratio: Double?
    /// Whether the client has a data-saving preference.
    package var savesData = false

    /// Creates hints without values: parameters with the value `auto` get their usual values.
    package init() {}

    /// Reads the values of header fields.
    ///
    /// Invalid values are ignored.
    package init(_ value: (Field) -> String?) {
        func length(_ fields: Field...) -> Int? {
            let length = fields.compactMap(value).first.flatMap { Int(plainDigits: $0) }
            return length.flatMap { (1...100_000).contains($0) ? $0 : nil }
        }
        width = length(.width, .oldWidth)
        viewport = length(.viewport, .oldViewport)
        let text = value(.ratio) ?? value(.oldRatio)
        ratio = text.flatMap { Double(plainDecimal: $0) }.flatMap { (0.1...10).contains($0) ? $0 : nil }
        savesData = value(.saveData)?.bytes.matches("on") == true
    }

    /// Returns the fields that can affect the value of a parameter, for `Vary`; empty if no field can.
    package static func fields(of parameter: Parameter) -> [Field] {
        switch parameter {
        case .width: Field.allCases
        case .dpr: [.ratio, .oldRatio, .saveData]
        case .quality: [.saveData]
        default: []
        }
    }

    /// Returns the value of a parameter for this client; nil if hints do not affect the parameter.
    func value(of parameter: Parameter) -> String? {
        switch parameter {
        case .width: "\(imageWidth)"
        case .dpr: ParameterValues.short(savesData ? 1 : Self.step(ratio ?? 1, of: Self.ratios))
        case .quality: "\(savesData ? Self.savingQuality : ImageEncoder.defaultQuality)"
        default: nil
        }
    }

    /// The width of outputs in pixels, which is one of ``widths``.
    ///
    /// For clients that save data, CSS pixels are used instead of screen pixels.
    private var imageWidth: Int {
        let ratio = ratio ?? 1
        let pixels = width.map(Double.init) ?? viewport.map { Double($0) * ratio }
        guard let pixels else { return Self.usualWidth }
        return Self.step(Int(clamping: (savesData ? pixels / max(1, ratio) : pixels).rounded(.up)), of: Self.widths)
    }

    /// Returns the smallest step that is at least as large as a value; the largest step if there is none.
    private static func step<Number: Comparable>(_ value: Number, of steps: [Number]) -> Number {
        steps.first { $0 >= value } ?? steps.last ?? value
    }

    /// Replaces `auto` with the values for this client.
    ///
    /// Also returns the parameters whose value was `auto`.
    func resolved(_ pairs: [(name: String, value: String)]) -> ([(name: String, value: String)], [Parameter]) {
        var hinted: [Parameter] = []
        let pairs = pairs.map { pair in
            guard pair.value.utf8.elementsEqual(Self.word.utf8),
                let parameter = Parameter.named(pair.name), let value = value(of: parameter)
            else { return pair }
            hinted.append(parameter)
            return (name: pair.name, value: value)
        }
        return (pairs, hinted)
    }
}
