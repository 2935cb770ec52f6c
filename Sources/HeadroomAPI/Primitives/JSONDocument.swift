import FoundationEssentials

/// Writes the JSON documents of the service and of the command line.
package enum JSONDocument {
    /// Encodes a value as one JSON document with a final line break; names are sorted, so equal values give equal
    /// bytes.
    ///
    /// - Parameters:
    ///   - value: A value of strings, integers and finite numbers.
    ///   - isPretty: Whether the document is indented; else it is one line.
    /// - Returns: UTF-8.
    package static func bytes(of value: some Encodable, isPretty: Bool = false) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        do {
            return [UInt8](try encoder.encode(value)) + [0x0A]
        } catch {
            preconditionFailure("a document that JSON cannot hold: \(error)")
        }
    }
}
