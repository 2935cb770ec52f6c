import Imaging
package import Pipeline

/// The stickers and watermarks that requests may name.
package struct OverlaySet: Sendable {
    private let stickers: [String: Sticker]
    private let marks: [String: Sticker.Content]
    /// The stickers that are not built in.
    private let others: [Sticker]
    /// The files of watermarks that are not stickers.
    private let files: [String: [UInt8]]

    /// Creates a set of the built-in stickers and other stickers.
    ///
    /// Other stickers replace built-in stickers with the same name.
    ///
    /// - Parameters:
    ///   - others: The other stickers, which can also be used as watermarks.
    ///   - marks: The files of watermarks that are not stickers, by their names.
    package init(_ others: [Sticker] = [], marks: [String: [UInt8]] = [:]) {
        var stickers: [String: Sticker] = [:]
        for sticker in Sticker.own + others { stickers[sticker.name] = sticker }
        self.stickers = stickers
        self.marks = stickers.mapValues(\.content).merging(marks.mapValues { .files([$0]) }) { _, mark in mark }
        self.others = others
        files = marks
    }

    /// Describes all stickers and watermarks, for cache keys.
    ///
    /// - Parameter digest: Computes the digest of a file, which the text contains instead of the bytes.
    /// - Returns: A text; sets with equal texts draw the same images.
    package func canonicalText(digest: (_ file: [UInt8]) -> String) -> String {
        let all = others.sorted { $0.name < $1.name }.map { sticker in
            var text = "\(sticker.name),\(sticker.anchor),\(sticker.width),\(sticker.unit),\(sticker.x),\(sticker.y),"
            text += "\(sticker.stands),\(sticker.depth),\(sticker.delay ?? 0)"
            if case .files(let files) = sticker.content { text += files.map { ",\(digest($0))" }.joined() }
            return text
        }
        let named = files.sorted { $0.key < $1.key }.map { "mark \($0.key),\(digest($0.value))" }
        return (all + named).joined(separator: ";")
    }

    /// The stickers and the watermark that a request draws on images.
    package struct Drawn: Sendable {
        /// The stickers, in the order of the parameter.
        package var stickers: [Sticker] = []
        /// The watermark with its image; nil for none.
        package var mark: Watermark?

        /// Creates a value without stickers and watermarks.
        package init() {}
    }

    /// Returns the stickers and the watermark that are named in parameters.
    ///
    /// - Throws: An error for an unknown name in `overlay`, and for an unknown name in `watermark`.
    package func drawn(by parameters: FrameParameters) throws(ParameterErrors) -> Drawn {
        var (drawn, errors) = (Drawn(), [ParameterError]())
        func refuse(_ parameter: Parameter, expected: String) {
            let received = parameters.given[parameter]
            errors.append(ParameterError(name: parameter.name, received: received, expected: expected))
        }
        drawn.stickers = parameters.overlays.compactMap { stickers[$0] }
        if drawn.stickers.count < parameters.overlays.count {
            let names = stickers.keys.sorted().joined(separator: ", ")
            refuse(.overlay, expected: "names of \(names), separated by commas")
        }
        if var mark = parameters.mark {
            mark.content = marks[mark.name]
            drawn.mark = mark
            let names = marks.keys.sorted().joined(separator: ", ")
            if mark.content == nil { refuse(.watermark, expected: "one of \(names)") }
        }
        if !errors.isEmpty { throw ParameterErrors(all: errors).named(as: parameters.deprecated) }
        return drawn
    }
}
