#if Addresses
import Addresses
import ArgumentParser
import HeadroomAPI

/// The options of `headroom serve` for other services' URL formats, as text: `--url-formats`, and the settings that the
/// URL formats define.
struct URLFormatOptions: ParsableArguments {
    /// The key of an option in the decoder of ArgumentParser.
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    /// The options by the name of their setting, in the order of the help.
    private var options: [(name: String, option: Option<String?>)]

    init() {
        let all =
            [("url-formats", ServeRows.servedFormats.argumentHelp)] + URLFormats.all.flatMap { Self.helps(of: $0) }
        options = all.map { ($0, Option(name: .customLong($0), help: $1)) }
    }

    init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: Key.self)
        for index in options.indices {
            let key = Key(stringValue: options[index].name)
            options[index].option = try container.decode(Option<String?>.self, forKey: key)
        }
    }

    /// The text of an option; nil for an option that was not given, and for an unknown name.
    subscript(name: String) -> String? { options.first { $0.name == name }?.option.wrappedValue }

    private static func helps<Format: ConfigurableURLFormat>(of format: Format.Type) -> [(String, ArgumentHelp)] {
        Format.settings.map { setting in
            switch setting.kind {
            case .text(let text): (setting.name, setting.row(text).argumentHelp)
            case .secrets(let secrets):
                { file in (file.name, file.argumentHelp) }(setting.row(secrets).file)
            }
        }
    }
}

extension URLFormatOptions: CustomReflectable {
    /// The options as children, as which ArgumentParser finds them.
    var customMirror: Mirror {
        Mirror(self, children: options.map { (label: $0.name, value: $0.option as Any) }, displayStyle: .struct)
    }
}

/// The options of URL formats with old names, as in ``DeprecatedName``.
struct DeprecatedURLFormatOptions: ParsableArguments {
    @Option(name: .customLong("grammars")) var grammars: String?

    /// The given values, by the old name of the setting.
    var values: [String: String] { grammars.map { ["grammars": $0] } ?? [:] }
}

extension ServeSettings {
    /// The URL formats of a service without this setting.
    static let noURLFormats = URLFormatConfiguration()

    /// Whether URLs of other services are served.
    var servesURLFormats: Bool { !urlFormats.names.isEmpty }

    /// Reads the services whose URL formats are served, and the settings of all URL formats.
    mutating func readURLFormats(_ options: ServeOptions, _ reader: inout SettingsReader) {
        read(ServeRows.urlFormats, options, &reader)
        // Secrets may depend on other settings of their URL format.
        for format in URLFormats.all { readSecrets(of: format, options, &reader) }
        for problem in urlFormats.problems(isComplete: reader.errors.isEmpty) { reader.refuse(problem) }
        service.routes = URLFormats.routes
        service.reloadable.urlFormats = urlFormats.served
    }

    private mutating func readSecrets<Format: ConfigurableURLFormat>(
        of format: Format.Type,
        _ options: ServeOptions,
        _ reader: inout SettingsReader
    ) {
        for setting in Format.settings {
            guard case .secrets(let secrets) = setting.kind else { continue }
            let row = setting.row(secrets)
            let standard = urlFormats[format]
            urlFormats[format] = reader.secrets(
                row,
                file: options.urlFormats[row.file.name],
                default: standard,
                secrets.all
            ) { text throws(Secret.ListError) in
                var value = standard
                try secrets.store(text, &value)
                return value
            }
        }
    }

    /// The reason why a reload must not apply these URL formats; nil if it may.
    func refusalOfURLFormats(after old: ServeSettings) -> String? {
        let opened = urlFormats.unsigned.subtracting(old.urlFormats.unsigned)
        guard !opened.isEmpty else { return nil }
        let names = opened.map(\.rawValue).sorted().joined(separator: ",")
        return
            "a reload cannot remove all keys of \(names), because every client could then use these URLs; restart to do that"
    }
}

extension URLFormatSetting where Format: ConfigurableURLFormat {
    /// The definition of a setting whose value is text; a value is the text of a valid setting.
    fileprivate func row(_ text: Text) -> Setting<String?> {
        Setting<String?>.optional(
            name,
            help,
            default: text.standard,
            expected: text.expected,
            valueName: text.valueName,
            parse: { given in
                var format = Format()
                return text.store(given, &format) ? given : nil
            }
        ).reloadable
    }

    /// The definition of a setting of secrets.
    fileprivate func row(_ secrets: Secrets) -> SecretSetting { SecretSetting(name, help, lengths: secrets.lengths) }
}

extension ServeRows {
    private static let urlFormatWords = URLFormatName.allCases.map(\.rawValue).joined(separator: ", ")

    /// The setting of the services whose URL formats are served.
    fileprivate static let servedFormats = Setting<[URLFormatName]>(
        "url-formats",
        "URL formats of other services to accept, each below its prefix (/thumbor, /imgproxy, …): \(urlFormatWords); a "
            + "comma-separated list.",
        default: [],
        words: "none",
        expected: "one or more of \(urlFormatWords), separated by commas",
        valueName: "list",
        text: { $0.isEmpty ? nil : $0.map(\.rawValue).joined(separator: ",") },
        parse: { URLFormatName.list($0) }
    ).reloadable

    /// The rows of other services' URL formats, except secrets.
    static let urlFormats: [ServeSetting] =
        [
            ServeSetting(servedFormats, option: { $0.urlFormats["url-formats"] }) { names, settings in
                settings.urlFormats.names = names
            }
        ] + URLFormats.all.flatMap { rows(of: $0) }

    private static func rows<Format: ConfigurableURLFormat>(of format: Format.Type) -> [ServeSetting] {
        Format.settings.compactMap { setting in
            guard case .text(let text) = setting.kind else { return nil }
            let name = setting.name
            return ServeSetting(setting.row(text), option: { $0.urlFormats[name] }) { value, settings in
                if let value { _ = text.store(value, &settings.urlFormats[Format.self]) }
            }
        }
    }
}
#endif
