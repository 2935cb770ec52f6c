/// A node of a YAML document.
///
/// The node that an alias represents replaces the alias.
package struct YAMLNode: Sendable {
    /// A key of a mapping and its value.
    package typealias Entry = (key: YAMLNode, value: YAMLNode)

    /// The content of a node.
    package enum Content: Sendable {
        /// A text; plain means that it is not in quotes.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        /// The entries, in the order of the document.
        case mapping([Entry])
    }

    package let content: Content
    /// The number of the line where the node starts, counted from 1.
    package let line: Int

    /// Whether the value is empty, or an unquoted word for an empty value, such as `~`.
    package var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// The text of a scalar, including `~`; nil for a sequence or a mapping.
    package var text: String? {
        guard case .scalar(let text, _) = content else { return nil }
        return text
    }

    /// The value or, for a sequence, its members as texts.
    ///
    /// Nil for null, for mappings, and for sequences that contain null, mappings or sequences.
    package var texts: [String]? {
        switch content {
        case .scalar(let text, _): return isNull ? nil : [text]
        case .sequence(let members):
            let texts = members.map { $0.isNull ? nil : $0.text }
            return texts.contains(nil) ? nil : texts.compactMap(\.self)
        case .mapping: return nil
        }
    }

    /// The entries of a mapping; nil for a scalar or a sequence.
    package var entries: [Entry]? {
        guard case .mapping(let entries) = content else { return nil }
        return entries
    }
}
