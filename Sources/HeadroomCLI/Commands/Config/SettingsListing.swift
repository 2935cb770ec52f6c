import Yams

/// Settings in the format of a settings file, each with a comment that names its origin.
struct SettingsListing {
    /// The column of the comments, unless a value is longer.
    private static let column = 34

    let text: String

    /// Lists settings in the order given.
    ///
    /// - Throws: A ``YamlError`` for a value that YAML cannot represent.
    init(_ settings: [EffectiveSetting]) throws {
        text = try settings.map { setting in
            let line =
                switch setting.value {
                case .text(let value): try Self.line(setting.name, value)
                // A comment, because a settings file would need the secrets themselves.
                case .secrets: "# \(setting.name): (set, hidden)"
                case .none: "\(setting.name):"
                }
            let gap = String(repeating: " ", count: max(1, Self.column - line.count))
            return "\(line)\(gap)# \(setting.source)\n"
        }.joined()
    }

    /// A line of YAML, with quotes if the value needs them.
    private static func line(_ name: String, _ value: String) throws -> String {
        let node = Node.mapping(
            [(Node(name), Node(value, Tag(.str)))].reduce(into: Node.Mapping([])) { $0[$1.0] = $1.1 }
        )
        return String(try Yams.serialize(node: node, width: -1, allowUnicode: true).dropLast())
    }
}
