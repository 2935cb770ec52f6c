import Foundation

/// The part of JSON Schema 2020-12 that openapi.yaml uses.
///
/// Unknown keywords are violations, so that no keyword is ignored.
struct JSONSchema {
    /// The document that `$ref` refers to.
    let document: JSONValue

    private static let annotations: Set<String> = [
        "description", "default", "deprecated", "example", "examples", "format", "title",
    ]

    /// All violations of a schema by `value`, each with its path within the value.
    func violations(of value: JSONValue, against schema: JSONValue, at place: String = "$") -> [String] {
        schema.members.sorted { $0.key < $1.key }.flatMap { keyword, rule in
            violations(of: value, keyword: keyword, rule: rule, schema: schema, at: place)
        }
    }

    /// The target of a `$ref`, or the value itself.
    func resolved(_ value: JSONValue) -> JSONValue {
        guard let reference = value["$ref"].string else { return value }
        return resolved(target(of: reference))
    }

    private func target(of reference: String) -> JSONValue {
        reference.split(separator: "/").dropFirst().reduce(document) { $0[String($1)] }
    }

    private func violations(
        of value: JSONValue,
        keyword: String,
        rule: JSONValue,
        schema: JSONValue,
        at place: String
    ) -> [String] {
        func require(_ holds: Bool) -> [String] { holds ? [] : ["\(place): \(keyword) \(rule), not \(value)"] }
        switch keyword {
        case "$ref":
            let target = target(of: rule.string ?? "")
            return target.isNull
                ? ["\(place): \(rule) leads nowhere"] : violations(of: value, against: target, at: place)
        case "type":
            let names = rule.string.map { [$0] } ?? rule.elements.compactMap(\.string)
            return require(names.contains { Self.isType($0, value) })
        case "enum": return require(rule.elements.contains(value))
        case "const": return require(rule == value)
        case "minimum": return require(value.double.map { $0 >= rule.double ?? .infinity } ?? true)
        case "maximum": return require(value.double.map { $0 <= rule.double ?? -.infinity } ?? true)
        case "pattern": return require(value.string.map { Self.matches($0, rule.string ?? "") } ?? true)
        case "maxLength": return require(value.string.map { $0.unicodeScalars.count <= rule.integer ?? 0 } ?? true)
        case "minItems": return require(value.elements.count >= rule.integer ?? .max)
        case "maxItems": return require(value.elements.count <= rule.integer ?? 0)
        case "items":
            return value.elements.enumerated().flatMap { index, element in
                violations(of: element, against: rule, at: "\(place)[\(index)]")
            }
        case "required":
            let missing = rule.elements.compactMap(\.string).filter { value.members[$0] == nil }
            return missing.map { "\(place): \($0) is missing" }
        case "properties":
            return rule.members.sorted { $0.key < $1.key }.flatMap { name, rule in
                value.members[name].map { violations(of: $0, against: rule, at: "\(place).\(name)") } ?? []
            }
        case "additionalProperties":
            let unknown = value.members.keys.filter { schema["properties"].members[$0] == nil }
            return rule == .bool(false) ? unknown.sorted().map { "\(place): \($0) is not described" } : []
        case "anyOf":
            return require(rule.elements.contains { violations(of: value, against: $0, at: place).isEmpty })
        default:
            return Self.annotations.contains(keyword) ? [] : ["\(place): the keyword \(keyword) is not known"]
        }
    }

    private static func isType(_ name: String, _ value: JSONValue) -> Bool {
        switch (name, value) {
        case ("null", .null), ("boolean", .bool), ("integer", .integer), ("number", .integer), ("number", .number),
            ("string", .string), ("array", .array), ("object", .object):
            true
        default: false
        }
    }

    private static func matches(_ text: String, _ pattern: String) -> Bool {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return false }
        return expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }
}
