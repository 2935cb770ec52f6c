import UntrustedText
import Encodings

/// Header fields that are sent only to named hosts, such as `Referer` and `Authorization`.
///
///     [cdn.example.com]
///     Referer: https://www.example.com/
///     [http://10.0.0.7:8080]
///     Authorization: Bearer …
///
/// The fields of a section are sent to its host over https. They are sent over http only if the section starts with
/// `http://`. They are selected again for every redirect, so they never reach another host. Only the first section of a
/// host is used.
package struct HostFields: Sendable, Hashable {
    /// The maximum size of a file, in bytes.
    package static let maxBytes = 65_536
    /// The maximum number of sections, and of fields in each section.
    static let maxSections = 256, maxFields = 32
    /// The maximum length of a value, in bytes.
    static let maxValueBytes = 8192

    private struct Section: Hashable {
        var pattern: HostPattern
        var scheme: String
        /// The fields, in the form `name: value`.
        var fields: [String]
    }

    private var sections: [Section] = []

    /// Creates an empty list.
    package init() {}

    /// The reasons why a file is invalid, one sentence for each invalid line, without the line's value.
    package struct Problems: Error {
        package let lines: [String]
    }

    /// Parses a file.
    ///
    /// - Throws: ``Problems``.
    package init(_ file: [UInt8]) throws(Problems) {
        var problems: [String] = []
        for (index, line) in file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let text = Self.trimmed(line)
            if text.isEmpty || text.first == UInt8(ascii: "#") { continue }
            if let problem = add(text) { problems.append("line \(index + 1): \(problem)") }
        }
        if !problems.isEmpty { throw Problems(lines: problems) }
    }

    /// Returns the fields of a request, in the form `name: value`.
    package func fields(for url: WebURL) -> [String] {
        let port = url.scheme == "https" ? 443 : 80
        let section = sections.first { section in
            section.scheme == url.scheme && section.pattern.matches(url)
                && (section.pattern.port != nil || url.port == port)
        }
        return section?.fields ?? []
    }

    /// Adds a line; returns the problem for an invalid line, or nil.
    private mutating func add(_ line: ArraySlice<UInt8>) -> String? {
        if line.first == UInt8(ascii: "[") {
            guard line.last == UInt8(ascii: "]") else { return "expected a host in brackets" }
            guard sections.count < Self.maxSections else { return "expected at most \(Self.maxSections) hosts" }
            var host = String(decoding: line.dropFirst().dropLast(), as: UTF8.self)
            var scheme = "https"
            for name in ["http", "https"] where host.utf8.starts(with: "\(name)://".utf8) {
                scheme = name
                host = String(host.dropFirst(name.count + 3))
            }
            guard let pattern = HostPattern(host) else {
                return "expected a host such as [example.com], [*.example.com:8443] or [http://example.com]"
            }
            sections.append(Section(pattern: pattern, scheme: scheme, fields: []))
            return nil
        }
        guard !sections.isEmpty else { return "expected a host in brackets before the first field" }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return "expected a field, such as Referer: …" }
        let name = line[..<colon].map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 0x20 : $0 }
        let value = Self.trimmed(line[(colon + 1)...])
        guard 1...64 ~= name.count, name.allSatisfy({ $0.isLowerAlphanumeric || $0 == UInt8(ascii: "-") }) else {
            return "expected the name of a field"
        }
        let text = String(decoding: name, as: UTF8.self)
        guard !Self.reserved.contains(text), !text.bytes.hasPrefix("proxy-"), !text.bytes.hasPrefix("if-") else {
            return "\(text) is set by the service"
        }
        guard 1...Self.maxValueBytes ~= value.count, value.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            return "expected a value of visible ASCII"
        }
        guard let section = sections.indices.last, sections[section].fields.count < Self.maxFields else {
            return "expected at most \(Self.maxFields) fields per host"
        }
        sections[section].fields.append(String(decoding: line[..<colon] + ": ".utf8 + value, as: UTF8.self))
        return nil
    }

    /// Fields that belong to the protocol or to the service.
    private static let reserved: Set = [
        "accept", "accept-encoding", "connection", "content-length", "content-type", "cookie", "expect", "host",
        "keep-alive", "range", "te", "traceparent", "trailer", "transfer-encoding", "upgrade", "via",
    ]

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = bytes.drop { $0 <= 0x20 }
        guard let last = start.lastIndex(where: { $0 > 0x20 }) else { return [] }
        return start[...last]
    }
}

extension HostFields: CustomStringConvertible, CustomReflectable {
    package var description: String { "fields for \(sections.count) hosts" }

    /// The mirror is empty, so that a dump does not contain a value.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
