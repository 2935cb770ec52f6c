import Foundation

/// A progress bar on standard error; hidden if that is not a terminal.
struct Progress {
    private let total: Int
    private var done = 0
    private let isShown: Bool
    private static let width = 30

    /// A bar at its beginning.
    ///
    /// - Parameters:
    ///   - total: The number of pictures; no bar is shown for a single one.
    ///   - printsLines: Whether lines are written to standard output meanwhile; on a terminal they show the progress.
    init(total: Int, printsLines: Bool) {
        self.total = total
        let isDisturbed = printsLines && StandardStream.output.isTerminal
        isShown = total > 1 && StandardStream.error.isTerminal && !isDisturbed
        draw(ending: "")
    }

    /// Counts one finished picture.
    mutating func advance() {
        done += 1
        draw(ending: done == total ? "\n" : "")
    }

    /// Prints a line above the bar.
    func report(_ line: String) {
        StandardStream.error.writeLine(isShown ? "\r\u{1B}[K\(line)" : line)
        draw(ending: "")
    }

    private func draw(ending: String) {
        guard isShown else { return }
        let filled = Self.width * done / total
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        try? StandardStream.error.write(Array("\r\(bar) \(done)/\(total)\(ending)".utf8))
    }
}
