/// The destinations and limits for exporting traces and metrics, from the environment variables of the OpenTelemetry
/// specification.
package struct OTLPSettings: Equatable, Sendable {
    /// A destination with its header fields.
    package struct Endpoint: Equatable, Sendable {
        /// An http or https URL.
        package let url: String
        /// Additional header fields, such as credentials.
        package let headers: [Pair]
        /// The time limit of one export.
        package let timeout: Duration
    }

    /// A header field, or a resource attribute.
    package struct Pair: Equatable, Sendable {
        /// The name.
        ///
        /// For a header field: letters, digits, hyphens and underscores.
        package let name: String
        /// The value.
        ///
        /// For a header field: visible characters and spaces.
        package let value: String
    }

    /// The rule that selects the traces to export.
    package struct Sampler: Equatable, Sendable {
        /// Whether a continued trace keeps the sampling decision of its caller.
        package var followsParent = true
        /// The sampled fraction of all other traces, from 0 to 1.
        package var ratio = 1.0

        /// Creates the default rule: all traces, unless the caller decided otherwise.
        package init() {}
    }

    /// The destination of spans; nil for none.
    package private(set) var traces: Endpoint?
    /// The destination of metrics; nil for none.
    package private(set) var metrics: Endpoint?
    /// The resource attributes, including `service.name`.
    package private(set) var resource: [Pair] = []
    /// The rule that selects the traces to export.
    package private(set) var sampler = Sampler()
    /// The interval between exports of spans.
    package private(set) var spanInterval = Duration.seconds(5)
    /// The interval between exports of metrics.
    package private(set) var metricInterval = Duration.seconds(60)
    /// Maximum number of waiting spans.
    package private(set) var queueLimit = 2048
    /// Maximum number of spans in one request.
    package private(set) var batchLimit = 512

    /// Reads the variables.
    ///
    /// - Parameters:
    ///   - environment: The variables of the process.
    ///   - name: The name of the service, used if no variable sets a name.
    ///   - version: The version of the service.
    ///   - problems: Receives a sentence for each invalid variable. The sentences do not contain values of header
    ///   fields.
    /// - Returns: Nil if no variable sets a destination, or if the export is disabled.
    package static func read(
        _ environment: [String: String],
        name: String,
        version: String,
        _ problems: inout [String]
    ) -> OTLPSettings? {
        var reader = OTLPVariables(environment)
        var settings = OTLPSettings()
        if reader.choice("OTEL_SDK_DISABLED", ["true", "false"]) == "true" { return nil }
        settings.traces = reader.endpoint("TRACES", path: "v1/traces")
        settings.metrics = reader.endpoint("METRICS", path: "v1/metrics")
        guard settings.traces != nil || settings.metrics != nil || !reader.problems.isEmpty else { return nil }
        settings.resource = reader.resource(name: name, version: version)
        settings.sampler = reader.sampler()
        settings.spanInterval = reader.milliseconds("OTEL_BSP_SCHEDULE_DELAY", in: 1...600_000) ?? .seconds(5)
        settings.metricInterval =
            reader.milliseconds("OTEL_METRIC_EXPORT_INTERVAL", in: 10...3_600_000) ?? .seconds(60)
        settings.queueLimit = reader.number("OTEL_BSP_MAX_QUEUE_SIZE", in: 1...1_000_000) ?? 2048
        settings.batchLimit = reader.number("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", in: 1...10_000) ?? 512
        problems += reader.problems
        return settings
    }
}
