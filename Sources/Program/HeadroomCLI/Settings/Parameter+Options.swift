import Requests

extension Parameter {
    /// The option of a parameter's name: `--min-face` for `minFace`.
    static func optionName(_ name: String) -> String {
        "--" + name.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
    }
}
