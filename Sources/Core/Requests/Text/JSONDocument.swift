import FoundationEssentials

/// Writes the JSON documents of the service and of the command line.
package enum JSONDocument {
    /// Encodes a value as one JSON document, on one line or indented, with a final line break.
    ///
    /// Names are sorted, so equal values give equal bytes.
    ///
    /// JSON cannot represent `nan` and infinities, so they are written as strings. A value that cannot be encoded
    /// becomes `null`.
    package static func bytes(of value: some Encodable, isPretty: Bool = false) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "infinity",
            negativeInfinity: "-infinity",
            nan: "nan"
        )
        let bytes = (try? encoder.encode(value)).map { [UInt8]($0) } ?? Array("null".utf8)
        return bytes + [0x0A]
    }
}
