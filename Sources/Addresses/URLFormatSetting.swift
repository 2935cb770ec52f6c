package import HeadroomAPI

/// A setting of `headroom serve` that belongs to one URL format.
package struct URLFormatSetting<Format: Sendable>: Sendable {
    /// The source of a value.
    package enum Kind: Sendable {
        /// Text of an option, a variable or the settings file.
        case text(Text)
        /// Secrets of a variable, the settings file, or a file that the option with the ending `-file` names.
        case secrets(Secrets)
    }

    /// A setting whose value is text.
    package struct Text: Sendable {
        /// A description of the default, for the help.
        package let standard: String
        /// The end of the message about an invalid value.
        package let expected: String
        /// The placeholder of a value in the help.
        package let valueName: String
        /// Stores a value; returns false if it is invalid.
        package let store: @Sendable (String, inout Format) -> Bool
    }

    /// A setting whose value is a list of secrets.
    package struct Secrets: Sendable {
        /// The accepted length of a secret, in characters.
        package let lengths: ClosedRange<Int>
        /// Returns the stored secrets.
        package let all: @Sendable (Format) -> [Secret]
        /// Stores secrets; throws an error without their text if they are invalid.
        package let store: @Sendable (String, inout Format) throws(Secret.ListError) -> Void
    }

    /// Lower-case words separated by hyphens, without `-file`.
    package let name: String
    /// One sentence for the help, without the default.
    package let help: String
    /// The source and the place of the value.
    package let kind: Kind

    /// Defines a setting whose value is parsed from text.
    ///
    /// - Parameters:
    ///   - name: The name of the setting.
    ///   - help: One sentence for the help, without the default.
    ///   - standard: A description of the default, for the help.
    ///   - expected: The end of the message about an invalid value.
    ///   - valueName: The placeholder of a value in the help.
    ///   - place: The place of the value.
    ///   - parse: Parses a value; returns nil if it is invalid.
    /// - Returns: The setting.
    static func text<Value>(
        _ name: String,
        _ help: String,
        default standard: String,
        expected: String,
        valueName: String = "list",
        _ place: any WritableKeyPath<Format, Value> & Sendable,
        parse: @escaping @Sendable (String) -> Value?
    ) -> Self {
        let text = Text(standard: standard, expected: expected, valueName: valueName) { text, format in
            guard let value = parse(text) else { return false }
            format[keyPath: place] = value
            return true
        }
        return Self(name: name, help: help, kind: .text(text))
    }

    /// Defines the base URL of sources that are paths.
    static func origin(
        _ name: String,
        _ help: String,
        _ place: any WritableKeyPath<Format, OriginBase?> & Sendable
    ) -> Self {
        .text(
            name,
            help,
            default: "none",
            expected: "an http or https URL without a query",
            valueName: "url",
            place,
            parse: { text in OriginBase(text).map(Optional.some) }
        )
    }

    /// Defines a list of secrets, separated by commas, spaces or line ends.
    static func secrets(
        _ name: String,
        _ help: String,
        lengths: ClosedRange<Int> = Secret.foreignLengths,
        _ place: any WritableKeyPath<Format, [Secret]> & Sendable
    ) -> Self {
        .secrets(name, help, lengths: lengths, all: { $0[keyPath: place] }) { text, format throws(Secret.ListError) in
            format[keyPath: place] = try Secret.list(text, lengths: lengths)
        }
    }

    /// Defines secrets that are parsed together with other settings.
    static func secrets(
        _ name: String,
        _ help: String,
        lengths: ClosedRange<Int> = Secret.foreignLengths,
        all: @escaping @Sendable (Format) -> [Secret],
        store: @escaping @Sendable (String, inout Format) throws(Secret.ListError) -> Void
    ) -> Self {
        Self(name: name, help: help, kind: .secrets(Secrets(lengths: lengths, all: all, store: store)))
    }
}
