import Yams

/// Settings as a settings file, with a comment behind each that tells where it came from.
struct SettingsListing {
    /// Where comments begin, unless a value is longer.
    private static let column = 34

    let text: String

    /// Lists settings in the order given.
    ///
    /// - Throws: A ``YamlError`` for a value that YAML cannot have.
    init(_ settings: [EffectiveSetting]) throws {
        text = try settings.map { setting in
            let line =
                switch setting.value {
                case .text(let value): try Self.line(setting.name, value)
                // A comment, as a file that is read has to have the secrets themselves or nothing.
                case .secrets: "# \(setting.name): (set, hidden)"
                case .none: "\(setting.name):"
                }
            let gap = String(repeating: " ", count: max(1, Self.column - line.count))
            return "\(line)\(gap)# \(setting.source)\n"
        }.joined()
    }

    /// A line of YAML, with quotes where the value needs them.
    private static func line(_ name: String, _ value: String) throws -> String {
        let node = Node.mapping(
            [(Node(name), Node(value, Tag(.str)))].reduce(into: Node.Mapping([])) { $0[$1.0] = $1.1 }
        )
        return String(try Yams.serialize(node: node, width: -1, allowUnicode: true).dropLast())
    }
}
