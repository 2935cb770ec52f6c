import Requests

extension DeprecatedName {
    /// The warning about a deprecated option of a command: `--mark is deprecated; use --watermark`.
    var optionWarning: String {
        let (old, new) =
            switch kind {
            case .value(let parameter):
                ("\(Parameter.optionName(parameter))=\(old)", "\(Parameter.optionName(parameter))=\(new)")
            default: (Parameter.optionName(old), Parameter.optionName(new))
            }
        return "\(old) is deprecated; use \(new)"
    }

    /// The warning about a deprecated name in a file or in a request: `mark is deprecated; use watermark`.
    var warning: String {
        if case .value(let parameter) = kind {
            "\(parameter)=\(old) is deprecated; use \(parameter)=\(new)"
        } else {
            "\(old) is deprecated; use \(new)"
        }
    }

    /// Prints a warning for each deprecated option on standard error.
    static func warn(_ names: [DeprecatedName]) {
        for name in names { StandardStream.error.writeLine("Warning: \(name.optionWarning)") }
    }
}
