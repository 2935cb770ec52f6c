/// Where a setting's value came from: the ways to give one, in the order in which they win over each other.
enum SettingOrigin: Equatable, Sendable {
    /// The command line.
    case option
    /// The environment.
    case variable
    /// The settings file, from 1.
    case file(path: String, line: Int)
    /// Nobody gave one.
    case standard

    /// The setting's name as it stands there: `--port`, `HEADROOM_PORT`, `headroom.yaml:3: port`.
    func spelling(of name: String) -> String {
        switch self {
        case .option: "--\(name)"
        case .variable: Self.variable(name)
        case .file(let path, let line): "\(path):\(line): \(name)"
        case .standard: name
        }
    }

    /// Where to look for it: `--port`, `HEADROOM_PORT`, `headroom.yaml:3`, `default`.
    ///
    /// `words` tell what the default is, where its value does not say so.
    func place(of name: String, default words: String?) -> String {
        switch self {
        case .option, .variable: spelling(of: name)
        case .file(let path, let line): "\(path):\(line)"
        case .standard: words.map { "default: \($0)" } ?? "default"
        }
    }

    /// The variable of a setting.
    static func variable(_ name: String) -> String {
        "HEADROOM_" + name.uppercased().replacing("-", with: "_")
    }
}
