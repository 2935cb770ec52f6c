import ArgumentParser
import Requests

extension Option where Value == String? {
    /// The option of a parameter, as text.
    init(_ parameter: Parameter) { self.init(help: parameter.argumentHelp) }
}

extension Flag where Value == Bool {
    /// The flag of a boolean parameter.
    init(wrappedValue: Bool, _ parameter: Parameter) {
        self.init(wrappedValue: wrappedValue, help: parameter.argumentHelp)
    }
}

extension Parameter {
    /// The help of the option, with the values and the default.
    fileprivate var argumentHelp: ArgumentHelp {
        var notes: [String] = []
        switch values.kind {
        case .words(let words): notes.append(words.joined(separator: ", "))
        case .decimal(let range):
            notes.append("\(ParameterValues.short(range.lowerBound)) to \(ParameterValues.short(range.upperBound))")
        case .whole(let range): notes.append("\(range.lowerBound) to \(range.upperBound)")
        case .boolean: return ArgumentHelp(Self.withOptions(help))
        case .text: break
        }
        switch standard {
        case .none: break
        case .value(let text), .described(let text): notes.append("default: \(Self.withOptions(text))")
        }
        let text = notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
        return ArgumentHelp(Self.withOptions(text), valueName: values.placeholder)
    }

    /// A text in which names in backticks are those of options: `--min-face`.
    private static func withOptions(_ text: String) -> String {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .map { $0 % 2 == 0 ? String($1) : optionName(String($1)) }
            .joined()
    }

    /// The option of a parameter's name: `--min-face` for `minFace`.
    static func optionName(_ name: String) -> String {
        "--" + name.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
    }
}

extension ParsableArguments {
    /// The parameters of a request that were given as options: each option whose name is that of a parameter.
    var givenParameters: [(name: String, value: String)] {
        Mirror(reflecting: self).children.compactMap { label, value in
            // A property wrapper is stored under the name of its property after an underscore.
            guard let name = label?.dropFirst(), let parameter = Parameter.named(String(name)) else { return nil }
            let text =
                switch value {
                case let option as Option<String?>: option.wrappedValue
                case let flag as Flag<Bool>: flag.wrappedValue ? "true" : nil
                default: String?.none
                }
            return text.map { (parameter.name, $0) }
        }
    }
}
