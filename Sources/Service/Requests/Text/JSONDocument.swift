import FoundationEssentials

/// Writes the JSON documents of the service and of the command line.
package enum JSONDocument {
    /// Encodes a value of strings, integers and finite numbers as one JSON document, in one line or indented, with a
    /// final line break; names are sorted, so equal values give equal bytes.
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
