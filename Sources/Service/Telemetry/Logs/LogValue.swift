import Glibc
package import Logging
import Synchronization

/// The value of a field in a log line, or of a span attribute.
package enum LogValue: Hashable, Sendable, CustomStringConvertible {
    /// Text, which may be untrusted.
    case text(String)
    case integer(Int)
    case number(Double)
    case flag(Bool)

    /// Converts a swift-log value.
    ///
    /// Numbers and Booleans keep their type; every other value becomes text.
    package init(_ value: Logger.MetadataValue) {
        guard case .stringConvertible(let object) = value else {
            self = .text("\(value)")
            return
        }
        switch object {
        case let number as Int: self = .integer(number)
        case let number as Double: self = .number(number)
        case let flag as Bool: self = .flag(flag)
        default: self = .text("\(value)")
        }
    }

    package var metadata: Logger.MetadataValue {
        switch self {
        case .text(let text): .string(text)
        case .integer(let number): .stringConvertible(number)
        case .number(let number): .stringConvertible(number)
        case .flag(let flag): .stringConvertible(flag)
        }
    }

    package var description: String {
        switch self {
        case .text(let text): text
        case .integer(let number): number.description
        case .number(let number): number.description
        case .flag(let flag): flag.description
        }
    }

    /// Whether the value is written to JSON without quotes.
    var isLiteral: Bool {
        switch self {
        case .text: false
        case .integer, .flag: true
        case .number(let number): number.isFinite
        }
    }
}
