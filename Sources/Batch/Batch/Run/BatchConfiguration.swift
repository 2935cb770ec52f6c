import Encodings
package import Requests

/// The settings of a run, without its inputs.
package struct BatchConfiguration: Sendable {
    /// The order of results.
    package enum Order: String, CaseIterable, Sendable {
        /// The order of the input; rows within a window are processed concurrently.
        case input
        /// The order in which images are finished.
        case done
    }

    package var target: OutputTarget
    /// The paths of results; nil for the standard ones.
    package var name: OutputName?
    /// The file of results, which is the journal.
    package var results: String
    /// Parameters of `/frame` for every job, which a row's own override.
    package var parameters: [BatchJob.Parameter] = []
    package var overlays = OverlaySet()
    /// Further settings that results depend on, such as the detector; part of the digest of settings.
    package var conditions: [String] = []
    /// The file of jobs that failed; nil for none.
    package var failures: String?
    /// The file of findings; nil for none.
    package var findings: String?
    package var order = Order.input
    package var retries = RetryPolicy()
    /// The largest accepted number of failures.
    package var failureLimit = FailureLimit.count(0)
    /// Whether the results of an earlier run are discarded.
    package var restarts = false
    /// Whether jobs that failed in an earlier run are tried again.
    package var retriesFailed = false
    /// The largest number of jobs that are loading, queued or running.
    package var inWork = 16
    /// The largest number of jobs handed to workers, running or waiting for one; a stop lets these finish.
    package var running = 4
    /// The largest number of jobs started and not yet written; bounds the results that ``Order/input`` holds back.
    package var window = 256
    /// Memory of all loaded files in bytes; a larger file is processed alone.
    package var maxBytesInWork = 256 << 20

    /// The defaults, for results at a place.
    ///
    /// - Parameters:
    ///   - target: Where images or plans are written.
    ///   - results: The path of the file of results, which is the journal.
    package init(target: OutputTarget, results: String) {
        self.target = target
        self.results = results
    }
}

extension BatchConfiguration {
    /// The run's own files, which no result replaces.
    var files: [String] { [results, failures, findings].compactMap(\.self) }

    /// The paths of the results of an image, which has several or one.
    func outputName(hasSeveral: Bool) -> OutputName {
        name ?? .standard(isArchive: target.isArchive, hasSeveral: hasSeveral)
    }

    /// A digest of all settings that results depend on; a journal with another digest is refused.
    var settingsDigest: String {
        let pairs = parameters.map { "\($0.name)=\($0.value)" }.sorted()
        let lines = ["\(ResponseVersion.current)", target.word, name?.text ?? "", overlays.digest] + conditions + pairs
        return Hexadecimal.text(SHA256.digest(of: Array(lines.joined(separator: "\n").utf8)))
    }
}

/// The number of failures that a run accepts.
package enum FailureLimit: Sendable, Equatable {
    /// A number; the run stops when it is exceeded.
    case count(Int)
    /// A percentage of all images, 0 to 100, which is compared at the end.
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

    /// Whether the failed images of a run exceed the limit.
    ///
    /// A percentage is one of `total`, the images that failed, are done, or were done before.
    package func isExceeded(_ failures: Int, of total: Int) -> Bool {
        switch self {
        case .count(let limit): failures > limit
        case .percent(let share): Double(failures) * 100 > share * Double(total)
        }
    }

    /// Whether the run can stop: the limit is exceeded, whatever the remaining images give.
    func stops(_ failures: Int) -> Bool {
        guard case .count(let limit) = self, limit > 0 else { return false }
        return failures > limit
    }
}
