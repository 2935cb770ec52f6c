import Encodings
package import HeadroomAPI

/// What a run does, besides its inputs.
package struct BatchConfiguration: Sendable {
    /// The order of results.
    package enum Order: String, CaseIterable, Sendable {
        /// That of the input, within a window.
        case input
        /// That in which pictures are done.
        case done
    }

    /// Where results go.
    package var target: OutputTarget
    /// The paths of results; nil for the standard ones.
    package var name: OutputName?
    /// The file of results, which is the journal.
    package var results: String
    /// Parameters of `/frame` for every job.
    package var parameters: [BatchJob.Parameter] = []
    /// The stickers that parameters may name.
    package var overlays = OverlaySet()
    /// What else results depend on, such as the detector, for the digest of settings.
    package var conditions: [String] = []
    /// The file of jobs that failed; nil for none.
    package var failures: String?
    /// The file of findings; nil for none.
    package var findings: String?
    package var order = Order.input
    /// How retries are timed.
    package var retries = RetryPolicy()
    /// How many failures are too many.
    package var failureLimit = FailureLimit.count(0)
    /// Whether an earlier run's results are dropped.
    package var restarts = false
    /// Whether jobs that failed in an earlier run are tried again.
    package var retriesFailed = false
    /// Jobs that are loaded, wait for a worker, or run.
    package var inWork = 16
    /// Jobs that have begun and have not been written, for ``Order/input``.
    package var window = 256
    /// The largest file in bytes.
    package var maxFileBytes = 256 << 20
    /// Memory of all files that are in work, in bytes; a larger file is in work alone.
    package var maxBytesInWork = 256 << 20

    /// Defaults for everything else.
    package init(target: OutputTarget, results: String) {
        self.target = target
        self.results = results
    }
}

extension BatchConfiguration {
    /// A digest of all settings that results depend on: with other ones, an earlier run cannot go on.
    var settingsDigest: String {
        let pairs = parameters.map { "\($0.name)=\($0.value)" }.sorted()
        let lines = ["\(ResponseKey.version)", target.word, name?.text ?? "", overlays.digest] + conditions + pairs
        return Hexadecimal.text(SHA256.digest(of: Array(lines.joined(separator: "\n").utf8)))
    }
}

/// How many failures a run may have.
package enum FailureLimit: Sendable, Equatable {
    /// A number; the run stops when there are more.
    case count(Int)
    /// A share of all pictures, 0 to 100, which is known at the end only.
    case percent(Double)

    /// Parses `10` or `2.5%`; nil for other text.
    package init?(_ text: String) {
        if text.hasSuffix("%") {
            guard let share = Double(plainDecimal: text.dropLast()), share <= 100 else { return nil }
            self = .percent(share)
        } else {
            guard let count = Int(plainDigits: text) else { return nil }
            self = .count(count)
        }
    }

    /// Whether so many failures are too many.
    package func isExceeded(_ failures: Int, of total: Int) -> Bool {
        switch self {
        case .count(let limit): failures > limit
        case .percent(let share): Double(failures) * 100 > share * Double(total)
        }
    }

    /// Whether the run may stop: no further picture changes that there are too many failures.
    func stops(_ failures: Int) -> Bool {
        guard case .count(let limit) = self, limit > 0 else { return false }
        return failures > limit
    }
}
