import Logging

/// What every loop and connection of a server shares.
struct ServerContext: Sendable {
    let configuration: HTTPServer.Configuration
    let handler: any HTTPHandler
    let logger: Logger
    let bodyBudget: BodyBudget

    init(configuration: HTTPServer.Configuration, handler: any HTTPHandler, logger: Logger) {
        self.configuration = configuration
        self.handler = handler
        self.logger = logger
        bodyBudget = BodyBudget(limit: configuration.maxBodyBytesInFlight)
    }
}
