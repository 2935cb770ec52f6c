import ArgumentParser

/// A setting of `headroom serve`; reading it stores it in ``ServeSettings``.
///
/// Its row defines everything except the option: ``ServeOptions`` has an option with the same name.
struct ServeSetting: Sendable {
    /// The key path of a setting's text in the options.
    typealias OptionPath = any KeyPath<ServeOptions, String?> & Sendable
    /// The key path of a boolean in the options.
    typealias FlagPath = any KeyPath<ServeOptions, Bool?> & Sendable
    /// The key path of a setting's value.
    typealias Place<Value> = any WritableKeyPath<ServeSettings, Value> & Sendable

    let name: String
    let help: ArgumentHelp
    /// Reads the value of the options, the environment or the file, and stores it; the reader collects errors.
    let read: @Sendable (inout SettingsReader, ServeOptions, inout ServeSettings) -> Void

    /// The row of a setting that other commands also define.
    ///
    /// - Parameters:
    ///   - setting: The definition.
    ///   - option: The option.
    ///   - place: The key path where the value is stored.
    ///   - standard: The default, if it depends on settings that are read earlier.
    ///   - stored: Converts a value to its stored form.
    init<Value>(
        _ setting: Setting<Value>,
        _ option: OptionPath,
        _ place: Place<Value>,
        default standard: (@Sendable (ServeSettings) -> Value)? = nil,
        stored: @escaping @Sendable (Value) -> Value = { $0 }
    ) {
        name = setting.name
        help = setting.argumentHelp
        read = { reader, options, settings in
            let standard = standard?(settings)
            settings[keyPath: place] = stored(reader.value(setting, options[keyPath: option], default: standard))
        }
    }

    /// The row of a setting whose option and place are not properties.
    ///
    /// - Parameters:
    ///   - setting: The definition.
    ///   - option: Returns the text of the option.
    ///   - store: Stores a value.
    init<Value>(
        _ setting: Setting<Value>,
        option: @escaping @Sendable (ServeOptions) -> String?,
        store: @escaping @Sendable (Value, inout ServeSettings) -> Void
    ) {
        name = setting.name
        help = setting.argumentHelp
        read = { reader, options, settings in store(reader.value(setting, option(options)), &settings) }
    }

    /// The row of a boolean.
    init(_ setting: Setting<Bool>, _ option: FlagPath, _ place: Place<Bool>) {
        name = setting.name
        help = setting.argumentHelp
        read = { $2[keyPath: place] = $0.flag(setting, $1[keyPath: option]) }
    }

    /// The row of a boolean that is off by default.
    static func flag(
        _ name: String,
        _ help: String,
        _ option: FlagPath,
        _ place: Place<Bool>
    ) -> Self {
        Self(.flag(name, help), option, place)
    }

    /// The row of a whole number within bounds; `words` describe a default that depends on other settings.
    static func integer(
        _ name: String,
        _ help: String,
        in range: ClosedRange<Int>,
        _ option: OptionPath,
        _ place: Place<Int>,
        words: String? = nil,
        default standard: (@Sendable (ServeSettings) -> Int)? = nil
    ) -> Self {
        let usual = standard?(.standard) ?? ServeSettings.standard[keyPath: place]
        return Self(.integer(name, help, in: range, default: usual, words: words), option, place, default: standard)
    }

    /// The row of a setting whose value is a number of seconds.
    static func seconds(
        _ name: String,
        _ help: String,
        from minimum: Double = 0.01,
        to maximum: Double = 3600,
        _ option: OptionPath,
        _ place: Place<Duration>
    ) -> Self {
        let usual = ServeSettings.standard[keyPath: place]
        return Self(.seconds(name, help, from: minimum, to: maximum, default: usual), option, place)
    }

    /// The row of a setting whose value is one of several words.
    ///
    /// - Parameters:
    ///   - name: The name of the setting.
    ///   - help: One sentence for the help, without the default.
    ///   - values: The words and their values.
    ///   - words: A description of the default, if it has no word.
    ///   - valueName: The placeholder of a value in the help.
    ///   - option: The option.
    ///   - place: The key path where the value is stored.
    /// - Returns: The row.
    static func choice<Value: Equatable & Sendable>(
        _ name: String,
        _ help: String,
        of values: [(word: String, value: Value)],
        words: String? = nil,
        valueName: String = "word",
        _ option: OptionPath,
        _ place: Place<Value>
    ) -> Self {
        let names = values.map(\.word)
        let setting = Setting(
            name,
            help,
            default: ServeSettings.standard[keyPath: place],
            words: words,
            expected: names.count == 2 ? names.joined(separator: " or ") : "one of \(names.joined(separator: ", "))",
            valueName: valueName,
            text: { value in values.first { $0.value == value }?.word },
            parse: { text in values.first { $0.word == text }?.value }
        )
        return Self(setting, option, place)
    }
}

extension ServeRows {
    private static let helps = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.help) })

    /// The help of the row with this name.
    fileprivate static func help(_ name: String) -> ArgumentHelp {
        guard let help = helps[name] else { preconditionFailure("there is no setting \(name)") }
        return help
    }
}

extension Option where Value == String? {
    /// The option of a setting of `headroom serve`, as text.
    init(_ name: String) { self.init(name: .customLong(name), help: ServeRows.help(name)) }
}

extension Flag where Value == Bool? {
    /// The option of a Boolean setting of `headroom serve`.
    init(_ name: String) { self.init(name: .customLong(name), inversion: .prefixedNo, help: ServeRows.help(name)) }
}
