/// The result of one check of `headroom doctor`.
struct Finding: Sendable {
    /// The severity of a finding.
    enum Verdict: String, Sendable {
        /// No action is needed.
        case ok
        /// The service works, but not optimally.
        case warn
        /// The service does not work, or not for long.
        case fail
    }

    let verdict: Verdict
    /// The checked item, in a word or two.
    let subject: String
    /// The observation, as a sentence.
    let fact: String
    /// The recommended action, as a sentence; nil if none is needed.
    let advice: String?

    static func ok(_ subject: String, _ fact: String) -> Finding {
        Finding(verdict: .ok, subject: subject, fact: fact, advice: nil)
    }

    static func warn(_ subject: String, _ fact: String, advice: String) -> Finding {
        Finding(verdict: .warn, subject: subject, fact: fact, advice: advice)
    }

    static func fail(_ subject: String, _ fact: String, advice: String) -> Finding {
        Finding(verdict: .fail, subject: subject, fact: fact, advice: advice)
    }

    /// The line of the finding, and another one for the advice.
    var text: String {
        let column = "\(verdict.rawValue.padded(to: 6))\(subject.padded(to: 13))"
        let line = "\(column)\(fact)\n"
        return advice.map { "\(line)\("".padded(to: column.count))\($0)\n" } ?? line
    }
}

extension String {
    fileprivate func padded(to length: Int) -> String { self + String(repeating: " ", count: max(1, length - count)) }
}
