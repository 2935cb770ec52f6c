import Fetching
import Telemetry

/// Sends exports to their collectors, over one connection for each destination.
struct CollectorSender: Sendable {
    private let connections: [String: CollectorConnection]

    /// Connections that are opened for the first exports.
    ///
    /// - Throws: A `FetchError` for an address that is not valid.
    init(_ settings: OTLPSettings, userAgent: String) throws(FetchError) {
        var connections: [String: CollectorConnection] = [:]
        for endpoint in [settings.traces, settings.metrics].compactMap(\.self) where connections[endpoint.url] == nil {
            connections[endpoint.url] = try CollectorConnection(endpoint.url, userAgent: userAgent)
        }
        self.connections = connections
    }

    /// Sends a message; blocks up to its time limit.
    @Sendable func send(_ message: OTLPExporter.Message) -> OTLPExporter.Reply {
        guard let connection = connections[message.endpoint.url] else { return .failed("unknown destination") }
        let headers = [(name: "Content-Type", value: message.contentType)]
        let further = message.endpoint.headers.map { (name: $0.name, value: $0.value) }
        switch connection.post(message.body, headers: headers + further, timeout: message.timeout) {
        case .status(let status, let body): return .status(status, body: body)
        case .failed(let reason): return .failed(reason)
        }
    }
}
