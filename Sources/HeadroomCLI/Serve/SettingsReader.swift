import Framing

/// Reads settings from options and the environment, and collects what is wrong with them.
///
/// One rule spells every name: the option `--max-pixels` is the variable `HEADROOM_MAX_PIXELS`. The option wins.
struct SettingsReader {
    let environment: [String: String]
    private(set) var errors: [String] = []

    init(environment: [String: String]) { self.environment = environment }

    /// The name of a setting in the environment.
    static func variable(_ name: String) -> String {
        "HEADROOM_" + name.uppercased().replacing("-", with: "_")
    }

    /// The value made by `parse` from the option, else from the environment; nil when neither is set or `parse` refuses.
    ///
    /// A variable without text is one that is not set: so do service files and Compose leave a thing out. A secret is not
    /// repeated in what is said of it.
    mutating func value<Value>(
        _ name: String,
        _ option: String?,
        isSecret: Bool = false,
        expected: String,
        _ parse: (String) -> Value?
    ) -> Value? {
        let variable = Self.variable(name)
        guard let text = option ?? environment[variable].flatMap({ $0.isEmpty ? nil : $0 }) else { return nil }
        if let value = parse(text) { return value }
        let origin = option == nil ? variable : "--\(name)"
        refuse("\(origin)\(isSecret ? "" : "=\(text)") is not valid: expected \(expected).")
        return nil
    }

    /// Notes what is wrong, as a sentence.
    mutating func refuse(_ sentence: String) { errors.append(sentence) }

    /// A whole number within bounds.
    mutating func integer(_ name: String, _ option: String?, in range: ClosedRange<Int>, default fallback: Int) -> Int {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return value(name, option, expected: expected) { text in
            Int(plainDigits: text).flatMap { range.contains($0) ? $0 : nil }
        } ?? fallback
    }

    /// Seconds, fractions allowed.
    mutating func seconds(_ name: String, _ option: String?, default fallback: Duration) -> Duration {
        value(name, option, expected: "a number of seconds from 0.01 to 3600") { text in
            Double(plainDecimal: text).flatMap {
                (0.01...3600).contains($0) ? .milliseconds(Int(($0 * 1000).rounded())) : nil
            }
        } ?? fallback
    }

    /// A flag, which the environment spells `true` or `false`.
    mutating func flag(_ name: String, _ isSet: Bool) -> Bool {
        value(name, isSet ? "true" : nil, expected: "true or false") { text in
            switch text {
            case "true", "1": true
            case "false", "0": false
            default: nil
            }
        } ?? false
    }
}
