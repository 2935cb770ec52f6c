package import Imaging

/// The template of results' paths, such as `{key}-{aspect}.{format}`.
package struct OutputName: Sendable {
    private enum Part: Equatable {
        case text(Substring)
        case key, aspect, format
    }

    /// The template as text.
    package let text: String
    private let parts: [Part]

    /// Parses a template.
    ///
    /// - Throws: A ``BatchError`` for an unknown word in braces, and without `{key}`.
    package init(_ text: String) throws(BatchError) {
        self.text = text
        var parts: [Part] = []
        var rest = text[...]
        while !rest.isEmpty {
            guard rest.first == "{" else {
                let plain = rest.prefix { $0 != "{" }
                parts.append(.text(plain))
                rest = rest[plain.endIndex...]
                continue
            }
            let word = rest.dropFirst().prefix { $0 != "}" }
            switch word {
            case "key": parts.append(.key)
            case "aspect": parts.append(.aspect)
            case "format": parts.append(.format)
            default:
                throw BatchError(usage: "--name=\(text) is not valid: expected {key}, {aspect} and {format} only.")
            }
            guard word.endIndex < rest.endIndex else {
                throw BatchError(usage: "--name=\(text) is not valid: a brace is not closed.")
            }
            rest = rest[rest.index(after: word.endIndex)...]
        }
        guard parts.contains(.key) else {
            throw BatchError(usage: "--name=\(text) is not valid: without {key}, results would replace each other.")
        }
        self.parts = parts
    }

    /// The template without `--name`.
    ///
    /// - Parameters:
    ///   - isArchive: Whether results go to an archive, in which the part before the first dot is a sample's key.
    ///   - hasSeveral: Whether the picture has several results.
    /// - Returns: The template.
    static func standard(isArchive: Bool, hasSeveral: Bool) -> OutputName {
        let parts: [Part] =
            hasSeveral
            ? [.key, .text(isArchive ? "." : "-"), .aspect, .text("."), .format] : [.key, .text("."), .format]
        return OutputName(parts)
    }

    private init(_ parts: [Part]) {
        self.parts = parts
        text = ""
    }

    /// Whether paths of several shapes differ.
    package var hasAspect: Bool { parts.contains(.aspect) }

    /// The path of a result; with nil for the format, the word in braces stays.
    package func path(key: String, aspect: String, format: ImageFormat?) -> String {
        parts.map { part in
            switch part {
            case .text(let text): String(text)
            case .key: key
            case .aspect: Self.word(aspect)
            case .format: format?.fileExtensions[0] ?? "{format}"
            }
        }.joined()
    }

    /// An aspect as a part of a file name: `16x9`.
    static func word(_ aspect: String) -> String { String(aspect.map { $0 == ":" ? "x" : $0 }) }
}
