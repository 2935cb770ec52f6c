import Logging

/// State shared by all loops and connections of a server.
struct ServerContext: Sendable {
    let configuration: ServerConfiguration
    let handler: any HTTPHandler
    let logger: Logger
    /// The clock of all timeouts.
    let now: @Sendable () -> ContinuousClock.Instant
    let bodyBudget: BodyBudget
    let unsentBudget: UnsentBudget
    let bodyPace: Pace
    let responsePace: Pace

    init(
        configuration: ServerConfiguration,
        handler: any HTTPHandler,
        logger: Logger,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.configuration = configuration
        self.handler = handler
        self.logger = logger
        self.now = now
        bodyBudget = BodyBudget(configuration)
        unsentBudget = UnsentBudget(limit: configuration.maxUnsentBytes)
        bodyPace = Pace(bytesPerSecond: configuration.minBytesPerSecond, window: configuration.bodyTimeout)
        responsePace = Pace(bytesPerSecond: configuration.minBytesPerSecond, window: configuration.writeTimeout)
    }
}
