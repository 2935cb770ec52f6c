import Foundation

/// A bar on standard error while many pictures are worked on; silent when that is not a terminal.
struct Progress {
    private let total: Int
    private var done = 0
    private let isShown: Bool
    private static let width = 30

    init(total: Int) {
        self.total = total
        isShown = total > 1 && isatty(STDERR_FILENO) == 1
    }

    /// One more picture is done.
    mutating func advance() {
        done += 1
        draw(ending: done == total ? "\n" : "")
    }

    /// Prints a line above the bar.
    func report(_ line: String) {
        let start = isShown ? "\r\u{1B}[K" : ""
        FileHandle.standardError.write(Data("\(start)\(line)\n".utf8))
        draw(ending: "")
    }

    private func draw(ending: String) {
        guard isShown else { return }
        let filled = Self.width * done / total
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        FileHandle.standardError.write(Data("\r\(bar) \(done)/\(total)\(ending)".utf8))
    }
}
