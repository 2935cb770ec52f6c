/// What `headroom doctor` says of one thing.
struct Finding: Sendable {
    /// How good it is.
    enum Verdict: String, Sendable {
        /// Nothing to do.
        case ok
        /// The service works, and could work better.
        case warn
        /// The service does not work, or not for long.
        case fail
    }

    let verdict: Verdict
    /// What was looked at, in a word or two.
    let subject: String
    /// What was seen, as a sentence.
    let fact: String
    /// What to do about it, as a sentence; nil when there is nothing to do.
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

    /// A line, and another one for the advice.
    var text: String {
        let column = "\(verdict.rawValue.padded(to: 6))\(subject.padded(to: 13))"
        let line = "\(column)\(fact)\n"
        return advice.map { "\(line)\("".padded(to: column.count))\($0)\n" } ?? line
    }
}

extension String {
    fileprivate func padded(to length: Int) -> String { self + String(repeating: " ", count: max(1, length - count)) }
}
