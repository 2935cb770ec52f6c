import Encodings
import Imaging
package import Pipeline

/// The stickers that requests may name.
package struct OverlaySet: Sendable {
    private let stickers: [String: Sticker]
    /// A digest of all stickers, so that caches distinguish pictures of one name.
    package let digest: String

    /// The program's own stickers, and others; one of the same name replaces an own one.
    package init(_ others: [Sticker] = []) {
        var stickers: [String: Sticker] = [:]
        for sticker in Sticker.own + others { stickers[sticker.name] = sticker }
        self.stickers = stickers
        var digests: [String] = []
        for sticker in others.sorted(by: { $0.name < $1.name }) {
            var text = "\(sticker.name),\(sticker.anchor),\(sticker.width),\(sticker.unit),\(sticker.x),\(sticker.y),"
            text += "\(sticker.stands),\(sticker.depth),\(sticker.delay ?? 0)"
            if case .files(let files) = sticker.content {
                for file in files { text += ",\(Hexadecimal.text(SHA256.digest(of: file)))" }
            }
            digests.append(text)
        }
        digest = Hexadecimal.text(SHA256.digest(of: Array(digests.joined(separator: ";").utf8)))
    }

    /// All names, in alphabetical order.
    package var names: [String] { stickers.keys.sorted() }

    /// The stickers of the given names, in their order.
    ///
    /// - Throws: An error for `overlay` if a name is unknown.
    package func stickers(_ names: [String]) throws(ParameterErrors) -> [Sticker] {
        let known = names.compactMap { stickers[$0] }
        guard known.count == names.count else {
            let received = names.joined(separator: ",")
            let expected = "names of \(self.names.joined(separator: ", ")), separated by commas"
            let name = Parameter.overlay.name
            throw ParameterErrors(all: [ParameterError(name: name, received: received, expected: expected)])
        }
        return known
    }
}
