import Encodings
package import HeadroomAPI
import HTTPTypes
package import Requests
import UntrustedText

/// The URLs of the image component of Next.js: `/_next/image?url=SOURCE&w=WIDTH&q=QUALITY`.
package struct NextURLFormat: ConfigurableURLFormat {
    package static let name = URLFormatName.next
    package static let title = "Next.js"
    package static let settings: [URLFormatSetting<Self>] = [
        .origin("next-origin", "Base URL of Next.js sources that are paths.", \.origin)
    ]

    /// The base URL of sources in the form of a path; nil rejects them.
    package var origin: OriginBase?

    package init() {}

    /// A URL format of absolute URLs, and of paths below an origin.
    ///
    /// - Parameter origin: The base URL of sources in the form of a path; nil serves only absolute URLs.
    package init(origin: OriginBase?) { self.origin = origin }

    package var signing: Signing { .none }

    package static let optionNames = ["url", "w", "q"]

    /// The maximum length of a source in bytes, as in Next.js.
    private static let maxSourceBytes = 3072

    package func translate(_ address: ForeignURL) throws(Problem) -> Translation {
        guard address.path == "/image" || address.path == "/image/" else {
            throw .invalid(option: address.path, expected: "/image?url=SOURCE&w=WIDTH&q=QUALITY", .notFound)
        }
        var options = AddressOptions(unicode: ["url"])
        var ignored: [String] = []
        for pair in try Problem.checked(QueryString.pairs(address.query)) {
            guard Self.optionNames.contains(pair.name) else {
                ignored.append(pair.name)
                continue
            }
            guard options[pair.name] == nil else {
                throw .invalid(option: "\(pair.name)=\(pair.value)", expected: "\(pair.name) once")
            }
            try options.set(pair.name, pair.value)
        }
        var result = try translation(of: options)
        for name in ignored { result.ignore(name) }
        let width = try options.value("w", expected: "a whole number of pixels above 0") { text in
            Int(plainDigits: text).flatMap { $0 > 0 ? RequestedSide($0, times: 1) : nil }
        }
        let quality = try options.value("q", expected: "a whole number from 1 to 100") { text in
            Int(plainDigits: text).flatMap { (1...100).contains($0) ? $0 : nil }
        }
        guard let width else { throw .missing("w", expected: "the width in pixels") }
        guard let quality else { throw .missing("q", expected: "the quality from 1 to 100") }
        // Next.js never enlarges an image, and selects the format by the field Accept.
        result.set(RequestedSize(width: width))
        result[.fit] = "inside"
        result[.quality] = "\(quality)"
        result[.format] = "auto"
        return result
    }

    /// The translation of the source, without parameters.
    private func translation(of options: AddressOptions) throws(Problem) -> Translation {
        let expected = "a path, or the absolute URL of a source"
        guard let source = options["url"], !source.isEmpty else {
            throw .missing("url", expected: expected)
        }
        guard source.utf8.count <= Self.maxSourceBytes else {
            throw .invalid(option: options.text("url"), expected: "at most \(Self.maxSourceBytes) bytes")
        }
        // A URL without a scheme would be a path of the origin, and Next.js would fetch its own output.
        guard !source.bytes.hasPrefix("//"), !URLFormatName.next.contains(path: source, below: "/image") else {
            throw options.invalid("url", expected)
        }
        let (path, query) = source.bytes.halves(at: "?")
        guard path.bytes.hasPrefix("/") || SourceText.isEncoded(path) == false else {
            throw options.invalid("url", expected)
        }
        return try Translation(
            path: path,
            query.map { "?\($0)" } ?? "",
            below: origin,
            of: Self.name,
            otherwise: "an absolute URL"
        )
    }
}

extension URLFormatName {
    /// Next.js.
    package static let next = URLFormatName("next", prefix: "/_next")

    /// Whether a path is a folder below the prefix, or inside this folder.
    fileprivate func contains(path: String, below folder: String) -> Bool {
        let start = prefix + folder
        guard path.bytes.hasPrefix(start) else { return false }
        return [nil, UInt8(ascii: "/"), UInt8(ascii: "?")].contains(path.bytes.dropFirst(start.utf8.count).utf8.first)
    }
}
