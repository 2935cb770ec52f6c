import Fetching
import Requests

/// Reads settings from options, the environment and a file, and collects the errors.
///
/// Options override the environment, which overrides the file. Every setting is recorded with its origin.
struct SettingsReader {
    /// A given value and its origin.
    struct Given {
        let text: String
        let origin: SettingOrigin
    }

    let environment: [String: String]
    private(set) var errors: [String] = []
    /// Every setting that has been read, in that order; with its default if its value is invalid.
    private(set) var effective: [EffectiveSetting] = []
    private var file: SettingsFile?

    /// A reader of the environment, and of the settings file, if there is one.
    ///
    /// - Parameters:
    ///   - environment: The variables of this process.
    ///   - config: The option that names the file.
    init(environment: [String: String], config: String? = nil) {
        self.environment = environment
        guard let given = given(Settings.config.name, config) else { return }
        let origin = "\(given.origin.spelling(of: Settings.config.name))=\(given.text)"
        guard let bytes = bytes(of: given.text, atMost: SettingsFile.maxBytes, for: origin) else { return }
        let file = SettingsFile(String(decoding: bytes, as: UTF8.self), path: given.text)
        for problem in file.problems { refuse(problem) }
        self.file = file
    }

    /// Whether there is a settings file with a value.
    var hasFileEntries: Bool { file?.entries.values.contains { $0.text != nil } ?? false }

    /// The given value of a setting; an empty variable or value counts as not set, as in service files and Compose.
    func given(_ name: String, _ option: String?) -> Given? {
        if let option { return Given(text: option, origin: .option) }
        if let text = environment[SettingOrigin.variable(name)], !text.isEmpty {
            return Given(text: text, origin: .variable)
        }
        guard let file, let entry = file.entries[name], let text = entry.text else { return nil }
        return Given(text: text, origin: .file(path: file.path, line: entry.line))
    }

    /// The value of a setting.
    ///
    /// - Parameters:
    ///   - setting: The setting to read.
    ///   - option: The text of the option.
    ///   - standard: The default, if it depends on other settings.
    /// - Returns: The default if no valid value was given.
    mutating func value<Value>(
        _ setting: Setting<Value>,
        _ option: String?,
        default standard: Value? = nil
    ) -> Value {
        var (value, origin) = (standard ?? setting.standard, SettingOrigin.standard)
        var text = setting.text(value)
        if let given = given(setting.name, option) {
            if let parsed = setting.parse(given.text) {
                (value, origin) = (parsed, given.origin)
                text = setting.isSecret ? setting.text(value) : given.text
            } else {
                let said = setting.isSecret ? "" : "=\(given.text)"
                refuse("\(given.origin.spelling(of: setting.name))\(said) is not valid: expected \(setting.expected).")
            }
        }
        let words = setting.standardText == text ? nil : setting.standardText
        note(
            EffectiveSetting(
                name: setting.name,
                value: text.map { .text($0) } ?? .none,
                source: origin.place(of: setting.name, default: words),
                isReloadable: setting.isReloadable
            )
        )
        return value
    }

    /// The value of a boolean setting.
    mutating func flag(_ setting: Setting<Bool>, _ option: Bool?) -> Bool { value(setting, option.map { "\($0)" }) }

    /// Records that the value of a setting is not what was expected.
    mutating func refuse<Value>(_ setting: Setting<Value>, _ option: String?, _ expected: String) {
        guard let given = given(setting.name, option) else { return }
        refuse("\(given.origin.spelling(of: setting.name))=\(given.text) is not valid: expected \(expected).")
    }

    /// A setting and its value as its origin spells them, such as `--config=headroom.yaml`, for messages.
    func spelling<Value>(of setting: Setting<Value>, _ option: String?, _ value: String) -> String {
        let origin = given(setting.name, option)?.origin
        return "\(origin?.spelling(of: setting.name) ?? setting.name)=\(value)"
    }

    /// Records an error, as a sentence.
    mutating func refuse(_ sentence: String) { errors.append(sentence) }

    /// Refuses unknown names in the file; called after all settings have been read.
    mutating func refuseUnknown() {
        guard let file else { return }
        let known = effective.map(\.name)
        for (name, entry) in file.entries.sorted(by: { $0.value.line < $1.value.line }) where !known.contains(name) {
            let advice = NearestWord.nearest(to: name, among: known).map { "expected \($0), perhaps" }
            refuse(
                "\(file.path):\(entry.line): there is no setting \(name): \(advice ?? "headroom config lists them")."
            )
        }
    }

    /// A sentence for each variable `HEADROOM_…` that is no setting; called after all settings have been read.
    ///
    /// Variables that Kubernetes makes for a Service named headroom are left out.
    func unknownVariables() -> [String] {
        let known = Set((effective.map(\.name) + [Settings.config.name]).map(SettingOrigin.variable))
        return environment.keys.filter { $0.hasPrefix("HEADROOM_") && !known.contains($0) }.sorted()
            .filter { $0.wholeMatch(of: Self.ofKubernetes) == nil }
            .map { name in
                // Distances are of lower case, and the prefix is equal.
                let short = { (name: String) in name.dropFirst("HEADROOM_".count).lowercased() }
                let nearest = NearestWord.nearest(to: short(name), among: known.map(short).sorted())
                let advice = nearest.map { "HEADROOM_\($0.uppercased()), perhaps" } ?? "headroom config lists them"
                return "the variable \(ParameterError.shortened(name)) is no setting: \(advice)"
            }
    }

    /// `HEADROOM_SERVICE_HOST`, `HEADROOM_SERVICE_PORT_HTTP`, `HEADROOM_PORT_8080_TCP_ADDR` and so on.
    private nonisolated(unsafe) static let ofKubernetes = /HEADROOM_(SERVICE_(HOST|PORT.*)|PORT_[0-9]+_.*)/

    /// Records a setting.
    mutating func note(_ setting: EffectiveSetting) { effective.append(setting) }

    /// The bytes of a file that a setting names; nil if it cannot be read, which is recorded as an error.
    ///
    /// `origin`, such as `--config=headroom.yaml`, begins the message.
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
