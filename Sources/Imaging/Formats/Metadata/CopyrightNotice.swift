/// Who made a picture, and to whom it belongs.
package struct CopyrightNotice: Hashable, Sendable {
    /// The name of the person who made the picture; several are separated by semicolons.
    package var artist: String?
    /// The notice of copyright.
    package var copyright: String?
    /// The line that has to be printed beside the picture.
    package var credit: String?

    /// The longest text in UTF-8, in bytes; longer ones are cut.
    static let maxBytes = 1024

    /// A notice as given.
    package init(artist: String? = nil, copyright: String? = nil, credit: String? = nil) {
        self.artist = artist
        self.copyright = copyright
        self.credit = credit
    }

    /// Whether there is nothing to keep.
    package var isEmpty: Bool { artist == nil && copyright == nil && credit == nil }

    /// The notice, with the texts of another one where it has none.
    func filled(from other: CopyrightNotice) -> CopyrightNotice {
        CopyrightNotice(
            artist: artist ?? other.artist,
            copyright: copyright ?? other.copyright,
            credit: credit ?? other.credit
        )
    }

    /// A text from a file: UTF-8 or else Latin-1, up to the first NUL, without blanks at its ends or control characters;
    /// nil if nothing is left.
    static func text(_ bytes: some Sequence<UInt8>) -> String? {
        let bytes = Array(bytes.prefix { $0 != 0 }.prefix(4 * maxBytes))
        // The last character may have been cut.
        let most = bytes.count == 4 * maxBytes ? 3 : 0
        let unicode = (0...most).lazy.compactMap { String(validating: bytes.dropLast($0), as: UTF8.self) }.first
        let text = unicode ?? String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
        var scalars = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            let next: UnicodeScalar = isControl ? " " : scalar
            if scalars.isEmpty, next == " " { continue }
            count += String(next).utf8.count
            guard count <= maxBytes else { break }
            scalars.append(next)
        }
        while scalars.last == " " { scalars.removeLast() }
        return scalars.isEmpty ? nil : String(scalars)
    }
}
