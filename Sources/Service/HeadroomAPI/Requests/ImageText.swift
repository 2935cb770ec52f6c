import Encodings
import Imaging
import UntrustedText

/// An image as text: Base64 (RFC 4648 §4 or §5), or a `data:` URL (RFC 2397) with Base64.
///
/// Base64 is parsed strictly, except that line breaks may occur anywhere and padding may be missing. Padding that is
/// present must be complete.
struct ImageText {
    /// The encoding of escaped characters in the text.
    enum Escapes {
        case none
        /// The escapes of a JSON string (RFC 8259 §7).
        case json
        /// Percent-encoding.
        ///
        /// A plus sign is a Base64 digit, because Base64 does not contain spaces.
        case percent
    }

    private let text: ArraySlice<UInt8>
    private let escapes: Escapes

    init(_ text: ArraySlice<UInt8>, escapes: Escapes = .none) {
        self.text = text
        self.escapes = escapes
    }

    /// The maximum length of the part of a `data:` URL before its comma, in bytes.
    private static let maxHeaderBytes = 256

    /// The maximum number of decoded bytes, to reserve their memory.
    var maxDecodedBytes: Int { text.count / 4 * 3 + 3 }

    /// The start of the text without its escapes, for messages.
    var start: [UInt8] { Array(UnescapedBytes(text.prefix(4096), escapes).prefix(1024)) }

    /// Whether the text is a `data:` URL, valid or not.
    var isDataURL: Bool { Substring(decoding: start.prefix(5), as: UTF8.self).bytes.begins(with: "data:") }

    /// Whether the text is the Base64 of a file that starts like an image.
    ///
    /// Only the start is decoded.
    var isBase64OfImage: Bool {
        // Whole groups of four digits, enough for every file signature.
        let digits = UnescapedBytes(text.prefix(4096), escapes).lazy.filter { $0 != 10 && $0 != 13 }
            .prefix(InputFormat.signatureLength / 3 * 4)
        guard let head = Base64.bytes(digits) else { return false }
        return InputFormat.sniff(head) != nil
    }

    /// Decodes the image; nil if the text is neither Base64 nor a `data:` URL with Base64.
    func decoded() -> [UInt8]? {
        guard isDataURL else {
            var reader = UnescapedBytes(text, escapes)
            return decoded(&reader)
        }
        // A URL may contain percent-encoded digits.
        var reader = UnescapedBytes(text, escapes, isPercentEncoded: true)
        var header: [UInt8] = []
        while let byte = reader.next(), byte != UInt8(ascii: ",") {
            guard header.count < Self.maxHeaderBytes else { return nil }
            header.append(byte)
        }
        let parameters = String(decoding: header, as: UTF8.self).bytes.split(separator: ";").dropFirst()
        guard let last = parameters.last, last.bytes.trimmed().bytes.matches("base64") else { return nil }
        return decoded(&reader)
    }

    private func decoded(_ reader: inout UnescapedBytes) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(maxDecodedBytes)
        var (bits, digits, padding): (UInt32, Int, Int) = (0, 0, 0)
        var (isStandard, isForURLs) = (false, false)
        while let byte = reader.next() {
            // bounded: a table of 256 elements
            let value = Self.values[Int(byte)]
            if value < 64 {
                guard padding == 0 else { return nil }
                if value > 61 {
                    if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") {
                        isStandard = true
                    } else {
                        isForURLs = true
                    }
                }
                bits = bits << 6 | UInt32(clamping: value)
                digits += 1
                if digits & 3 == 0 {
                    bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
                    bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
                    bytes.append(UInt8(truncatingIfNeeded: bits))
                }
            } else if byte == UInt8(ascii: "=") {
                padding += 1
            } else if byte != 10, byte != 13 {
                return nil
            }
        }
        guard !reader.isMalformed, !(isStandard && isForURLs), digits > 0, padding <= 2,
            padding == 0 || (digits + padding) & 3 == 0
        else { return nil }
        // The unused bits of the last digit are 0.
        switch digits & 3 {
        case 0: return padding == 0 ? bytes : nil
        case 2:
            guard bits & 0xF == 0 else { return nil }
            bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
        case 3:
            guard bits & 0x3 == 0 else { return nil }
            bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
        default: return nil
        }
        return bytes
    }

    /// The value of each byte as a digit; 255 for other bytes.
    private static let values: [UInt8] = (0..<256).map { byte in
        switch UInt8(truncatingIfNeeded: byte) {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt8(truncatingIfNeeded: byte - 65)
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt8(truncatingIfNeeded: byte - 71)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(truncatingIfNeeded: byte + 4)
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: 255
        }
    }
}

/// The bytes of a text without its escapes.
struct UnescapedBytes: Sequence, IteratorProtocol {
    private var bytes: IndexingIterator<ArraySlice<UInt8>>
    private let isJSON: Bool
    private let isPercentEncoded: Bool
    /// Whether an invalid escape ended the bytes.
    private(set) var isMalformed = false

    /// Creates the bytes of a text, optionally with percent-encoding inside its escapes.
    init(_ text: ArraySlice<UInt8>, _ escapes: ImageText.Escapes, isPercentEncoded: Bool = false) {
        bytes = text.makeIterator()
        isJSON = escapes == .json
        self.isPercentEncoded = isPercentEncoded || escapes == .percent
    }

    mutating func next() -> UInt8? {
        guard !isMalformed, var byte = bytes.next() else { return nil }
        if isJSON, byte == UInt8(ascii: "\\") {
            guard let escaped = escaped() else { return end() }
            byte = escaped
        }
        guard isPercentEncoded, byte == UInt8(ascii: "%") else { return byte }
        return number(digits: 2).map { UInt8(truncatingIfNeeded: $0) } ?? end()
    }

    private mutating func end() -> UInt8? {
        isMalformed = true
        return nil
    }

    /// Returns the character of a JSON escape after its backslash; 255 for a character that is not ASCII.
    private mutating func escaped() -> UInt8? {
        switch bytes.next() {
        case UInt8(ascii: "/"): UInt8(ascii: "/")
        case UInt8(ascii: "\\"): UInt8(ascii: "\\")
        case UInt8(ascii: "\""): UInt8(ascii: "\"")
        case UInt8(ascii: "n"): 10
        case UInt8(ascii: "r"): 13
        case UInt8(ascii: "t"): 9
        case UInt8(ascii: "b"): 8
        case UInt8(ascii: "f"): 12
        case UInt8(ascii: "u"): number(digits: 4).map { $0 < 0x80 ? UInt8(truncatingIfNeeded: $0) : 255 }
        default: nil
        }
    }

    private mutating func number(digits: Int) -> Int? {
        var number = 0
        // bounded: a constant
        for _ in 0..<digits {
            guard let digit = bytes.next().flatMap(Hexadecimal.value) else { return nil }
            number = number << 4 | Int(digit)
        }
        return number
    }
}

/// Finds the text of the field `image` in bodies, so that an image does not count as a parameter.
enum ImageField {
    static let name = "image"

    /// Returns the characters between the quotes of the first member `image` of a JSON object; nil without this member,
    /// if it is not a string, or if the text is not a JSON object.
    static func range(inObject body: [UInt8]) -> Range<Int>? {
        var scanner = ObjectScanner(body)
        return scanner.range(ofString: Array(name.utf8))
    }

    /// Returns the value of the first field `image` of an encoded form; nil without this field.
    ///
    /// All bytes before the field must be text.
    static func range(inForm body: [UInt8]) -> Range<Int>? {
        let beginning = Array("\(name)=".utf8)
        var start = body.startIndex
        while start < body.endIndex, start <= RequestBody.maxJSONBytes {
            let end = body[start...].firstIndex(of: UInt8(ascii: "&")) ?? body.endIndex
            // bounded: the end is not before the start, and the field is at least as long as the name
            if body[start..<end].starts(with: beginning) { return (start + beginning.count)..<end }
            // Fields before the image are text.
            // bounded: as above
            guard !body[start..<end].contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return nil }
            start = end + 1
        }
        return nil
    }
}

/// Reads the names of a JSON object's members, and skips their values.
private struct ObjectScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    mutating func range(ofString wanted: [UInt8]) -> Range<Int>? {
        guard take(UInt8(ascii: "{")) else { return nil }
        repeat {
            guard let name = string(), take(UInt8(ascii: ":")) else { return nil }
            if next == UInt8(ascii: "\"") {
                guard let value = string() else { return nil }
                if bytes[name].elementsEqual(wanted) { return value }
            } else {
                skipValue()
            }
        } while take(UInt8(ascii: ","))
        return nil
    }

    /// The next byte after blanks.
    private var next: UInt8? {
        mutating get {
            while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
            return position < bytes.count ? bytes[position] : nil
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Reads a string, and returns the range between its quotes.
    private mutating func string() -> Range<Int>? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                position += 1
                // bounded: the position has advanced beyond the start
                return start..<(position - 1)
            }
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    /// Skips a value that is not a string: a number, a word, an array or an object.
    private mutating func skipValue() {
        var depth = 0
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                if string() == nil { return }
                continue
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if depth == 0 { return }
                depth -= 1
            case UInt8(ascii: ","):
                if depth == 0 { return }
            default: break
            }
            position += 1
        }
    }
}
