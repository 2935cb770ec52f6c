import Encodings
import UntrustedText

/// Reads a JSON object (RFC 8259) whose values are strings, numbers and booleans.
///
/// Decoders that create a dictionary drop repeated names, and differ in the value that they use. This reader returns
/// every member in the order of the text. It rejects nested arrays and objects, so it does not recurse. It accepts
/// arrays of scalars only on request.
package struct ParameterObject {
    /// The error for any other text.
    package struct Malformed: Error {
        /// The name of the member whose value is an object or a nested array; nil for other errors.
        package var nestedMember: String?
    }

    /// The names and values; each value is written as in a query.
    package private(set) var pairs: [(name: String, value: String)] = []

    private let bytes: [UInt8]
    private let omitsNulls: Bool
    private let joinsLists: Bool
    private let verbatim: Set<String>
    private let limit: Int
    private var position = 0

    /// Parses a UTF-8 object, with or without a byte order mark.
    ///
    /// - Parameters:
    ///   - body: The text, which must contain only the object.
    ///   - omitsNulls: Whether a member may be null; null counts as absent.
    ///   - joinsLists: Whether an array is replaced by its elements, separated by commas. An empty array counts as
    ///   absent.
    ///   - verbatim: Names of members whose numbers are not quantities, so that their notation is unchanged.
    ///   - limit: The number of members that the caller accepts. Parsing stops after one member more.
    /// - Throws: ``Malformed`` for other text.
    package init(
        _ body: [UInt8],
        omittingNulls omitsNulls: Bool = false,
        joiningLists joinsLists: Bool = false,
        verbatim: Set<String> = [],
        atMost limit: Int = .max
    ) throws(Malformed) {
        self.limit = limit
        self.omitsNulls = omitsNulls
        self.joinsLists = joinsLists
        self.verbatim = verbatim
        guard String(validating: body, as: UTF8.self) != nil else { throw Malformed() }
        bytes = body
        if body.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        skipBlanks()
        try expect("{")
        skipBlanks()
        if !take("}") { try readMembers() }
        skipBlanks()
        guard position == bytes.count else { throw Malformed() }
    }

    private mutating func readMembers() throws(Malformed) {
        repeat {
            skipBlanks()
            let name = try string()
            skipBlanks()
            try expect(":")
            skipBlanks()
            let isVerbatim = name.bytes.isASCII && verbatim.contains(name)
            if joinsLists, take("[") {
                if let text = try list(of: name, isVerbatim: isVerbatim) { pairs.append((name, text)) }
            } else if isNested {
                throw Malformed(nestedMember: name)
            } else if !omitsNulls || !take("null") {
                pairs.append((name, try scalar(isVerbatim: isVerbatim)))
            }
            if pairs.count > limit {
                position = bytes.count
                return
            }
            skipBlanks()
        } while take(",")
        try expect("}")
    }

    /// Returns the elements of an array, separated by commas, starting after its bracket; nil for an empty array.
    private mutating func list(of name: String, isVerbatim: Bool) throws(Malformed) -> String? {
        var elements: [String] = []
        skipBlanks()
        if take("]") { return nil }
        repeat {
            skipBlanks()
            if isNested { throw Malformed(nestedMember: name) }
            if !omitsNulls || !take("null") { elements.append(try scalar(isVerbatim: isVerbatim)) }
            skipBlanks()
        } while take(",")
        try expect("]")
        return elements.isEmpty ? nil : elements.joined(separator: ",")
    }

    /// Whether an array or an object is next.
    private var isNested: Bool { next == UInt8(ascii: "{") || next == UInt8(ascii: "[") }

    private mutating func scalar(isVerbatim: Bool) throws(Malformed) -> String {
        switch next {
        case UInt8(ascii: "\""): return try string()
        case UInt8(ascii: "t"): return try word("true")
        case UInt8(ascii: "f"): return try word("false")
        default: return try number(isVerbatim: isVerbatim)
        }
    }

    private mutating func word(_ word: StaticString) throws(Malformed) -> String {
        try expect(word)
        return "\(word)"
    }

    // MARK: - Numbers

    /// Reads a number and writes it as in a query: `400` for `400`, `400.0` and `4e2`.
    ///
    /// With `isVerbatim`, the text is unchanged.
    private mutating func number(isVerbatim: Bool) throws(Malformed) -> String {
        let start = position
        _ = take("-")
        // Leading zeros are not permitted (RFC 8259 §6).
        if !take("0") { try expectDigits() }
        if take(".") { try expectDigits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try expectDigits()
        }
        // bounded: the position only increases
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isVerbatim { return text }
        if let whole = Int(text) { return "\(whole)" }
        guard let value = Double(text), value.isFinite else { throw Malformed() }
        return Int(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    private mutating func expectDigits() throws(Malformed) {
        let start = position
        while let byte = next, byte.isDecimalDigit { position += 1 }
        guard position > start else { throw Malformed() }
    }

    // MARK: - Strings

    private mutating func string() throws(Malformed) -> String {
        try expect("\"")
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text += try escaped().utf8
            case 0..<0x20: throw Malformed()
            default: text.append(byte)
            }
        }
        throw Malformed()
    }

    /// Returns the character of an escape sequence, starting after its backslash.
    private mutating func escaped() throws(Malformed) -> String {
        guard let byte = next else { throw Malformed() }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return String(Unicode.Scalar(byte))
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw Malformed()
        }
        let unit = try codeUnit()
        if let scalar = Unicode.Scalar(unit) { return String(scalar) }
        guard UTF16.isLeadSurrogate(unit) else { throw Malformed() }
        try expect("\\u")
        let trail = try codeUnit()
        guard UTF16.isTrailSurrogate(trail) else { throw Malformed() }
        return String(decoding: [unit, trail], as: UTF16.self)
    }

    private mutating func codeUnit() throws(Malformed) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw Malformed() }
            // bounded: a digit is at most 15
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    // MARK: - Bytes

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    /// Consumes a text if it is next, and returns whether it was.
    private mutating func take(_ text: StaticString) -> Bool {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard next == wanted.first, bytes[position...].starts(with: wanted) else { return false }
        position += wanted.count
        return true
    }

    private mutating func expect(_ text: StaticString) throws(Malformed) {
        guard take(text) else { throw Malformed() }
    }
}
