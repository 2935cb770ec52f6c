import Foundation

/// The frames that were done, and frames a second, on a terminal.
struct FrameRate {
    private let isShown = StandardStream.error.isTerminal
    private let start = ContinuousClock.now
    private var shown = ContinuousClock.now
    private var frames = 0
    private let work: String

    /// Counts frames of a kind of work, such as `planned`.
    init(_ work: String) { self.work = work }

    /// Counts one frame.
    mutating func advance() {
        frames += 1
        guard isShown, .now - shown > .milliseconds(200) else { return }
        shown = .now
        draw(ending: "")
    }

    /// Ends the line.
    func finish() { if isShown, frames > 0 { draw(ending: "\n") } }

    private func draw(ending: String) {
        let passed = ContinuousClock.now - start
        let seconds = Double(passed.components.seconds) + Double(passed.components.attoseconds) * 1e-18
        let rate = seconds > 0 ? Int(Double(frames) / seconds) : 0
        try? StandardStream.error.write(Array("\r\u{1B}[K\(frames) frames \(work), \(rate) a second\(ending)".utf8))
    }
}
