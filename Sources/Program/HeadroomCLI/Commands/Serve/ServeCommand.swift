import ArgumentParser
import FoundationEssentials
import Glibc
import HeadroomAPI
import HTTPServer
import Logging
import Pipeline
import Requests
import Synchronization
import SystemLimits
import Telemetry
import Workers

/// `headroom serve`: the HTTP service.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs the HTTP service.",
        discussion: """
            Every option is also an environment variable and a key of a YAML file: --max-pixels is HEADROOM_MAX_PIXELS, \
            and max-pixels in the file. Options override the environment, which overrides the file; headroom config prints \
            the effective settings. Keys and secrets have no option, because other users of the machine can read command \
            lines: set HEADROOM_SIGNING_KEYS and HEADROOM_BEARER_SECRETS, or use files.

            SIGHUP reloads keys, hosts, presets and other settings: docs/configuration.md lists them. SIGTERM and SIGINT \
            stop the service after it has responded to every accepted request; a second signal stops it at once.

            The service runs in a child process. If that crashes, another one takes its place, and connections that wait \
            are not lost.

            The service accepts listening sockets from a service manager (LISTEN_FDS) in place of --host, --port and \
            --unix-socket, and reports readiness to it (NOTIFY_SOCKET).

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
        // Must run before any process that could inherit a socket.
        let manager = try ServiceManager(environment: environment)
        var settings = try ServeSettings(options, environment: environment)
        if !manager.descriptors.isEmpty {
            settings.service.addresses = manager.descriptors.map { .inherited(descriptor: $0) }
        }
        let (output, format) = (LineOutput.standardError, settings.logFormat)
        output.reportDrops { LineLogHandler.dropReport($0, label: "headroom", format) }
        LoggingSystem.bootstrap { label in LineLogHandler(label: label, format: format, write: output.write) }
        settings.service.logOutput = output
        var logger = Logger(label: "headroom")
        logger.logLevel = settings.logLevel
        let restart = Supervisor.lastRestart
        if let restart {
            logger.error(
                "the service process ended and was restarted",
                metadata: ["reason": "\(restart.reason)", "restarts": "\(restart.count)"]
            )
        }
        settings.service.restarts = restart?.count ?? 0
        settings.service.socketKeeper = Supervisor.socketKeeper
        for sentence in settings.unknownVariables + settings.deprecated { logger.warning("\(sentence)") }
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
        } catch let error as WorkerExit where error.cause == .sandbox {
            throw CommandFailure("\(error); use --isolation thread if you trust every image")
        } catch {
            throw CommandFailure("\(error)")
        }
        // Installed before the service reports that it is ready, because a supervisor may stop it immediately.
        let options = options
        let reload = SettingsReload(of: settings, service: service, logger: logger) {
            manager.notify(.ready)
        } read: { () throws(CommandFailure) in
            try ServeSettings(options, environment: environment)
        }
        let signals = try Self.handleSignals(service, reload: reload, manager: manager, logger: logger)
        if settings.service.reloadable.access.isOpen {
            logger.warning(
                """
                all clients can use this service: there are no signing keys, bearer secrets or tenants; keys for other services' \
                URLs protect only these URLs
                """
            )
        }
        for address in service.addresses {
            logger.notice("listening", metadata: ["address": "\(address)", "version": "\(HeadroomVersion.current)"])
        }
        if settings.service.playground ?? settings.service.reloadable.access.isOpen,
            let page = service.addresses.lazy.compactMap(\.page).first
        {
            logger.notice("open \(page) in a browser to try the service")
        }
        if let address = service.metricsAddress {
            logger.notice("listening for /metrics", metadata: ["address": "\(address)"])
        }
        Self.log(ContainerDefaults.current, settings, logger)
        Supervisor.reportReady()
        manager.notify(.ready)
        await service.run()
        signals.stop()
        logger.notice("stopped")
    }

    /// Logs the limits of the container, and the defaults that follow from them.
    private static func log(_ container: ContainerDefaults, _ settings: ServeSettings, _ logger: Logger) {
        let names = ["workers", "max-memory", "max-upload-memory", "max-source-memory", "max-unsent-memory"]
        var metadata: Logger.Metadata = ["limits": "\(container)"]
        for setting in settings.effective where names.contains(setting.name) {
            if case .text(let value) = setting.value { metadata[setting.name] = "\(value) (\(setting.source))" }
        }
        logger.notice("container", metadata: metadata)
    }

    private static func service(_ settings: ServeSettings, logger: Logger) throws -> HeadroomService {
        // Taken in every case, because a service with threads must end this worker.
        let early = WorkerEntry.takeEarly()
        switch settings.isolation {
        case .process:
            var processes = ProcessConfiguration(
                command: WorkerEntry.command(settings.detector),
                jobTimeout: settings.jobTimeout
            )
            processes.early = early
            processes.hasSpareWorker = true
            return try HeadroomService(settings.service, processes: processes, logger: logger)
        case .thread:
            return try HeadroomService(settings.service, model: try settings.detector.model(), logger: logger)
        }
    }

    /// Handles signals: SIGHUP reloads; the first other signal starts a shutdown, the second exits immediately.
    private static func handleSignals(
        _ service: HeadroomService,
        reload: SettingsReload,
        manager: ServiceManager,
        logger: Logger
    ) throws(CommandFailure) -> SignalListener {
        let isStopping = Atomic(false)
        let hasCounted = Atomic(false)
        return try SignalListener([SIGTERM, SIGINT, SIGHUP]) { number, counts in
            if number == SIGHUP {
                guard !isStopping.load(ordering: .relaxed) else { return }
                manager.notify(.reloading)
                return reload.start()
            }
            let isSecond = counts && hasCounted.exchange(true, ordering: .relaxed)
            guard isStopping.exchange(true, ordering: .relaxed) else {
                Supervisor.reportStopping()
                logger.notice("stopping", metadata: ["signal": "\(number)"])
                manager.notify(.stopping)
                return service.shutdown()
            }
            guard isSecond else { return }
            logger.notice("stopped before all requests were complete", metadata: ["signal": "\(number)"])
            // exit(3) would destroy global state that active workers still use.
            LineOutput.standardError.flush()
            _exit(128 + number)
        }
    }
}
