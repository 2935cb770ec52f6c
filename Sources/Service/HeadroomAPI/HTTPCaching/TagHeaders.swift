import HTTPTypes
import UntrustedText

/// The header fields that contain the tags of a response, for purges in CDNs.
///
/// Inside the service, responses contain ``HTTPField/Name/cacheTag``. The finished response contains the configured
/// fields instead.
package struct TagHeaders: Hashable, Sendable {
    /// A field and the separator of its tags.
    private struct Field: Hashable {
        let name: HTTPField.Name
        let separator: Separator
        /// Whether the separator must be written in the setting: it differs from the usual separator of a known field,
        /// or the field is not known.
        let isSpelledOut: Bool
    }

    private enum Separator: String {
        case comma, space

        var text: String { self == .comma ? "," : " " }
    }

    /// The maximum number of fields.
    package static let maxFields = 8

    /// The accepted texts, for messages.
    package static let expected =
        "none, or at most \(maxFields) of Cache-Tag, Surrogate-Key, xkey, Edge-Cache-Tag, and other names with "
        + "their separator, such as X-Tags:space or X-Tags:comma"

    /// `Cache-Tag`.
    package static let standard = TagHeaders([Field(name: .cacheTag, separator: .comma, isSpelledOut: false)])

    private static let known: [(name: String, separator: Separator)] = [
        ("cache-tag", .comma), ("surrogate-key", .space), ("xkey", .space), ("edge-cache-tag", .comma),
    ]

    private let fields: [Field]

    private init(_ fields: [Field]) { self.fields = fields }

    /// Parses a comma-separated list of names, or `none`; nil for any other text.
    package init?(_ text: String) {
        if text.utf8.elementsEqual("none".utf8) {
            self.init([])
            return
        }
        var fields: [Field] = []
        for part in text.bytes.split(separator: ",", omittingEmptySubsequences: false) {
            let (before, after) = part.bytes.trimmed().bytes.halves(at: ":")
            guard let name = FixedFields.name(before) else { return nil }
            let usual = Self.known.first { name.canonicalName.bytes == $0.name.bytes }?.separator
            guard usual != nil || !FixedFields.isReserved(name) else { return nil }
            let stated = after.map { Separator(rawValue: String($0)) }
            if let stated, stated == nil { return nil }
            guard let separator = (stated ?? nil) ?? usual, !fields.contains(where: { $0.name == name }) else {
                return nil
            }
            fields.append(Field(name: name, separator: separator, isSpelledOut: separator != usual))
        }
        guard fields.count <= Self.maxFields else { return nil }
        self.init(fields)
    }

    /// The text of the setting.
    package var text: String {
        if fields.isEmpty { return "none" }
        return fields.map { field in
            field.isSpelledOut ? "\(field.name.rawName):\(field.separator.rawValue)" : field.name.rawName
        }.joined(separator: ",")
    }

    /// Replaces `Cache-Tag` with the configured fields.
    func apply(to headers: inout HTTPFields) {
        guard self != .standard, let value = headers[.cacheTag] else { return }
        headers[.cacheTag] = nil
        for field in fields {
            headers[field.name] = value.bytes.split(separator: ",").joined(separator: field.separator.text)
        }
    }
}
