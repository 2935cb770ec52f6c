import ArgumentParser
import FramePipeline
import Foundation
import HTTPServer
import HeadroomAPI
import Isolation
import LogLines
import Logging
import Synchronization

/// `headroom serve`: the HTTP service.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves crops over HTTP.",
        discussion: """
            Every option can be given as an environment variable too: --max-pixels is HEADROOM_MAX_PIXELS. An option wins \
            over the environment. Keys and secrets have no option of their own, for others on a machine see command lines: they \
            stand in HEADROOM_SIGNING_KEYS and HEADROOM_BEARER_SECRETS, or in files. SIGTERM and SIGINT stop the service once every accepted request is answered; a second \
            one stops it at once.

            EXAMPLES
              headroom serve
              headroom serve --host 0.0.0.0 --port 8080 --workers 4
              HEADROOM_ALLOW_PRIVATE_SOURCES=true headroom serve
              headroom serve --unix-socket /run/headroom.sock --detector pets=pets.svm
            """
    )

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let settings = try ServeSettings(options, environment: ProcessInfo.processInfo.environment)
        LoggingSystem.bootstrap { label in
            LineLogHandler(label: label, format: settings.logFormat, write: LineOutput.standardError.write)
        }
        var logger = Logger(label: "headroom")
        logger.logLevel = settings.logLevel
        Allocator.configure()
        let openFiles = OpenFileLimit.raise()
        if openFiles < settings.neededOpenFiles {
            logger.warning(
                "the limit on open files is too low for --max-connections",
                metadata: ["limit": "\(openFiles)", "needed": "\(settings.neededOpenFiles)"]
            )
        }
        let service: HeadroomService
        do {
            service = try Self.service(settings, logger: logger)
        } catch let error as WorkerEnd where error.cause == .sandbox {
            throw CommandFailure("\(error); --isolation thread does without, where every picture is trusted")
        } catch {
            throw CommandFailure("\(error)")
        }
        // Before anybody is told that the service is there: who waits for that may already want it to stop.
        let signals = try Self.stop(service, onSignalWith: logger)
        if settings.service.access.isOpen {
            logger.warning(
                "everyone who reaches this service may use it: there are no signing keys and no bearer secrets"
            )
        }
        for address in service.addresses {
            logger.notice("listening", metadata: ["address": "\(address)", "version": "\(HeadroomVersion.current)"])
        }
        if let address = service.metricsAddress {
            logger.notice("listening for /metrics", metadata: ["address": "\(address)"])
        }
        await service.run()
        signals.stop()
        logger.notice("stopped")
    }

    private static func service(_ settings: ServeSettings, logger: Logger) throws -> HeadroomService {
        switch settings.isolation {
        case .process:
            let processes = ProcessConfiguration(
                command: WorkerEntry.command(settings.detector),
                jobTimeout: settings.jobTimeout
            )
            return try HeadroomService(settings.service, processes: processes, logger: logger)
        case .thread:
            return try HeadroomService(settings.service, model: try settings.detector.model(), logger: logger)
        }
    }

    /// The first signal drains, the second one ends the process with what is still open.
    private static func stop(
        _ service: HeadroomService,
        onSignalWith logger: Logger
    ) throws(CommandFailure) -> StopSignals {
        let isStopping = Atomic(false)
        return try StopSignals { number in
            guard isStopping.exchange(true, ordering: .relaxed) else {
                logger.notice("stopping", metadata: ["signal": "\(number)"])
                return service.shutdown()
            }
            logger.notice("stopped before all requests were answered", metadata: ["signal": "\(number)"])
            // Workers are in the middle of their work, so nothing may be torn down under them, as exit(3) would.
            _exit(128 + number)
        }
    }
}
