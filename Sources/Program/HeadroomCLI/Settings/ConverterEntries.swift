import Imaging
import Requests
import Workers
import YAML

/// The converters of the settings file: a YAML mapping of formats to programs, which contains a mapping of the formats of
/// videos.
struct ConverterEntries {
    /// The name of the setting, which only the settings file can have.
    static let name = "converters"

    /// The key of the mapping of videos.
    static let output = "output"

    /// The maximum number of arguments of a converter.
    private static let maxArguments = 64
    /// The maximum number of other files of a converter.
    private static let maxFiles = 32

    private(set) var byFormat: [ConvertibleFormat: Converter] = [:]
    private(set) var byVideoFormat: [VideoFormat: Converter] = [:]
    /// The errors, as sentences.
    private(set) var problems: [String] = []
    private let path: String

    /// Parses the entries of the setting; errors, which contain the file name, are collected in ``problems``.
    init(_ node: YAMLNode, path: String) {
        self.path = path
        guard let entries = node.entries else {
            refuse(node, "\(Self.name) is not valid: expected formats with programs, such as svg: [rsvg-convert].")
            return
        }
        for (key, value) in entries {
            if key.text == Self.output { addOutputs(value) } else { add(key, value) }
        }
    }

    private mutating func refuse(_ node: YAMLNode, _ sentence: String) {
        problems.append("\(path):\(node.line): \(sentence)")
    }

    private mutating func addOutputs(_ node: YAMLNode) {
        guard let entries = node.entries else {
            refuse(
                node,
                "\(Self.output) is not valid: expected formats of videos with programs, such as mp4: [ffmpeg]."
            )
            return
        }
        for (key, value) in entries {
            guard let format = format(key, VideoFormat.self, of: "\(Self.output) of \(Self.name)") else { continue }
            byVideoFormat[format] = converter("\(Self.output).\(format.rawValue)", key, value, takes: [])
        }
    }

    private mutating func add(_ key: YAMLNode, _ value: YAMLNode) {
        guard let format = format(key, ConvertibleFormat.self, of: Self.name, or: [Self.output]) else { return }
        byFormat[format] = converter(format.rawValue, key, value, takes: ConverterArgument.Placeholder.allCases)
    }

    /// Returns the format that a key names; nil after an error.
    private mutating func format<Format: RawRepresentable & CaseIterable>(
        _ key: YAMLNode,
        _ type: Format.Type,
        of place: String,
        or others: [String] = []
    ) -> Format? where Format.RawValue == String {
        let word = key.text ?? ""
        if let format = Format(rawValue: word) { return format }
        let names = Format.allCases.map(\.rawValue) + others
        let advice = SpellingSuggestion.nearest(to: word, among: names).map { "Did you mean \($0)?" }
        refuse(
            key,
            "\(ParameterError.shortened(word)) is not a format of \(place). "
                + (advice ?? "Expected one of \(names.joined(separator: ", ")).")
        )
        return nil
    }

    /// Reads a converter in the short or the long form; nil after an error.
    private mutating func converter(
        _ name: String,
        _ key: YAMLNode,
        _ value: YAMLNode,
        takes placeholders: [ConverterArgument.Placeholder]
    ) -> Converter? {
        guard let entries = value.entries else { return converter(name, command: value, takes: placeholders) }
        guard let command = entries.first(where: { $0.key.text == Entry.command.rawValue })?.value else {
            refuse(key, "\(name) is missing a command: expected a program and its arguments.")
            return nil
        }
        guard var converter = converter(name, command: command, takes: placeholders) else { return nil }
        for (key, value) in entries {
            let word = key.text ?? ""
            guard let entry = Entry(rawValue: word) else {
                let advice = SpellingSuggestion.nearest(to: word, among: Entry.allCases.map(\.rawValue))
                let ending = advice.map { "did you mean \($0)?" } ?? "expected a command and limits."
                refuse(key, "\(name) has an unknown entry: \(ending)")
                continue
            }
            if let expected = Self.read(entry, value, into: &converter) {
                refuse(key, "\(entry.rawValue) of \(name) is not valid: expected \(expected).")
            }
        }
        return converter
    }

    /// Creates a converter from a program and its arguments; nil after an error.
    private mutating func converter(
        _ converter: String,
        command: YAMLNode,
        takes placeholders: [ConverterArgument.Placeholder]
    ) -> Converter? {
        guard let texts = command.texts, let name = texts.first, texts.count <= Self.maxArguments + 1 else {
            let example = placeholders.isEmpty ? "ffmpeg" : "rsvg-convert"
            refuse(
                command,
                "\(converter) is not valid: expected a program and at most \(Self.maxArguments) arguments, such as "
                    + "[\(example)]."
            )
            return nil
        }
        var arguments: [ConverterArgument] = []
        for text in texts.dropFirst() {
            let argument = ConverterArgument(text)
            let excess = ConverterArgument.Placeholder.allCases.filter { !placeholders.contains($0) }
            guard let argument, !excess.contains(where: argument.contains) else {
                let names = placeholders.map { "{\($0.rawValue)}" }.joined(separator: " or ")
                refuse(
                    command,
                    "the argument \(ParameterError.shortened(text)) of \(converter) is not valid: expected "
                        + (placeholders.isEmpty ? "no placeholders." : "\(names) as placeholders.")
                )
                return nil
            }
            arguments.append(argument)
        }
        do throws(ConverterProgram.Failure) {
            return Converter(try ConverterProgram(name), arguments)
        } catch {
            refuse(command, "the program of \(converter) cannot be used: \(error.reason).")
            return nil
        }
    }

    /// An entry of a converter; the raw values are its words.
    private enum Entry: String, CaseIterable {
        case command
        case memory
        case timeout
        case maxOutputBytes = "max-output-bytes"
        case files
    }

    /// Reads a value; if it is invalid, returns the expected values.
    private static func read(_ entry: Entry, _ value: YAMLNode, into converter: inout Converter) -> String? {
        switch entry {
        case .command: return nil
        case .memory: return number(value, in: 16...65_536) { converter.memory = $0 << 20 }.map { "\($0), in MiB" }
        case .timeout:
            return number(value, in: 1...600) { converter.timeout = .seconds($0) }.map { "\($0), in seconds" }
        case .maxOutputBytes: return number(value, in: 1...(1 << 30)) { converter.maxOutputBytes = $0 }
        case .files:
            guard let files = value.texts, files.count <= maxFiles,
                files.allSatisfy({ $0.hasPrefix("/") && !$0.utf8.contains(0) })
            else { return "at most \(maxFiles) absolute paths" }
            converter.files = files
            return nil
        }
    }

    private static func number(_ value: YAMLNode, in range: ClosedRange<Int>, _ store: (Int) -> Void) -> String? {
        guard let text = value.text, let number = Int(plainDigits: text), range.contains(number) else {
            return "a whole number from \(range.lowerBound) to \(range.upperBound)"
        }
        store(number)
        return nil
    }
}
