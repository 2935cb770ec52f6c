import ArgumentParser
import Foundation
import HTTPServer
import HeadroomAPI
import Logging

/// `headroom serve`: the HTTP service.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves crops over HTTP.",
        discussion: """
            Every option can be given as an environment variable too: --max-pixels is HEADROOM_MAX_PIXELS. An option wins \
            over the environment. SIGTERM and SIGINT stop the service once every accepted request is answered.

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
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        var logger = Logger(label: "headroom")
        logger.logLevel = settings.logLevel
        let service: HeadroomService
        do {
            service = try HeadroomService(settings.service, model: try settings.detector.model(), logger: logger)
        } catch {
            throw CommandFailure("\(error)")
        }
        for address in service.addresses {
            logger.notice("listening", metadata: ["address": "\(address)", "version": "\(HeadroomVersion.current)"])
        }
        let signals = StopSignals { service.shutdown() }
        await service.run()
        signals.stop()
        logger.notice("stopped")
    }
}
