import HTTPTypes

/// The place of a request in a trace that others began (W3C Trace Context, level 2).
///
/// A trace is continued, never begun: without somebody who collects spans there is nothing to be gained by one.
package struct TraceContext: Hashable, Sendable {
    /// The trace, 32 hexadecimal digits.
    package let traceID: String
    /// The caller's span, 16 hexadecimal digits.
    package let parentID: String
    /// The span of this request, 16 hexadecimal digits.
    package let spanID: String
    /// What the caller decided: whether it records the trace, and whether the trace's digits are random.
    private let flags: UInt8

    /// The flags of level 2; others are not sent on (§3.2.2.5).
    private static let knownFlags: UInt8 = 0b11

    /// Continues the trace of a request; nil when it belongs to none, or when what it says is not valid.
    init?(_ headers: HTTPFields) {
        let values = headers[values: .traceParent]
        guard values.count == 1 else { return nil }
        self.init(values[0])
    }

    /// Reads a `traceparent` (§3.2): version, trace, parent and flags, with lower-case digits and hyphens between.
    ///
    /// Of a later version the beginning is read as that of version 00 is, as §3.2.4 asks.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count >= 4, let version = Self.byte(parts[0]), version != 0xFF,
            version != 0 || parts.count == 4,
            Self.isID(parts[1], digits: 32), Self.isID(parts[2], digits: 16), let flags = Self.byte(parts[3])
        else { return nil }
        traceID = String(decoding: parts[1], as: UTF8.self)
        parentID = String(decoding: parts[2], as: UTF8.self)
        spanID = Hexadecimal.random(bytes: 8)
        self.flags = flags & Self.knownFlags
    }

    /// The `traceparent` of requests that are made for this one.
    package var traceParent: String { "00-\(traceID)-\(spanID)-0\(flags)" }

    private static func byte(_ digits: Substring.UTF8View) -> UInt8? {
        guard digits.count == 2, digits.allSatisfy(isDigit) else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static func isID(_ digits: Substring.UTF8View, digits count: Int) -> Bool {
        digits.count == count && digits.allSatisfy(isDigit) && digits.contains { $0 != UInt8(ascii: "0") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}
