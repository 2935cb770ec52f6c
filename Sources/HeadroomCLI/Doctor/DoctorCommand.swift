import ArgumentParser
import Foundation
import Logging

/// `headroom doctor`: whether the service can do its work here, and what to change.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks whether the service can work here.",
        discussion: """
            Takes what headroom serve takes, and tries what that would need: the processor, worker processes, a drawn \
            face, every picture format, memory, open files, processors, addresses, certificates and the clock. URLs are \
            fetched as the service would fetch them. What is not well has a sentence of advice.

            Exits with 0 when nothing fails, warnings allowed, else with 1.

            EXAMPLES
              headroom doctor
              headroom doctor --config headroom.yaml https://example.com/a.jpg
            """
    )

    @Argument(help: ArgumentHelp("Pictures to fetch.", valueName: "url"))
    var urls: [String] = []

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let settings = try ServeSettings(options, environment: ProcessInfo.processInfo.environment)
        // What goes wrong is told by findings.
        let logger = Logger(label: "headroom.doctor") { _ in SwiftLogNoOpLogHandler() }
        var hasFailed = false
        func tell(_ findings: [Finding]) throws {
            for finding in findings { try StandardStream.output.write(finding.text) }
            hasFailed = hasFailed || findings.contains { $0.verdict == .fail }
        }
        try tell(await PictureCheckup(settings, logger: logger).findings())
        try tell(ResourceCheckup(settings).findings())
        try tell(await NetworkCheckup(settings, urls: urls, logger: logger).findings())
        if hasFailed { throw ExitCode.failure }
    }
}
