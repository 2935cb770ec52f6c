import Imaging
import Requests
import Workers
import YAML

/// The converters of the settings file: a YAML mapping of formats to programs.
struct ConverterEntries {
    /// The name of the setting, which only the settings file can have.
    static let name = "converters"

    /// The maximum number of arguments of a converter.
    private static let maxArguments = 64
    /// The maximum number of other files of a converter.
    private static let maxFiles = 32

    private(set) var converters: [ConvertibleFormat: Converter] = [:]
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
        for (key, value) in entries { add(key, value) }
    }

    private mutating func refuse(_ node: YAMLNode, _ sentence: String) {
        problems.append("\(path):\(node.line): \(sentence)")
    }

    private mutating func add(_ key: YAMLNode, _ value: YAMLNode) {
        let word = key.text ?? ""
        guard let format = ConvertibleFormat(rawValue: word) else {
            let names = ConvertibleFormat.allCases.map(\.rawValue)
            let advice = SpellingSuggestion.nearest(to: word, among: names).map { "Did you mean \($0)?" }
            refuse(
                key,
                "\(ParameterError.shortened(word)) is not a format of \(Self.name). "
                    + (advice ?? "Expected one of \(names.joined(separator: ", ")).")
            )
            return
        }
        if value.entries == nil {
            converters[format] = converter(format, command: value)
            return
        }
        let entries = value.entries ?? []
        guard let command = entries.first(where: { $0.key.text == Entry.command.rawValue })?.value else {
            refuse(key, "\(word) is missing a command: expected a program and its arguments.")
            return
        }
        guard var converter = converter(format, command: command) else { return }
        for (key, value) in entries {
            let word = key.text ?? ""
            guard let entry = Entry(rawValue: word) else {
                let advice = SpellingSuggestion.nearest(to: word, among: Entry.allCases.map(\.rawValue))
                let ending = advice.map { "did you mean \($0)?" } ?? "expected a command and limits."
                refuse(key, "\(format.rawValue) has an unknown entry: \(ending)")
                continue
            }
            if let expected = Self.read(entry, value, into: &converter) {
                refuse(key, "\(entry.rawValue) of \(format.rawValue) is not valid: expected \(expected).")
            }
        }
        converters[format] = converter
    }

    /// Creates a converter from a program and its arguments; nil after an error.
    private mutating func converter(_ format: ConvertibleFormat, command: YAMLNode) -> Converter? {
        guard let texts = command.texts, let name = texts.first, texts.count <= Self.maxArguments + 1 else {
            refuse(
                command,
                "\(format.rawValue) is not valid: expected a program and at most \(Self.maxArguments) arguments, such as "
                    + "[rsvg-convert]."
            )
            return nil
        }
        var arguments: [ConverterArgument] = []
        for text in texts.dropFirst() {
            guard let argument = ConverterArgument(text) else {
                let names = ConverterArgument.Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: " or ")
                refuse(
                    command,
                    "the argument \(ParameterError.shortened(text)) of \(format.rawValue) is not valid: expected \(names) as "
                        + "placeholders."
                )
                return nil
            }
            arguments.append(argument)
        }
        do throws(ConverterProgram.Failure) {
            return Converter(try ConverterProgram(name), arguments)
        } catch {
            refuse(command, "the program of \(format.rawValue) cannot be used: \(error.reason).")
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
