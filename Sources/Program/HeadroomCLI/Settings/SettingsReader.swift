import Encodings
import Fetching
import HeadroomAPI
import Imaging
import Requests
import Workers
import YAML

/// Reads settings from options, the environment and a file, and collects the errors.
///
/// Options override the environment, which overrides the file. Every setting is recorded with its origin.
struct SettingsReader {
    /// A given value and its origin.
    struct Given {
        /// The name at the origin, which may be the old name of the setting.
        let name: String
        let text: String
        let origin: SettingOrigin

        /// The name as spelt at the origin, such as `--port`.
        var spelling: String { origin.spelling(of: name) }
    }

    let environment: [String: String]
    private(set) var errors: [String] = []
    /// A sentence for each old name that is used, in the order of reading.
    private(set) var deprecated: [String] = []
    /// The values of options with old names, which are not in the help.
    private let oldOptions: [String: String]
    /// Every setting that has been read, in the order of reading; the default replaces an invalid value.
    private(set) var effective: [EffectiveSetting] = []
    /// The given settings that are mappings, which only the file can have; they follow ``effective`` in listings.
    private(set) var mappings: [EffectiveSetting] = []
    private var file: SettingsFile?
    /// The names of the mappings that were read.
    private var mappingNames: [String] = []

    /// A reader of the environment, and of the settings file, if there is one.
    ///
    /// - Parameters:
    ///   - environment: The variables of this process.
    ///   - config: The option with the path of the file.
    ///   - oldOptions: The values of options with old names.
    init(environment: [String: String], config: String? = nil, oldOptions: [String: String] = [:]) {
        self.environment = environment
        self.oldOptions = oldOptions
        guard let given = given(Settings.config.name, config) else { return }
        let origin = "\(given.spelling)=\(given.text)"
        guard let bytes = bytes(of: given.text, atMost: SettingsFile.maxBytes, for: origin) else { return }
        let file = SettingsFile(String(decoding: bytes, as: UTF8.self), path: given.text)
        for problem in file.problems { refuse(problem) }
        self.file = file
    }

    /// Whether there is a settings file with a value.
    var hasFileEntries: Bool { file?.entries.values.contains { $0.text != nil || $0.node != nil } ?? false }

    /// The given value of a setting; an empty variable or value means that the setting is not set, as in service files
    /// and Compose.
    func given(_ name: String, _ option: String?) -> Given? {
        if let given = everyName(of: name, option).first { return given }
        guard name == Settings.port.name, let text = environment[Settings.portOfPlatform], !text.isEmpty else {
            return nil
        }
        return Given(name: name, text: text, origin: .platform(Settings.portOfPlatform))
    }

    /// The values of a setting at the first origin that has one: by its name, and by its old name.
    private func everyName(of name: String, _ option: String?) -> [Given] {
        let names = [name] + DeprecatedName.settings.filter { $0.new == name }.map(\.old)
        func given(_ origin: SettingOrigin, _ text: (String) -> String?) -> [Given] {
            names.compactMap { name in text(name).map { Given(name: name, text: $0, origin: origin) } }
        }
        let options = given(.option) { $0 == name ? option : oldOptions[$0] }
        if !options.isEmpty { return options }
        let variables = given(.variable) { environment[SettingOrigin.variable($0)].flatMap { $0.isEmpty ? nil : $0 } }
        if !variables.isEmpty { return variables }
        return names.compactMap { name in
            guard let file, let entry = file.entries[name], let text = entry.text else { return nil }
            return Given(name: name, text: text, origin: .file(path: file.path, line: entry.line))
        }
    }

    /// Records the use of the old name of a setting; both names at one origin are an error.
    private mutating func checkNames(of name: String, _ option: String?) {
        let all = everyName(of: name, option)
        for given in all where given.name != name {
            let new = given.origin.nameOnly(name)
            if all.count > 1 {
                refuse("\(given.spelling) is not allowed with \(new), which is its new name.")
            } else {
                deprecated.append("\(given.spelling) is deprecated; use \(new)")
            }
        }
    }

    /// The value of a setting.
    ///
    /// - Parameters:
    ///   - setting: The setting to read.
    ///   - option: The text of the option.
    ///   - standard: The default, if it depends on other settings.
    ///   - origin: The origin of the default.
    /// - Returns: The default if no valid value was given.
    mutating func value<Value>(
        _ setting: Setting<Value>,
        _ option: String?,
        default standard: Value? = nil,
        from origin: SettingOrigin = .standard
    ) -> Value {
        var (value, origin, name) = (standard ?? setting.standard, origin, setting.name)
        var text = setting.text(value)
        checkNames(of: setting.name, option)
        if let given = given(setting.name, option) {
            if let parsed = setting.parse(given.text) {
                (value, origin, name) = (parsed, given.origin, given.name)
                text = setting.isSecret ? setting.text(value) : given.text
            } else {
                let said = setting.isSecret ? "" : "=\(given.text)"
                refuse("\(given.spelling)\(said) is not valid: expected \(setting.expected).")
            }
        }
        let words = setting.standardText == text ? nil : setting.standardText
        note(
            EffectiveSetting(
                name: setting.name,
                value: text.map { .text($0) } ?? .none,
                source: origin.place(of: name, default: words)
                    + (name == setting.name ? "" : ", deprecated; use \(origin.nameOnly(setting.name))"),
                isReloadable: setting.isReloadable
            )
        )
        return value
    }

    /// The host and the port of the service.
    ///
    /// Platforms that assign a port by `PORT` connect to it from other machines, so the default host is then all
    /// addresses.
    mutating func endpoint(host: String?, port: String?) -> (host: String, port: Int) {
        let origin = given(Settings.port.name, port)?.origin ?? .standard
        let isOfPlatform = origin == .platform(Settings.portOfPlatform)
        let host = value(
            Settings.host,
            host,
            default: isOfPlatform ? Settings.hostOfPlatform : nil,
            from: isOfPlatform ? origin : .standard
        )
        return (host, value(Settings.port, port))
    }

    /// The value of a boolean setting.
    mutating func flag(_ setting: Setting<Bool>, _ option: Bool?) -> Bool { value(setting, option.map { "\($0)" }) }

    /// Records that the value of a setting is not the expected value.
    mutating func refuse<Value>(_ setting: Setting<Value>, _ option: String?, _ expected: String) {
        guard let given = given(setting.name, option) else { return }
        refuse("\(given.spelling)=\(given.text) is not valid: expected \(expected).")
    }

    /// A setting and its value as written at their origin, such as `--config=headroom.yaml`, for messages.
    func spelling<Value>(of setting: Setting<Value>, _ option: String?, _ value: String) -> String {
        "\(given(setting.name, option)?.spelling ?? setting.name)=\(value)"
    }

    /// Records an error, as a sentence.
    mutating func refuse(_ sentence: String) { errors.append(sentence) }

    /// Records the use of a deprecated name, as a sentence.
    mutating func warn(_ sentence: String) { deprecated.append(sentence) }

    /// Reads the converters of the settings file into a set; options and variables cannot set them.
    ///
    /// The set stays empty without converters, and after an error. The setting is recorded only if the file contains it.
    mutating func read(_ converters: inout ConverterSet) {
        let variable = SettingOrigin.variable(ConverterEntries.name)
        if environment[variable]?.isEmpty == false {
            refuse("\(variable) is not allowed: expected \(ConverterEntries.name) in the settings file.")
        }
        mappingNames.append(ConverterEntries.name)
        guard let file, let entry = file.entries[ConverterEntries.name], let node = entry.node else { return }
        let origin = SettingOrigin.file(path: file.path, line: entry.line)
        let read = ConverterEntries(node, path: file.path)
        for problem in read.problems { refuse(problem) }
        let videos = read.byVideoFormat.keys.map { "\(ConverterEntries.output).\($0.rawValue)" }
        let names = (read.byFormat.keys.map(\.rawValue) + videos).sorted().joined(separator: ",")
        mappings.append(
            EffectiveSetting(
                name: ConverterEntries.name,
                value: .mapping(names),
                source: origin.place(of: ConverterEntries.name, default: nil),
                isReloadable: false
            )
        )
        guard read.problems.isEmpty else { return }
        converters.byFormat = read.byFormat
        converters.byVideoFormat = read.byVideoFormat
    }

    /// Rejects unknown names in the file; called after all settings have been read.
    mutating func refuseUnknown() {
        guard let file else { return }
        let known = effective.map(\.name) + mappingNames
        let old = DeprecatedName.settings.filter { known.contains($0.new) }.map(\.old)
        for (name, entry) in file.entries.sorted(by: { $0.value.line < $1.value.line })
        where !known.contains(name) && !old.contains(name) {
            let advice = SpellingSuggestion.nearest(to: name, among: known).map { "Did you mean \($0)?" }
            refuse(
                "\(file.path):\(entry.line): Unknown setting \(name). \(advice ?? "headroom config lists all settings.")"
            )
        }
    }

    /// A sentence for each variable `HEADROOM_…` that is not a setting; called after all settings have been read.
    ///
    /// Variables that Kubernetes sets for a Service named headroom are omitted.
    func unknownVariables() -> [String] {
        let names = effective.map(\.name)
        let known = Set((names + [Settings.config.name]).map(SettingOrigin.variable))
        let old = Set(DeprecatedName.settings.filter { names.contains($0.new) }.map { SettingOrigin.variable($0.old) })
        return environment.keys
            .filter { $0.hasPrefix("HEADROOM_") && !known.contains($0) && !old.contains($0) }.sorted()
            .filter { !Self.isOfKubernetes($0) }
            .map { name in
                // Compared in lower case and without the common prefix, which would make all names similar.
                let short = { (name: String) in name.dropFirst("HEADROOM_".count).lowercased() }
                let nearest = SpellingSuggestion.nearest(to: short(name), among: known.map(short).sorted())
                let advice =
                    nearest.map { "did you mean HEADROOM_\($0.uppercased())?" } ?? "headroom config lists all settings"
                return "the variable \(ParameterError.shortened(name)) is not a setting: \(advice)"
            }
    }

    /// Whether Kubernetes sets a variable for a Service named headroom: `HEADROOM_SERVICE_HOST`,
    /// `HEADROOM_SERVICE_PORT_HTTP`, `HEADROOM_PORT_8080_TCP_ADDR` and so on.
    private static func isOfKubernetes(_ variable: String) -> Bool {
        if variable == "HEADROOM_SERVICE_HOST" || variable.hasPrefix("HEADROOM_SERVICE_PORT") { return true }
        let parts = variable.split(separator: "_", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count == 4 && parts[1] == "PORT" && Int(plainDigits: String(parts[2])) != nil
    }

    /// Records a setting.
    mutating func note(_ setting: EffectiveSetting) { effective.append(setting) }

    /// The bytes of a setting's file.
    ///
    /// Nil if it cannot be read, which is recorded as an error.
    ///
    /// The message starts with `origin`, for example `--config=headroom.yaml`.
    mutating func bytes(of path: String, atMost limit: Int, for origin: String) -> [UInt8]? {
        do throws(RegularFile.Failure) {
            return try RegularFile.bytes(of: path, atMost: limit)
        } catch .tooLarge {
            refuse("\(origin) is not valid: expected at most \(limit) bytes.")
        } catch {
            refuse("\(origin) is not valid: expected a file that can be read; \(path): \(error.reason).")
        }
        return nil
    }
}

extension SettingsReader {
    /// The maximum size of a file of secrets, in bytes: enough for ``Secret/maxSecrets`` secrets of the maximum
    /// length, with names and line ends.
    private static let maxSecretsBytes = 8192

    /// Reads secrets from the variable of a setting, from the settings file, or from a separate file.
    ///
    /// Error messages do not contain secrets.
    ///
    /// - Parameters:
    ///   - setting: The setting to read.
    ///   - option: The option for the file.
    /// - Returns: An empty array if neither is set.
    mutating func secrets(_ setting: SecretSetting, file option: String?) -> [Secret] {
        secrets(setting, file: option, default: [], \.self) { text throws(Secret.ListError) in
            try Secret.list(text, lengths: setting.lengths)
        }
    }

    /// Reads the keys of encrypted URLs; nil without keys, and if one is invalid.
    ///
    /// - Parameter option: The option for the file.
    /// - Returns: The keys.
    mutating func cipher(file option: String?) -> URLCipher? {
        let secrets = secrets(Settings.sourceEncryptionKeys, file: option)
        guard !secrets.isEmpty else { return nil }
        let keys = secrets.compactMap { secret in
            secret.withBytes { Hexadecimal.bytes(String(decoding: $0, as: UTF8.self)) }
        }
        guard keys.count == secrets.count, let cipher = URLCipher(keys: keys) else {
            refuse("source-encryption-keys is not valid: expected 64 hexadecimal digits for each key.")
            return nil
        }
        return cipher
    }

    /// Reads secrets like ``secrets(_:file:)``, and parses them into a value.
    ///
    /// - Parameters:
    ///   - setting: The setting to read.
    ///   - option: The option for the file.
    ///   - none: The value if neither is set.
    ///   - all: All secrets of a value.
    ///   - parse: Parses the text of the variable or the file.
    /// - Returns: The value; `none` if neither is set, or if the text is invalid.
    mutating func secrets<Value>(
        _ setting: SecretSetting,
        file option: String?,
        default none: Value,
        _ all: (Value) -> [Secret],
        _ parse: (String) throws(Secret.ListError) -> Value
    ) -> Value {
        let given = given(setting.name, nil)
        let place = given.map(\.spelling)
        let path = self.value(setting.file, option)
        var value = none
        var source = "default"
        if let path {
            let origin = self.given(setting.file.name, option)?.spelling ?? ""
            source = path
            if let place {
                refuse("\(origin)=\(path) is not allowed while \(place) is set.")
            } else if let bytes = bytes(of: path, atMost: Self.maxSecretsBytes, for: "\(origin)=\(path)") {
                value = read(String(decoding: bytes, as: UTF8.self), of: "\(origin)=\(path)", parse) ?? none
            }
        } else if let given, let place {
            source = given.origin.place(of: setting.name, default: nil)
            value = read(given.text, of: place, parse) ?? none
        }
        let secrets = all(value)
        note(
            EffectiveSetting(
                name: setting.name,
                value: secrets.isEmpty ? .none : .secrets(secrets),
                source: source,
                isReloadable: true
            )
        )
        return value
    }

    private mutating func read<Value>(
        _ text: String,
        of origin: String,
        _ parse: (String) throws(Secret.ListError) -> Value
    ) -> Value? {
        do throws(Secret.ListError) {
            return try parse(text)
        } catch {
            refuse("\(origin) is not valid: \(error.reason).")
            return nil
        }
    }
}

/// A settings file: a YAML mapping of setting names to values.
///
/// Values are kept as text and parsed by the same rules as options and variables; a list is joined by commas.
struct SettingsFile: Sendable {
    /// The entry of a setting.
    struct Entry: Sendable {
        /// The value; nil if it is empty, as in `unix-socket:`.
        let text: String?
        /// The line, counted from 1.
        let line: Int
        /// The value of a setting that is a mapping; nil for other settings, and if the value is empty.
        var node: YAMLNode?
    }

    /// The settings that are mappings.
    private static let mappings: Set<String> = [ConverterEntries.name]

    /// The maximum size of the file in bytes; far more than all settings need.
    static let maxBytes = 65_536

    let path: String
    private(set) var entries: [String: Entry] = [:]
    /// The errors of the file, as sentences without values, which may be secrets.
    private(set) var problems: [String] = []

    /// Parses the settings in a text; errors are collected in ``problems``.
    ///
    /// - Parameters:
    ///   - text: YAML.
    ///   - path: Its file, for messages.
    init(_ text: String, path: String) {
        self.path = path
        do throws(YAMLError) {
            // A file with only comments contains no node, or a null node.
            guard let root = try YAMLNode.document(text), !root.isNull else { return }
            guard let entries = root.entries else {
                problems.append("\(path) is not valid: expected lines such as max-pixels: 1000000.")
                return
            }
            for (key, value) in entries { add(key, value) }
        } catch {
            problems.append(YAMLProblem.sentence(error, path))
        }
    }

    private mutating func add(_ key: YAMLNode, _ value: YAMLNode) {
        let line = key.line
        guard let name = key.text else {
            problems.append("\(path):\(line) is not valid: expected the name of a setting.")
            return
        }
        guard !Self.mappings.contains(name) else {
            entries[name] = Entry(text: nil, line: line, node: value.isNull ? nil : value)
            return
        }
        let text = value.isNull ? "" : value.texts?.joined(separator: ",")
        if text == nil {
            problems.append("\(path):\(line): \(name) is not valid: expected a value, or a list of values.")
        }
        // Always recorded, to prevent further messages about the setting.
        entries[name] = Entry(text: text.flatMap { $0.isEmpty ? nil : $0 }, line: line)
    }
}

extension SettingsReader {
    /// The word of an option that is not a setting; nil if it is missing or invalid.
    mutating func choice<Word: RawRepresentable & CaseIterable>(
        _ option: String,
        _ text: String?
    ) -> Word? where Word.RawValue == String {
        guard let text else { return nil }
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        refuse("\(option)=\(text) is not valid: expected one of \(words).")
        return nil
    }
}
