import FoundationEssentials

/// Writes the JSON documents of the service.
enum JSONDocument {
    /// The document's bytes, with sorted names, so that equal answers are equal byte by byte.
    static func bytes(of value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return [UInt8](try encoder.encode(value)) + [0x0A]
        } catch {
            // Documents hold strings, whole numbers and finite decimals only, all of which JSON has.
            preconditionFailure("a document that JSON cannot hold: \(error)")
        }
    }
}
