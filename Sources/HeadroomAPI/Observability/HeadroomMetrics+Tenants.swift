import Telemetry

extension HeadroomMetrics {
    /// Metrics of tenants; their number is limited, and their names come from the settings.
    static let tenants = [tenantRequests, tenantProcessorTime]

    static let tenantRequests = MetricDescription(
        "headroom_tenant_requests_total",
        .counter,
        labels: ["tenant", "outcome"],
        help: "Requests of tenants: granted, or refused by a limit."
    )
    static let tenantProcessorTime = MetricDescription(
        "headroom_tenant_cpu_seconds_total",
        .counter,
        labels: ["tenant"],
        help: "CPU time of the jobs of tenants, in seconds."
    )
}

extension ServiceMetrics {
    /// Samples what tenants have used at each scrape.
    package func read(_ tenants: TenantLedger) {
        registry.read {
            tenants.usage.flatMap { usage in
                let name = usage.tenant
                let granted = MetricSample(HeadroomMetrics.tenantRequests, [name, "granted"], usage.admitted)
                let refused = TenantRefusal.Limit.allCases.map { limit in
                    MetricSample(HeadroomMetrics.tenantRequests, [name, limit.rawValue], usage.refused[limit] ?? 0)
                }
                let seconds = usage.processorTime / .seconds(1)
                return [granted] + refused + [MetricSample(HeadroomMetrics.tenantProcessorTime, [name], seconds)]
            }
        }
    }
}
