import HTTPTypes
import HeadroomAPI
import TestHTTP
import TestPacing
import Testing

/// The fair shares of tenants in the queue for workers.
@Suite(.limitedConcurrency) struct TenantShareTests {
    private let image: [UInt8]

    init() throws { image = try Images.blankPNG.get() }

    private static let secrets = ["shop": Credentials.bearer, "blog": Credentials.foreignKey]

    private func options(workers: Int, queue: Int) throws -> TestService.Options {
        var options = TestService.Options()
        options.workers = workers
        options.queue = queue
        options.isUnreadyWhenFull = true
        options.access.tenants = try TenantSet(
            Self.secrets.keys.sorted().map { name in
                var tenant = Tenant(name)
                tenant.bearerSecrets = Credentials.list(Self.secrets[name] ?? "")
                return tenant
            }
        )
        return options
    }

    /// Sends an upload for a tenant and returns the connection.
    private func upload(_ tenant: String, to service: TestService) async throws -> TestClient {
        let client = try service.client()
        let token = [("Authorization", "Bearer \(Self.secrets[tenant] ?? "")")]
        try await client.send("POST", "/faces", headers: token, body: image)
        return client
    }

    private func jobs(_ service: TestService) -> Double {
        (service.metric("headroom_workers_busy") ?? 0) + (service.metric("headroom_queue_length") ?? 0)
    }

    @Test func `a tenant is served next and gets places in a queue that another tenant fills`() async throws {
        let detector = ScriptedDetector(isGated: true)
        try await TestService.running(detector, options(workers: 1, queue: 4)) { service in
            var shop: [TestClient] = []
            for count in 1...5 {
                shop.append(try await upload("shop", to: service))
                #expect(await eventually { self.jobs(service) == Double(count) })
            }
            let token = [("Authorization", "Bearer \(Self.secrets["shop"] ?? "")")]
            let refused = try await service.request("POST", "/faces", headers: token, body: image)
            #expect(refused.status == 503 && refused["Retry-After"] != nil)
            let blog = try await upload("blog", to: service)
            // The shop's last job was displaced.
            let displaced = try await shop.removeLast().reply()
            #expect(displaced.status == 503 && displaced["Retry-After"] != nil)
            detector.release()
            #expect(try await shop.removeFirst().reply().status == 200)
            detector.release()
            #expect(try await blog.reply().status == 200)
            for _ in shop { detector.release() }
            for client in shop { #expect(try await client.reply().status == 200) }
        }
    }
}
