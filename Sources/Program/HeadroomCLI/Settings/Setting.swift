import ArgumentParser
import Requests

/// The definition of one setting for options, environment and file.
///
/// The name determines all spellings: `max-pixels` in a file is the option `--max-pixels` and the variable
/// `HEADROOM_MAX_PIXELS`. Help, `headroom config` and all messages about invalid values are derived from the
/// definition.
///
/// swift-configuration 1.4 does not replace this: its YAML snapshots drop line numbers, its conversion errors contain
/// neither the origin nor the expected values, and its getters with a default return the default for an invalid value.
struct Setting<Value: Sendable>: Sendable {
    /// Lower-case words separated by hyphens.
    let name: String
    /// One sentence for the help, without the default.
    let help: String
    /// The placeholder of a value in the help: `--port <n>`.
    let valueName: String
    /// The default.
    let standard: Value
    /// The default as text, or a description if it depends on the host; nil for none.
    let standardText: String?
    /// The end of the message about an invalid value: "a whole number from 1 to 9".
    let expected: String
    /// Parses a value; returns nil if it is invalid.
    let parse: @Sendable (String) -> Value?
    /// Formats a value; returns nil if the value has no text.
    let text: @Sendable (Value) -> String?

    /// Whether a reload applies a new value, because it is stored in ``ReloadableSettings``.
    private(set) var isReloadable = false

    /// Whether a value may contain a password, so that messages contain only its ``text``.
    private(set) var isSecret = false

    /// A setting; `words` describe a default that depends on the host, or has no text.
    init(
        _ name: String,
        _ help: String,
        default standard: Value,
        words: String? = nil,
        expected: String,
        valueName: String,
        text: @escaping @Sendable (Value) -> String?,
        parse: @escaping @Sendable (String) -> Value?
    ) {
        self.name = name
        self.help = help
        self.valueName = valueName
        self.standard = standard
        self.standardText = words ?? text(standard)
        self.expected = expected
        self.parse = parse
        self.text = text
    }

    /// The same setting with ``isSecret``.
    var secret: Setting { with(\.isSecret) }

    /// The same setting with ``isReloadable``.
    var reloadable: Setting { with(\.isReloadable) }

    private func with(_ property: WritableKeyPath<Setting, Bool>) -> Setting {
        var setting = self
        setting[keyPath: property] = true
        return setting
    }

    /// The help text including the default.
    var argumentHelp: ArgumentHelp {
        var notes: [String] = []
        if let standardText { notes.append("default: \(standardText)") }
        if let old = DeprecatedName.settings.first(where: { $0.new == name })?.old {
            notes.append("old name: --\(old)")
        }
        let ending = notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"
        return ArgumentHelp("\(help)\(ending)", valueName: valueName)
    }
}

extension Setting where Value == Int {
    /// A whole number within bounds; `words` describe a default that depends on the host.
    static func integer(
        _ name: String,
        _ help: String,
        in range: ClosedRange<Int>,
        default standard: Int,
        words: String? = nil,
        valueName: String = "n"
    ) -> Setting {
        Setting(
            name,
            help,
            default: standard,
            words: words,
            expected:
                "a whole number \(valueName == "MiB" ? "of MiB " : "")from \(range.lowerBound) to \(range.upperBound)",
            valueName: valueName,
            text: { "\($0)" },
            parse: { text in Int(plainDigits: text).flatMap { range.contains($0) ? $0 : nil } }
        )
    }
}

extension Setting where Value == Duration {
    /// A number of seconds, with fractions down to milliseconds.
    static func seconds(
        _ name: String,
        _ help: String,
        from minimum: Double = 0.01,
        to maximum: Double = 3600,
        default standard: Duration
    ) -> Setting {
        Setting(
            name,
            help,
            default: standard,
            expected:
                "a number of seconds from \(minimum) to \(maximum == maximum.rounded() ? "\(Int(maximum))" : "\(maximum)")",
            valueName: "s",
            text: { duration in
                let seconds = duration / .seconds(1)
                return seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
            },
            parse: { text in
                Double(plainDecimal: text).flatMap {
                    (minimum...maximum).contains($0) ? .milliseconds(Int(($0 * 1000).rounded())) : nil
                }
            }
        )
    }
}

extension Setting where Value == Bool {
    /// A boolean that is off by default.
    static func flag(_ name: String, _ help: String) -> Setting {
        Setting(
            name,
            help,
            default: false,
            expected: BooleanText.expected,
            valueName: "",
            text: { "\($0)" },
            parse: { BooleanText.value($0) }
        )
    }
}

extension Setting {
    /// An optional value; `words` describe the behaviour without it.
    static func optional<Wrapped>(
        _ name: String,
        _ help: String,
        default words: String? = nil,
        expected: String,
        valueName: String,
        text: @escaping @Sendable (Value) -> String? = { _ in nil },
        parse: @escaping @Sendable (String) -> Wrapped?
    ) -> Setting where Value == Wrapped? {
        Setting(
            name,
            help,
            default: nil,
            words: words,
            expected: expected,
            valueName: valueName,
            text: text,
            parse: { given in parse(given).map(Optional.some) }
        )
    }
}

extension Setting where Value == String? {
    /// A path that is not empty, shown unchanged; `words` describe the behaviour without it.
    static func path(
        _ name: String,
        _ help: String,
        default words: String = "none",
        expected: String = "a path",
        valueName: String = "path"
    ) -> Setting {
        .optional(
            name,
            help,
            default: words,
            expected: expected,
            valueName: valueName,
            text: { $0 },
            parse: { $0.isEmpty ? nil : $0 }
        )
    }
}

extension Option where Value == String? {
    /// The option of a setting, as text.
    init<Stored: Sendable>(_ setting: Setting<Stored>) {
        self.init(name: .customLong(setting.name), help: setting.argumentHelp)
    }
}

extension Flag where Value == Bool? {
    /// The option of a boolean setting; `--no-` before its name turns off a setting of the environment or of a file.
    init(_ setting: Setting<Bool>) {
        self.init(name: .customLong(setting.name), inversion: .prefixedNo, help: setting.argumentHelp)
    }
}

/// The origin of a setting's value, in order of precedence.
enum SettingOrigin: Equatable, Sendable {
    /// The command line.
    case option
    /// The environment.
    case variable
    /// A variable of the hosting platform, without a prefix: `PORT`.
    case platform(String)
    /// The settings file; lines count from 1.
    case file(path: String, line: Int)
    /// The default.
    case standard

    /// The setting's name as spelt at this origin: `--port`, `HEADROOM_PORT`, `headroom.yaml:3: port`.
    func spelling(of name: String) -> String {
        switch self {
        case .option: "--\(name)"
        case .variable: Self.variable(name)
        case .platform(let variable): variable
        case .file(let path, let line): "\(path):\(line): \(name)"
        case .standard: name
        }
    }

    /// The spelling of another name of the setting at this origin, without a line: `--port`, `HEADROOM_PORT`, `port`.
    func nameOnly(_ name: String) -> String {
        switch self {
        case .option: "--\(name)"
        case .variable: Self.variable(name)
        case .platform, .file, .standard: name
        }
    }

    /// The location of the value: `--port`, `HEADROOM_PORT`, `headroom.yaml:3`, `default`.
    ///
    /// `words` describe how the default is determined, if the value alone does not show it.
    func place(of name: String, default words: String?) -> String {
        switch self {
        case .option, .variable, .platform: spelling(of: name)
        case .file(let path, let line): "\(path):\(line)"
        case .standard: words.map { "default: \($0)" } ?? "default"
        }
    }

    /// The environment variable of a setting.
    static func variable(_ name: String) -> String {
        "HEADROOM_" + name.uppercased().replacing("-", with: "_")
    }
}
