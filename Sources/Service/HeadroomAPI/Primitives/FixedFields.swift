import HTTPTypes
import UntrustedText

/// Configured header fields that are added to every response, such as `Strict-Transport-Security`.
///
///     Strict-Transport-Security: max-age=31536000
///     X-Robots-Tag: noindex
package struct FixedFields: Hashable, Sendable {
    /// The maximum size of a file, in bytes.
    package static let maxBytes = 65_536
    /// The maximum number of fields.
    static let maxFields = 32
    /// The maximum length of a name, in bytes.
    static let maxNameBytes = 64
    /// The maximum length of a value, in bytes.
    static let maxValueBytes = 1024

    private var fields: [HTTPField] = []

    /// Creates an empty list.
    package init() {}

    /// The reasons why a file is invalid, one sentence for each invalid line.
    package struct Problems: Error {
        package let lines: [String]
    }

    /// Parses a file with one field per line; comments start with `#`.
    ///
    /// - Throws: ``Problems``.
    package init(_ file: [UInt8]) throws(Problems) {
        var problems: [String] = []
        for (index, line) in file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let bytes = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            let text = String(decoding: bytes, as: UTF8.self).bytes.trimmed()
            if text.isEmpty || text.utf8.first == UInt8(ascii: "#") { continue }
            if let problem = add(text) { problems.append("line \(index + 1): \(problem)") }
        }
        if !problems.isEmpty { throw Problems(lines: problems) }
    }

    /// Adds a line; returns the problem of an invalid line, or nil.
    private mutating func add(_ line: Substring) -> String? {
        let (before, value) = line.bytes.halves(at: ":")
        guard let value = value?.bytes.trimmed() else { return "expected a field, such as X-Robots-Tag: noindex" }
        guard let name = Self.name(before) else { return "expected the name of a field" }
        guard !Self.isReserved(name) else { return "\(name.rawName) belongs to the service" }
        guard 1...Self.maxValueBytes ~= value.utf8.count, value.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            return "expected a value of visible ASCII, at most \(Self.maxValueBytes) bytes"
        }
        guard !fields.contains(where: { $0.name == name }) else { return "expected \(name.rawName) once" }
        guard fields.count < Self.maxFields else { return "expected at most \(Self.maxFields) fields" }
        fields.append(HTTPField(name: name, value: String(value)))
        return nil
    }

    /// Parses the name of a field; nil if it is invalid or too long.
    static func name(_ text: Substring) -> HTTPField.Name? {
        guard 1...maxNameBytes ~= text.utf8.count else { return nil }
        return HTTPField.Name(String(text))
    }

    /// Whether a field is reserved: it belongs to the protocol, caching, access control or another part of the service,
    /// or it would make a proxy replace the response.
    static func isReserved(_ name: HTTPField.Name) -> Bool {
        let text = name.canonicalName
        return reserved.contains(text) || reservedPrefixes.contains { text.bytes.hasPrefix($0) }
            || text.bytes.hasSuffix("cache-control")
    }

    private static let reserved: Set = [
        "accept-ch", "accept-encoding", "accept-ranges", "age", "allow", "cache-status", "cache-tag", "connection",
        "date",
        "cross-origin-resource-policy", "edge-cache-tag", "edge-control", "etag", "expires", "host", "keep-alive",
        "last-modified", "link", "location", "pragma", "referrer-policy", "retry-after", "server-timing", "set-cookie",
        "surrogate-control", "surrogate-key", "te", "timing-allow-origin", "trailer", "transfer-encoding", "upgrade",
        "vary", "via", "warning", "www-authenticate", "x-content-type-options", "x-request-id", "xkey",
    ]
    private static let reservedPrefixes = [
        "access-control-", "cf-", "content-", "headroom-", "if-", "proxy-", "sec-", "x-accel-", "x-cld-", "x-sendfile",
    ]

    /// Adds the fields that a response does not already contain.
    func add(to headers: inout HTTPFields) {
        for field in fields where headers[field.name] == nil { headers.append(field) }
    }
}
