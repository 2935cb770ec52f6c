/// A progress bar on standard error; hidden if standard error is not a terminal.
struct Progress {
    private let total: Int
    private var done = 0
    private let isShown: Bool
    private static let width = 30

    /// Draws an empty bar, unless there is a single image, or lines are written to a terminal at the same time.
    init(total: Int, printsLines: Bool) {
        self.total = total
        let isDisturbed = printsLines && StandardStream.output.isTerminal
        isShown = total > 1 && StandardStream.error.isTerminal && !isDisturbed
        draw(ending: "")
    }

    mutating func advance() {
        done += 1
        draw(ending: done == total ? "\n" : "")
    }

    func report(_ line: String) {
        StandardStream.error.writeLine(line, isRedrawn: isShown)
        draw(ending: "")
    }

    private func draw(ending: String) {
        guard isShown else { return }
        let filled = Self.width * done / total
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        try? StandardStream.error.write(Array("\r\(bar) \(done)/\(total)\(ending)".utf8))
    }
}
