/// Reads the environment variables of the OpenTelemetry specification, and collects a problem for each invalid
/// variable.
struct OTLPVariables {
    private let environment: [String: String]
    private(set) var problems: [String] = []

    private static let maxHeaders = 32
    private static let maxAttributes = 128

    init(_ environment: [String: String]) { self.environment = environment }

    /// Returns the value of a variable; an empty variable counts as unset.
    private func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }

    private mutating func refuse(_ name: String, _ text: String? = nil, expected: String) {
        problems.append("\(name)\(text.map { "=\($0)" } ?? "") is not valid: expected \(expected).")
    }

    /// Returns the value of a variable in lower case if it is one of the given words; nil if it is unset or invalid.
    mutating func choice(_ name: String, _ words: [String]) -> String? {
        guard let text = value(name) else { return nil }
        if words.contains(text.lowercased()) { return text.lowercased() }
        refuse(name, text, expected: words.joined(separator: " or "))
        return nil
    }

    mutating func number(_ name: String, in range: ClosedRange<Int>) -> Int? {
        guard let text = value(name) else { return nil }
        if text.utf8.count <= 12, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(text),
            range.contains(number)
        {
            return number
        }
        refuse(name, text, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        return nil
    }

    mutating func milliseconds(_ name: String, in range: ClosedRange<Int>) -> Duration? {
        number(name, in: range).map { .milliseconds($0) }
    }

    /// Returns the destination for a signal, which is `TRACES` or `METRICS`; nil for none.
    mutating func endpoint(_ signal: String, path: String) -> OTLPSettings.Endpoint? {
        if choice("OTEL_\(signal)_EXPORTER", ["otlp", "none", "prometheus"]) ?? "otlp" != "otlp" { return nil }
        func own(_ part: String) -> String { "OTEL_EXPORTER_OTLP_\(signal)_\(part)" }
        let common = "OTEL_EXPORTER_OTLP_"
        let isOwn = value(own("ENDPOINT")) != nil
        let name = isOwn ? own("ENDPOINT") : "\(common)ENDPOINT"
        guard let text = value(name), let base = address(text, name) else { return nil }
        let url = isOwn ? base : base + (base.hasSuffix("/") ? "" : "/") + path
        // Protobuf, gRPC and compression are not supported.
        for (part, only) in [("PROTOCOL", "http/json"), ("COMPRESSION", "none")] {
            for name in [common + part, own(part)] {
                if let text = value(name), text != only { refuse(name, text, expected: only) }
            }
        }
        let headers = headers(value(own("HEADERS")) == nil ? "\(common)HEADERS" : own("HEADERS"))
        let limits = 1...600_000
        let timeout = milliseconds(own("TIMEOUT"), in: limits) ?? milliseconds("\(common)TIMEOUT", in: limits)
        return OTLPSettings.Endpoint(url: url, headers: headers, timeout: timeout ?? .seconds(10))
    }

    private mutating func address(_ text: String, _ name: String) -> String? {
        let isAddress =
            ["http://", "https://"].contains { text.lowercased().hasPrefix($0) && text.utf8.count > $0.utf8.count }
            && text.utf8.count <= 2048 && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
        if isAddress { return text }
        refuse(name, expected: "an http or https URL")
        return nil
    }

    /// Reads header fields in the form `name=value,name=value`, percent-encoded.
    private mutating func headers(_ name: String) -> [OTLPSettings.Pair] {
        guard let text = value(name) else { return [] }
        guard let pairs = pairs(text), pairs.count <= Self.maxHeaders, pairs.allSatisfy(\.isHeader) else {
            refuse(name, expected: "header fields such as name=value,name=value")
            return []
        }
        return pairs
    }

    mutating func resource(name: String, version: String) -> [OTLPSettings.Pair] {
        var attributes: [OTLPSettings.Pair] = [
            .init(name: "service.name", value: name), .init(name: "service.version", value: version),
        ]
        if let text = value("OTEL_RESOURCE_ATTRIBUTES") {
            if let pairs = pairs(text), pairs.count <= Self.maxAttributes {
                attributes = attributes.filter { old in !pairs.contains { $0.name == old.name } } + pairs
            } else {
                refuse("OTEL_RESOURCE_ATTRIBUTES", text, expected: "attributes such as name=value,name=value")
            }
        }
        if let name = value("OTEL_SERVICE_NAME") {
            attributes = [.init(name: "service.name", value: name)] + attributes.filter { $0.name != "service.name" }
        }
        return attributes
    }

    /// Reads the rule that selects the traces to export.
    mutating func sampler() -> OTLPSettings.Sampler {
        let words = ["always_on", "always_off", "traceidratio"]
        let all = words + words.map { "parentbased_\($0)" }
        var sampler = OTLPSettings.Sampler()
        guard let word = choice("OTEL_TRACES_SAMPLER", all) else { return sampler }
        sampler.followsParent = word.hasPrefix("parentbased_")
        if word.hasSuffix("always_off") { sampler.ratio = 0 }
        guard word.hasSuffix("traceidratio"), let text = value("OTEL_TRACES_SAMPLER_ARG") else { return sampler }
        if text.utf8.count <= 20, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == 0x2E }), let ratio = Double(text),
            (0...1).contains(ratio)
        {
            sampler.ratio = ratio
        } else {
            refuse("OTEL_TRACES_SAMPLER_ARG", text, expected: "a number from 0 to 1")
        }
        return sampler
    }

    /// Parses pairs in the W3C Baggage format without properties, and percent-decodes them; nil if a pair is invalid.
    private func pairs(_ text: String) -> [OTLPSettings.Pair]? {
        var pairs: [OTLPSettings.Pair] = []
        for part in text.split(separator: ",") {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, let value = Self.decoded(Self.trimmed(sides[1])) else { return nil }
            let name = String(Self.trimmed(sides[0]))
            guard !name.isEmpty else { return nil }
            pairs.append(.init(name: name, value: value))
        }
        return pairs
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " }
        return start.lastIndex { $0 != " " }.map { start[...$0] } ?? ""
    }

    /// Decodes percent-encoded text; nil if it is invalid.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension OTLPSettings.Pair {
    /// Whether the pair contains only characters that are valid in a header field.
    fileprivate var isHeader: Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
                default: false
                }
            } && value.utf8.allSatisfy { 0x20...0x7E ~= $0 }
    }
}
