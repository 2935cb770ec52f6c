import FoundationEssentials

extension Encodable {
    /// The value as one line of JSON, including its line feed.
    ///
    /// - Throws: An error for a number that is not finite.
    var planBytes: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return Array(try encoder.encode(self)) + [0x0A]
        }
    }
}
