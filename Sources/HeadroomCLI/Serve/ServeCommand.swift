import ArgumentParser
import FramePipeline
import Foundation
import HTTPServer
import HeadroomAPI
import Isolation
import LogLines
import Logging
import Synchronization
import SystemLimits

/// `headroom serve`: the HTTP service.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves crops over HTTP.",
        discussion: """
            Every option can be given as an environment variable too, and in a file of YAML: --max-pixels is \
            HEADROOM_MAX_PIXELS, and max-pixels in the file. An option wins over the environment, and that over the file; \
            headroom config shows what comes of it. Keys and secrets have no option of their own, for others on a machine \
            see command lines: they stand in HEADROOM_SIGNING_KEYS and HEADROOM_BEARER_SECRETS, or in files.

            SIGHUP reads the files again and takes over new keys, secrets, hosts and origins. SIGTERM and SIGINT stop the \
            service once every accepted request is answered; a second one stops it at once.

            A service manager may pass sockets that listen (LISTEN_FDS), which take the place of --host, --port and \
            --unix-socket, and is told when the service is ready (NOTIFY_SOCKET).

            EXAMPLES
              headroom serve
              headroom serve --host 0.0.0.0 --port 8080 --workers 4
              HEADROOM_ALLOW_PRIVATE_SOURCES=true headroom serve
              headroom serve --unix-socket /run/headroom.sock --detector pets=pets.svm
            """
    )

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        // Before anything is started that could inherit a socket.
        let manager = try ServiceManager(environment: environment)
        var settings = try ServeSettings(options, environment: environment)
        if !manager.descriptors.isEmpty {
            settings.service.addresses = manager.descriptors.map { .inherited(descriptor: $0) }
        }
        LoggingSystem.bootstrap { [format = settings.logFormat] label in
            LineLogHandler(label: label, format: format, write: LineOutput.standardError.write)
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
        let options = options
        let reload = SettingsReload(of: settings, service: service, logger: logger) { () throws(CommandFailure) in
            try ServeSettings(options, environment: environment)
        }
        let signals = try Self.obeySignals(service, reload: reload, manager: manager, logger: logger)
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
        manager.tell(.ready)
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

    /// SIGHUP reloads; the first of the others drains, the second one ends the process with what is still open.
    private static func obeySignals(
        _ service: HeadroomService,
        reload: SettingsReload,
        manager: ServiceManager,
        logger: Logger
    ) throws(CommandFailure) -> SignalListener {
        let isStopping = Atomic(false)
        return try SignalListener([SIGTERM, SIGINT, SIGHUP]) { number in
            if number == SIGHUP {
                guard !isStopping.load(ordering: .relaxed) else { return }
                manager.tell(.reloading)
                reload.run()
                return manager.tell(.ready)
            }
            guard isStopping.exchange(true, ordering: .relaxed) else {
                logger.notice("stopping", metadata: ["signal": "\(number)"])
                manager.tell(.stopping)
                return service.shutdown()
            }
            logger.notice("stopped before all requests were answered", metadata: ["signal": "\(number)"])
            // Workers are in the middle of their work, so nothing may be torn down under them, as exit(3) would.
            _exit(128 + number)
        }
    }
}
