/// The origin of a setting's value, in order of precedence.
enum SettingOrigin: Equatable, Sendable {
    /// The command line.
    case option
    /// The environment.
    case variable
    /// The settings file; lines count from 1.
    case file(path: String, line: Int)
    /// The default.
    case standard

    /// The setting's name as spelt there: `--port`, `HEADROOM_PORT`, `headroom.yaml:3: port`.
    func spelling(of name: String) -> String {
        switch self {
        case .option: "--\(name)"
        case .variable: Self.variable(name)
        case .file(let path, let line): "\(path):\(line): \(name)"
        case .standard: name
        }
    }

    /// The location of the value: `--port`, `HEADROOM_PORT`, `headroom.yaml:3`, `default`.
    ///
    /// `words` describe a default that its value does not show.
    func place(of name: String, default words: String?) -> String {
        switch self {
        case .option, .variable: spelling(of: name)
        case .file(let path, let line): "\(path):\(line)"
        case .standard: words.map { "default: \($0)" } ?? "default"
        }
    }

    /// The environment variable of a setting.
    static func variable(_ name: String) -> String {
        "HEADROOM_" + name.uppercased().replacing("-", with: "_")
    }
}
