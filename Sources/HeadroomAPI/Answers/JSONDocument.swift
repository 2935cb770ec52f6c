import FoundationEssentials

/// Writes the JSON documents of the service and of the command line.
package enum JSONDocument {
    /// The document's bytes and a line's end, with sorted names, so that equal documents are equal byte by byte.
    ///
    /// - Parameters:
    ///   - value: Strings, whole numbers and finite decimals only, all of which JSON has.
    ///   - isPretty: Whether it is spread over lines for people; else it is one line.
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
