import ArgumentParser
import FoundationEssentials
import Logging

/// `headroom doctor`: checks whether the service can run here, with advice.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks whether the service can run on this machine.",
        discussion: """
            Accepts the options of headroom serve and tests what they require: CPU features, worker processes, detection \
            of a drawn face, every image format, memory, open files, CPUs, addresses, certificates and the clock. \
            Fetches the given URLs in the same way as the service. Each warning and failure includes advice.

            Exits with 0 if no check fails (warnings are allowed), else with 1.

            EXAMPLES
              headroom doctor
              headroom doctor --config headroom.yaml https://example.com/a.jpg
            """
    )

    @Argument(help: ArgumentHelp("Images to fetch.", valueName: "url"))
    var urls: [String] = []

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let settings = try ServeSettings(options, environment: ProcessInfo.processInfo.environment)
        // Errors are reported as check results.
        let logger = Logger(label: "headroom.doctor") { _ in SwiftLogNoOpLogHandler() }
        var hasFailed = false
        func report(_ findings: [Finding]) throws {
            for finding in findings { try StandardStream.output.write(finding.text) }
            hasFailed = hasFailed || findings.contains { $0.verdict == .fail }
        }
        try report(await ImageCheckup(settings: settings, logger: logger).findings())
        try report(ResourceCheckup(settings).findings())
        try report(await NetworkCheckup(settings: settings, urls: urls, logger: logger).findings())
        if hasFailed { throw ExitCode.failure }
    }
}

/// The result of one check of `headroom doctor`.
struct Finding: Sendable {
    enum Verdict: String, Sendable {
        /// No action is needed.
        case ok
        /// The service works, but not optimally.
        case warn
        /// The service does not work, or not for long.
        case fail
    }

    let verdict: Verdict
    /// The checked item, in a word or two.
    let subject: String
    /// The observation, as a sentence.
    let fact: String
    /// The recommended action, as a sentence; nil if no action is needed.
    let advice: String?

    /// A failure or a warning if there is advice for it, otherwise a success.
    init(_ subject: String, _ fact: String, fail: String? = nil, warn: String? = nil) {
        self.subject = subject
        self.fact = fact
        verdict = fail != nil ? .fail : warn != nil ? .warn : .ok
        advice = fail ?? warn
    }

    /// The line of the finding, and another line for the advice.
    var text: String {
        let column = "\(verdict.rawValue.padded(to: 6))\(subject.padded(to: 13))"
        let line = "\(column)\(fact)\n"
        return advice.map { "\(line)\("".padded(to: column.count))\($0)\n" } ?? line
    }
}

extension String {
    fileprivate func padded(to length: Int) -> String { self + String(repeating: " ", count: max(1, length - count)) }
}
