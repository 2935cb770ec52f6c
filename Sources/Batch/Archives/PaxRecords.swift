import HeadroomAPI

/// The records of an extended header (POSIX.1-2001 pax): `length keyword=value`, each with a line feed.
enum PaxRecords {
    /// The values by keyword; nil for other bytes.
    static func values(_ bytes: [UInt8]) -> [String: String]? {
        var values: [String: String] = [:]
        var rest = bytes[...]
        while !rest.isEmpty {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard let length = Int(plainDigits: String(decoding: digits, as: UTF8.self)), length <= rest.count,
                length > digits.count + 1, rest.dropFirst(digits.count).first == 0x20
            else { return nil }
            let record = rest.prefix(length).dropFirst(digits.count + 1)
            guard record.last == 0x0A, let equals = record.firstIndex(of: UInt8(ascii: "=")),
                let keyword = String(validating: record[..<equals], as: UTF8.self)
            else { return nil }
            // Values of other keywords may be binary.
            let value = String(validating: record[(equals + 1)...].dropLast(), as: UTF8.self)
            if keyword == "path", value == nil { return nil }
            values[keyword] = value ?? ""
            rest = rest.dropFirst(length)
        }
        return values
    }
}
