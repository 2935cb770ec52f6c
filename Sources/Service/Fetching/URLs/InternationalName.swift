import CIDN2
import Encodings

/// Conversion of non-ASCII host names.
enum InternationalName {
    /// The maximum length of a name before conversion, in bytes.
    ///
    /// A converted name has at most 253 bytes.
    static let maxBytes = 1024

    /// Converts a name to its DNS form by UTS 46 without transitional processing, such as `bücher.example` to
    /// `xn--bcher-kva.example`.
    ///
    /// Nil if the name cannot be converted.
    ///
    /// Also nil for a name that becomes an address, such as a name with fullwidth digits, because a name of this kind
    /// is only useful to evade rules.
    static func ascii(_ name: String) -> String? {
        guard name.utf8.count <= maxBytes, !name.utf8.contains(0) else { return nil }
        var text: UnsafeMutablePointer<CChar>?
        let flags = Int32(IDN2_NFC_INPUT.rawValue | IDN2_NONTRANSITIONAL.rawValue)
        let status = idn2_to_ascii_8z(name, &text, flags)
        guard let text else { return nil }
        defer { idn2_free(text) }
        let ascii = String(cString: text)
        guard status == IDN2_OK.rawValue, ascii.utf8.allSatisfy({ $0.isLowerAlphanumeric || "-_.".utf8.contains($0) })
        else { return nil }
        // The last label of an address is a number in every form that C libraries accept.
        let labels = ascii.utf8.split(separator: UInt8(ascii: "."))
        guard let last = labels.last, let first = last.first, !first.isDecimalDigit else { return nil }
        return ascii
    }
}
