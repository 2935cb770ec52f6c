#if Batch
import Batch
import Dispatch
import Synchronization
import Telemetry

/// Shows the progress of a run on standard error: a changing line on a terminal, otherwise JSON lines.
final class BatchDisplay: Sendable {
    private struct State {
        var shown = -Double.infinity
        var isLineOpen = false
        var failures = 0
    }

    /// Seconds between two lines of JSON, and between two changes on a terminal.
    private static let (interval, frame) = (10.0, 0.2)
    /// The maximum number of failures whose reasons are printed.
    private static let shownFailures = 3

    private let isTerminal = StandardStream.error.isTerminal
    private let state = Mutex(State())

    /// Shows a report, unless the previous report was shown less than ``frame`` (terminal) or ``interval`` seconds ago.
    ///
    /// Time is measured by `BatchProgress.seconds`; the final report is always shown.
    func show(_ progress: BatchProgress) {
        state.withLock { state in
            let pause = isTerminal ? Self.frame : Self.interval
            if state.shown < 0, !isTerminal { state.shown = 0 }
            guard progress.isFinal || progress.seconds >= state.shown + pause else { return }
            state.shown = progress.seconds
            if isTerminal {
                let ending = progress.isFinal ? "\n" : ""
                try? StandardStream.error.write(Array("\r\u{1B}[K\(progress.text)\(ending)".utf8))
                state.isLineOpen = !progress.isFinal
            } else {
                try? StandardStream.error.write(json: progress)
            }
        }
    }

    /// Prints the reason for a failure, but only for the first ``shownFailures`` failures, because the results file
    /// lists all of them.
    func show(failure: BatchFailure) {
        let isShown = state.withLock { state in
            state.failures += 1
            return state.failures <= Self.shownFailures
        }
        if isShown { say("\(QuotedText.escaped(failure.row)): \(QuotedText.escaped(failure.detail))") }
    }

    /// Prints a sentence: as text on a terminal, otherwise as a line of JSON.
    func say(_ sentence: String) {
        state.withLock { state in
            if isTerminal {
                StandardStream.error.writeLine(sentence, isRedrawn: state.isLineOpen)
            } else {
                try? StandardStream.error.write(json: ["message": sentence])
            }
        }
    }
}

/// Counts the rows of a run on another thread, so that the remaining time can be estimated.
final class RowCount: Sendable {
    private let count = Atomic(-1)

    /// Starts counting, unless the inputs are not countable: standard input cannot be read twice, and counting the rows
    /// of an archive in a bucket would download the whole archive.
    init(_ settings: BatchSettings) {
        guard settings.isCountable else { return }
        DispatchQueue.global(qos: .utility).async { [self] in
            var rows = settings.inputs
            var found = 0
            // The run itself reports read errors.
            while (try? rows.next()) != nil { found += 1 }
            count.store(found, ordering: .relaxed)
        }
    }

    /// All rows; nil until they are counted.
    var value: Int? {
        let count = count.load(ordering: .relaxed)
        return count < 0 ? nil : count
    }
}
#endif
