extension Int {
    /// The number with its noun: `1 face`, `2 faces`.
    func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
