import Foundation
import Testing

/// The part of JSON Schema that docs/reframe-plan.schema.json uses; an unknown keyword is a violation.
struct PlanSchema {
    private let root: [String: Any]

    init() throws {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: package.appending(path: "docs/reframe-plan.schema.json"))
        root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// The violations of a document, each with its position.
    func violations(_ bytes: [UInt8]) throws -> [String] {
        violations(try JSONSerialization.jsonObject(with: Data(bytes)), root, "$")
    }

    private func violations(_ value: Any, _ schema: [String: Any], _ place: String) -> [String] {
        schema.flatMap { keyword, rule -> [String] in
            func require(_ holds: Bool) -> [String] { holds ? [] : ["\(place): \(keyword) \(rule)"] }
            let members = value as? [String: Any]
            switch keyword {
            case "$schema", "$defs", "title", "description": return []
            case "$ref":
                let name = (rule as? String ?? "").split(separator: "/").last.map(String.init) ?? ""
                let target = (root["$defs"] as? [String: Any])?[name] as? [String: Any]
                return target.map { violations(value, $0, place) } ?? ["\(place): \(rule) leads nowhere"]
            case "type": return require(Self.isType(rule as? String ?? "", value))
            case "const": return require((value as? NSNumber) == (rule as? NSNumber))
            case "enum": return require((rule as? [String])?.contains(value as? String ?? "") ?? false)
            case "minimum":
                return require((value as? NSNumber)?.doubleValue ?? 0 >= (rule as? NSNumber)?.doubleValue ?? 0)
            case "maximum":
                return require((value as? NSNumber)?.doubleValue ?? 0 <= (rule as? NSNumber)?.doubleValue ?? 0)
            case "minItems": return require((value as? [Any])?.count ?? 0 >= (rule as? Int) ?? 0)
            case "required": return require((rule as? [String])?.allSatisfy { members?[$0] != nil } ?? false)
            case "additionalProperties":
                let known = schema["properties"] as? [String: Any] ?? [:]
                return members?.keys.filter { known[$0] == nil }.map { "\(place).\($0) is not described" } ?? []
            case "properties":
                return (rule as? [String: [String: Any]] ?? [:]).flatMap { name, rule in
                    members?[name].map { violations($0, rule, "\(place).\(name)") } ?? []
                }
            case "items":
                return (value as? [Any] ?? []).enumerated().flatMap { index, element in
                    violations(element, rule as? [String: Any] ?? [:], "\(place)[\(index)]")
                }
            default: return ["\(place): the keyword \(keyword) is not known"]
            }
        }
    }

    private static func isType(_ name: String, _ value: Any) -> Bool {
        let number = value as? NSNumber
        switch name {
        case "object": return value is [String: Any]
        case "array": return value is [Any]
        case "string": return value is String
        case "boolean": return number.map { CFBooleanLike.isBoolean($0) } ?? false
        case "integer":
            return number.map { !CFBooleanLike.isBoolean($0) && $0.doubleValue.rounded() == $0.doubleValue } ?? false
        case "number": return number.map { !CFBooleanLike.isBoolean($0) } ?? false
        default: return false
        }
    }
}

/// Distinguishes numbers from Booleans, because Foundation parses both into the same class.
private enum CFBooleanLike {
    static func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}
