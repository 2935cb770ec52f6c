import Telemetry
import Testing

@Suite struct OTLPSettingsTests {
    private func read(_ environment: [String: String]) -> (settings: OTLPSettings?, problems: [String]) {
        var problems: [String] = []
        let settings = OTLPSettings.read(environment, name: "headroom", version: "1.2", &problems)
        return (settings, problems)
    }

    @Test(arguments: [
        [:], ["OTEL_SERVICE_NAME": "a"], ["OTEL_EXPORTER_OTLP_ENDPOINT": ""],
        ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_SDK_DISABLED": "true"],
        [
            "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_TRACES_EXPORTER": "none",
            "OTEL_METRICS_EXPORTER": "prometheus",
        ],
    ])
    func `without a destination nothing is exported`(environment: [String: String]) {
        let (settings, problems) = read(environment)
        #expect(settings == nil && problems == [])
    }

    @Test func `a path for each signal is added to the common destination, and defaults follow the specification`()
        throws
    {
        let (read, problems) = read(["OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"])
        let settings = try #require(read)
        #expect(problems == [])
        #expect(settings.traces?.url == "http://collector:4318/v1/traces")
        #expect(settings.metrics?.url == "http://collector:4318/v1/metrics")
        #expect(settings.traces?.timeout == .seconds(10) && settings.traces?.headers == [])
        #expect(settings.spanInterval == .seconds(5) && settings.metricInterval == .seconds(60))
        #expect(settings.queueLimit == 2048 && settings.batchLimit == 512)
        #expect(settings.sampler == OTLPSettings.Sampler())
        #expect(settings.resource.map { "\($0.name)=\($0.value)" } == ["service.name=headroom", "service.version=1.2"])
    }

    @Test func `variables for a signal have priority over the common variables`() throws {
        let (read, problems) = read([
            "OTEL_EXPORTER_OTLP_ENDPOINT": "https://a.example/base/",
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://b.example/in",
            "OTEL_EXPORTER_OTLP_HEADERS": "api-key=common",
            "OTEL_EXPORTER_OTLP_METRICS_HEADERS": "api-key=a%2Cb , x = y=z",
            "OTEL_EXPORTER_OTLP_TIMEOUT": "2000",
            "OTEL_EXPORTER_OTLP_METRICS_TIMEOUT": "300",
            "OTEL_EXPORTER_OTLP_PROTOCOL": "http/json",
            "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment=prod,service.name=other",
            "OTEL_SERVICE_NAME": "crops",
            "OTEL_TRACES_SAMPLER": "parentbased_traceidratio",
            "OTEL_TRACES_SAMPLER_ARG": "0.25",
            "OTEL_BSP_SCHEDULE_DELAY": "10",
            "OTEL_BSP_MAX_QUEUE_SIZE": "20",
            "OTEL_BSP_MAX_EXPORT_BATCH_SIZE": "5",
            "OTEL_METRIC_EXPORT_INTERVAL": "1000",
        ])
        let settings = try #require(read)
        #expect(problems == [])
        #expect(settings.traces?.url == "http://b.example/in")
        #expect(settings.metrics?.url == "https://a.example/base/v1/metrics")
        #expect(settings.traces?.headers.map(\.value) == ["common"])
        #expect(settings.metrics?.headers.map { "\($0.name):\($0.value)" } == ["api-key:a,b", "x:y=z"])
        #expect(settings.traces?.timeout == .seconds(2) && settings.metrics?.timeout == .milliseconds(300))
        #expect(settings.resource.first?.value == "crops")
        #expect(settings.resource.count { $0.name == "service.name" } == 1)
        #expect(settings.resource.contains { $0.name == "deployment.environment" && $0.value == "prod" })
        #expect(settings.sampler.followsParent && settings.sampler.ratio == 0.25)
        #expect(settings.queueLimit == 20 && settings.batchLimit == 5)
        #expect(settings.spanInterval == .milliseconds(10) && settings.metricInterval == .seconds(1))
    }

    @Test(arguments: [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4317", "expected an http or https URL"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://", "expected an http or https URL"),
        ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "grpc://a", "expected an http or https URL"),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not valid: expected http/json"),
        ("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip", "expected none"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "secret", "OTEL_EXPORTER_OTLP_HEADERS is not valid: expected header fields"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "a=b%0d%0ac", "expected header fields"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "a b=c", "expected header fields"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "a=%4", "expected header fields"),
        ("OTEL_EXPORTER_OTLP_TIMEOUT", "-1", "expected a whole number from 1 to 600000"),
        ("OTEL_BSP_MAX_QUEUE_SIZE", "99999999999999999999", "expected a whole number from 1 to 1000000"),
        ("OTEL_BSP_SCHEDULE_DELAY", "0", "expected a whole number from 1 to 600000"),
        ("OTEL_TRACES_SAMPLER", "jaeger_remote", "expected always_on or always_off or traceidratio"),
        ("OTEL_SDK_DISABLED", "yes", "expected true or false"),
        ("OTEL_RESOURCE_ATTRIBUTES", "a", "expected attributes such as name=value,name=value"),
    ])
    func `an invalid variable is reported without the values of header fields`(
        name: String,
        value: String,
        expected: String
    ) {
        var environment = ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"]
        environment[name] = value
        let problems = read(environment).problems
        #expect(problems.contains { $0.contains(name) && $0.contains(expected) }, "\(problems)")
        #expect(!problems.joined().contains("secret"))
    }

    @Test(arguments: ["1.5", "-1", "nan", "1e-1", ""])
    func `a sampling ratio is a number from 0 to 1`(text: String) {
        let (settings, problems) = read([
            "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", "OTEL_TRACES_SAMPLER": "traceidratio",
            "OTEL_TRACES_SAMPLER_ARG": text,
        ])
        #expect(settings?.sampler.followsParent == false && settings?.sampler.ratio == 1)
        #expect(problems.isEmpty == text.isEmpty)
    }
}
