import ArgumentParser
import Framing

/// One setting, and what every way to give it has in common.
///
/// One rule spells its name: `max-pixels` in a file is the option `--max-pixels` and the variable `HEADROOM_MAX_PIXELS`.
/// Help, `headroom config` and every message about a wrong value come from here.
struct Setting<Value: Sendable>: Sendable {
    /// Lower-case words with hyphens between.
    let name: String
    /// One sentence for help, without the default.
    let help: String
    /// What stands for a value in help: `--port <n>`.
    let valueName: String
    /// What holds when nothing is given.
    let standard: Value
    /// The same for people, in words where it depends on something; nil when there is nothing to say.
    let standardText: String?
    /// The end of a sentence about a value that is not valid: "a whole number from 1 to 9".
    let expected: String
    /// The value of a text; nil when it is not valid.
    let parse: @Sendable (String) -> Value?
    /// How a value is written; nil when it is that there is none.
    let text: @Sendable (Value) -> String?

    /// Whether a new value is taken over while the service runs.
    private(set) var isReloadable = false

    /// Whether a value may hold a password: then only ``text`` tells of it.
    private(set) var isSecret = false

    /// The same setting, of whose value only ``text`` tells.
    var secret: Setting {
        var setting = self
        setting.isSecret = true
        return setting
    }

    /// The same setting, of which a new value is taken over while the service runs.
    var reloadable: Setting {
        var setting = self
        setting.isReloadable = true
        return setting
    }

    /// Help that ends with the default.
    var argumentHelp: ArgumentHelp {
        let ending = standardText.map { " (default: \($0))" } ?? ""
        return ArgumentHelp("\(help)\(ending)", valueName: valueName)
    }
}

extension Setting where Value == Int {
    /// A whole number within bounds; `words` tell the default where it is another one on another machine.
    static func integer(
        _ name: String,
        _ help: String,
        in range: ClosedRange<Int>,
        default standard: Int,
        words: String? = nil,
        valueName: String = "n"
    ) -> Setting {
        Setting(
            name: name,
            help: help,
            valueName: valueName,
            standard: standard,
            standardText: words ?? "\(standard)",
            expected: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            parse: { text in Int(plainDigits: text).flatMap { range.contains($0) ? $0 : nil } },
            text: { "\($0)" }
        )
    }
}

extension Setting where Value == Duration {
    /// Seconds, fractions allowed.
    static func seconds(_ name: String, _ help: String, default standard: Duration) -> Setting {
        Setting(
            name: name,
            help: help,
            valueName: "s",
            standard: standard,
            standardText: text(standard),
            expected: "a number of seconds from 0.01 to 3600",
            parse: { text in
                Double(plainDecimal: text).flatMap {
                    (0.01...3600).contains($0) ? .milliseconds(Int(($0 * 1000).rounded())) : nil
                }
            },
            text: { text($0) }
        )
    }

    private static func text(_ duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        return seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    }
}

extension Setting where Value == Bool {
    /// Something that is off unless it is asked for.
    static func flag(_ name: String, _ help: String) -> Setting {
        Setting(
            name: name,
            help: help,
            valueName: "",
            standard: false,
            standardText: "false",
            expected: "true or false",
            parse: { text in
                switch text {
                case "true", "1": true
                case "false", "0": false
                default: nil
                }
            },
            text: { "\($0)" }
        )
    }
}

extension Setting {
    /// A value with a way of its own to be written.
    static func value(
        _ name: String,
        _ help: String,
        default standard: Value,
        expected: String,
        valueName: String,
        text: @escaping @Sendable (Value) -> String,
        parse: @escaping @Sendable (String) -> Value?
    ) -> Setting {
        Setting(
            name: name,
            help: help,
            valueName: valueName,
            standard: standard,
            standardText: text(standard),
            expected: expected,
            parse: parse,
            text: text
        )
    }

    /// A value that need not be there; `words` tell what holds without it.
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
            name: name,
            help: help,
            valueName: valueName,
            standard: nil,
            standardText: words,
            expected: expected,
            parse: { given in parse(given).map(Optional.some) },
            text: text
        )
    }
}

extension Option where Value == String? {
    /// The option of a setting, as it was typed.
    init<Setting: Sendable>(_ setting: HeadroomCLI.Setting<Setting>) {
        self.init(name: .customLong(setting.name), help: setting.argumentHelp)
    }
}

extension Flag where Value == Bool? {
    /// The option of a setting that is on or off, and `--no-` before its name for what the environment or a file turns on.
    init(_ setting: Setting<Bool>) {
        self.init(name: .customLong(setting.name), inversion: .prefixedNo, help: setting.argumentHelp)
    }
}
