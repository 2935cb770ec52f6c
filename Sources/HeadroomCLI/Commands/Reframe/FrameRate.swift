import Foundation

/// The frames that were done, frames a second, and the time that is left, on a terminal.
struct FrameRate {
    private let isShown = StandardStream.error.isTerminal
    private let start = ContinuousClock.now
    private var shown = ContinuousClock.now
    private var frames = 0
    private let work: String
    private let count: Int?

    /// Counts frames of a kind of work, such as `planned`; `count` is the number of all, if it is known.
    init(_ work: String, of count: Int? = nil) {
        self.work = work
        self.count = count
    }

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
        var left = ""
        if let count, count > frames, rate > 0 {
            let seconds = (count - frames) / rate
            left = ", \(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60) left"
        }
        let done = count.map { "\(frames) of \(max($0, frames)) frames" } ?? "\(frames) frames"
        try? StandardStream.error.write(Array("\r\u{1B}[K\(done) \(work), \(rate) a second\(left)\(ending)".utf8))
    }
}
