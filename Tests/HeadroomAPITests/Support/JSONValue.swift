import Foundation
import YAML

/// A JSON document, or a YAML document that JSON can represent.
enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    struct NotJSON: Error {}

    /// Parses JSON.
    init(json bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    }

    /// Parses YAML; aliases are replaced by their values.
    init(yaml text: String) throws {
        guard let root = try YAMLNode.document(text) else { throw NotJSON() }
        try self.init(root)
    }

    private init(_ node: YAMLNode) throws {
        switch node.content {
        case .scalar(let text, let isPlain): self = isPlain ? Self.plain(text, isNull: node.isNull) : .string(text)
        case .sequence(let members): self = .array(try members.map { try JSONValue($0) })
        case .mapping(let entries):
            var members: [String: JSONValue] = [:]
            for (key, value) in entries {
                guard let name = key.text else { throw NotJSON() }
                members[name] = try JSONValue(value)
            }
            self = .object(members)
        }
    }

    /// The value of unquoted text, according to the core schema of YAML 1.2.
    private static func plain(_ text: String, isNull: Bool) -> JSONValue {
        if isNull { return .null }
        if let bool = Bool(text) { return .bool(bool) }
        if let integer = Int(text) { return .integer(integer) }
        guard text.wholeMatch(of: /[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?/) != nil, let number = Double(text) else {
            return .string(text)
        }
        return .number(number)
    }

    /// A member of an object; null if it does not exist.
    subscript(_ name: String) -> JSONValue {
        guard case .object(let members) = self else { return .null }
        return members[name] ?? .null
    }

    /// An element of an array; null if it does not exist.
    subscript(_ index: Int) -> JSONValue {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return .null }
        return elements[index]
    }

    var isNull: Bool { self == .null }

    var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    var integer: Int? {
        guard case .integer(let value) = self else { return nil }
        return value
    }

    var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    var elements: [JSONValue] {
        guard case .array(let value) = self else { return [] }
        return value
    }

    var members: [String: JSONValue] {
        guard case .object(let value) = self else { return [:] }
        return value
    }
}

extension JSONValue: Decodable {
    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? value.decode(Int.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let array = try? value.decode([JSONValue].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }
}
