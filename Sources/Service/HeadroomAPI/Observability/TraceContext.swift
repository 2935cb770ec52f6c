import Encodings
import HTTPServer
import HTTPTypes
import Telemetry

/// The trace context of a request (W3C Trace Context, level 2).
///
/// The service always continues traces. It starts new traces only if it exports spans.
package struct TraceContext: Hashable, Sendable {
    /// The trace, 32 hexadecimal digits.
    package let traceID: String
    /// The caller's span, 16 hexadecimal digits; nil for a trace that starts here.
    package let parentID: String?
    /// The span of this request, 16 hexadecimal digits.
    package let spanID: String
    /// The flags: sampled (bit 0), and random trace ID (bit 1).
    private var flags: UInt8

    /// The flags of level 2; other flags are not propagated (§3.2.2.5).
    private static let knownFlags: UInt8 = 0b11

    /// Continues the trace of a request; nil without a valid `traceparent`.
    init?(_ headers: HTTPFields) {
        guard headers.contains(.traceParent) else { return nil }
        let values = headers[values: .traceParent]
        guard values.count == 1 else { return nil }
        self.init(values[0])
    }

    /// Reads a `traceparent` (§3.2): version, trace, parent and flags, separated by hyphens, with lower-case digits.
    ///
    /// Later versions are parsed by the rules of version 00 (§3.2.4).
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count >= 4, let version = Self.byte(parts[0]), version != 0xFF,
            version != 0 || parts.count == 4,
            Self.isID(parts[1], digits: 32), Self.isID(parts[2], digits: 16), let flags = Self.byte(parts[3])
        else { return nil }
        traceID = String(decoding: parts[1], as: UTF8.self)
        parentID = String(decoding: parts[2], as: UTF8.self)
        spanID = Self.newSpanID()
        self.flags = flags & Self.knownFlags
    }

    private init(traceID: String, flags: UInt8) {
        self.traceID = traceID
        parentID = nil
        spanID = Self.newSpanID()
        self.flags = flags
    }

    /// Returns a trace that starts here, with a random identifier.
    static func new(_ sampler: OTLPSettings.Sampler) -> TraceContext {
        TraceContext(traceID: Hexadecimal.random(bytes: 16), flags: 0b10).sampled(by: sampler)
    }

    /// Returns a new span identifier of 16 hexadecimal digits.
    static func newSpanID() -> String { Hexadecimal.random(bytes: 8) }

    /// Returns the same trace with a sampling decision, which depends on the trace's identifier and the sampled
    /// fraction.
    ///
    /// Services with the same sampled fraction make the same decision.
    func sampled(by sampler: OTLPSettings.Sampler) -> TraceContext {
        // The last 56 bits are random (§2.2.3.2).
        let bits = Int(traceID.suffix(14), radix: 16) ?? 0
        let isSampled = Double(bits) < sampler.ratio * Double(1 << 56)
        var context = self
        context.flags = isSampled ? flags | 0b1 : flags & ~0b1
        return context
    }

    /// Whether the trace is exported.
    package var isSampled: Bool { flags & 0b1 != 0 }

    /// The `traceparent` of requests to origins.
    package var traceParent: String { traceParent(of: spanID) }

    /// Returns the `traceparent` of a request whose parent is the given span.
    func traceParent(of spanID: String) -> String { "00-\(traceID)-\(spanID)-0\(flags)" }

    private static func byte(_ digits: Substring.UTF8View) -> UInt8? {
        guard digits.count == 2, digits.allSatisfy(isDigit) else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static func isID(_ digits: Substring.UTF8View, digits count: Int) -> Bool {
        digits.count == count && digits.allSatisfy(isDigit) && digits.contains { $0 != UInt8(ascii: "0") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (97...102).contains(byte)
    }
}
