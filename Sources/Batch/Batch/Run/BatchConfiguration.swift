import Cryptography
import Encodings
import HeadroomAPI
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
    /// The paths of results; nil for the default paths.
    package var name: OutputName?
    /// The results file, which is also the journal.
    package var results: String
    /// Parameters of `/frame` for every job, which the parameters of a row override.
    package var parameters: [BatchJob.Parameter] = []
    package var overlays = OverlaySet()
    /// Further settings that results depend on, such as the detector; part of the digest of settings.
    package var conditions: [String] = []
    /// The file for failed jobs; nil for none.
    package var failures: String?
    /// The file of cached detections; nil for none.
    package var findings: String?
    package var order = Order.input
    package var retries = RetryPolicy()
    /// The maximum accepted number of failures.
    package var failureLimit = FailureLimit.count(0)
    /// Whether the results of an earlier run are discarded.
    package var restarts = false
    /// Whether jobs that failed in an earlier run are tried again.
    package var retriesFailed = false
    /// The maximum number of jobs that are loading, queued or running.
    package var inWork = 16
    /// The maximum number of jobs at workers, running or waiting for one; a stop lets these jobs finish.
    package var running = 4
    /// The maximum number of started jobs whose results are not written yet.
    ///
    /// It limits the results that ``Order/input`` delays.
    package var window = 256
    /// The maximum memory for all loaded files, in bytes.
    ///
    /// A larger file is processed alone.
    package var maxBytesInWork = 256 << 20

    /// Creates the default settings for a destination.
    ///
    /// - Parameters:
    ///   - target: The destination of images or plans.
    ///   - results: The path of the results file, which is also the journal.
    package init(target: OutputTarget, results: String) {
        self.target = target
        self.results = results
    }
}

extension BatchConfiguration {
    /// The run's own files, which results must not replace.
    var files: [String] { [results, failures, findings].compactMap(\.self) }

    /// The template for the paths of an image's results; `hasSeveral` is whether the image has several results.
    func outputName(hasSeveral: Bool) -> OutputName {
        name ?? .standard(isArchive: target.isArchive, hasSeveral: hasSeveral)
    }

    /// A digest of all settings that results depend on; a journal with another digest is rejected.
    var settingsDigest: String {
        // Old and new parameter names give the same digest. Invalid names are rejected when the run starts.
        let given = parameters.map { (name: $0.name, value: $0.value) }
        let pairs = ((try? DeprecatedName.resolved(given).pairs) ?? given).map { "\($0.name)=\($0.value)" }.sorted()
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
    /// A percentage refers to `total`: the images that failed or were finished in this run or in an earlier run.
    package func isExceeded(_ failures: Int, of total: Int) -> Bool {
        switch self {
        case .count(let limit): failures > limit
        case .percent(let share): Double(failures) * 100 > share * Double(total)
        }
    }

    /// Whether the run can stop, because the limit is exceeded regardless of the remaining images.
    func stops(_ failures: Int) -> Bool {
        guard case .count(let limit) = self, limit > 0 else { return false }
        return failures > limit
    }
}
