import Logging

/// What every loop and connection of a server shares.
struct ServerContext: Sendable {
    let configuration: HTTPServer.Configuration
    let handler: any HTTPHandler
    let logger: Logger
}
