import Synchronization

/// Opens connections to the Redis server at an address.
///
/// If the address contains sentinels, the connector asks them for the master before each connection, so that it finds
/// the successor of a lost master. Calls block.
final class RedisConnector: Sendable {
    private let address: RedisAddress
    /// The TLS settings; nil without TLS.
    private let security: RedisSecurity?
    /// The sentinel that is queried first.
    ///
    /// It is the last sentinel whose reply the master confirmed.
    private let firstSentinel = Atomic(0)

    init(_ address: RedisAddress) {
        self.address = address
        security = address.isEncrypted ? RedisSecurity(address.certificates) : nil
    }

    /// Connects, authenticates, selects the database, and waits for the reply to PING or, with sentinels, to ROLE.
    ///
    /// `connectTimeout` limits each connection attempt, including the setup of the connection; `timeout` limits each
    /// later command.
    func open(connectTimeout: Duration, timeout: Duration) throws(RedisFailure) -> RedisConnection {
        switch address.place {
        case .unix(let path):
            let deadline = ContinuousClock.now + connectTimeout
            return try setUp(RedisStream.open(path: path, by: deadline), by: deadline, timeout: timeout)
        case .tcp(let endpoint):
            let deadline = ContinuousClock.now + connectTimeout
            return try setUp(stream(to: endpoint, by: deadline), by: deadline, timeout: timeout)
        case .sentinels(let sentinels, let service):
            return try openMaster(of: service, sentinels, connectTimeout, timeout: timeout)
        }
    }

    private func stream(
        to endpoint: RedisEndpoint,
        by deadline: ContinuousClock.Instant
    ) throws(RedisFailure) -> RedisStream {
        let context: RedisTLSContext? = if let security { try security.context() } else { nil }
        return try RedisStream.open(endpoint, context, by: deadline)
    }

    private func setUp(
        _ stream: consuming RedisStream,
        by deadline: ContinuousClock.Instant,
        timeout: Duration
    ) throws(RedisFailure) -> RedisConnection {
        let connection = try RedisConnection(stream, timeout: timeout)
        if let password = address.password {
            try connection.expect(["AUTH"] + (address.user.map { [$0] } ?? []) + [password], by: deadline)
        }
        if address.database != 0 { try connection.expect(["SELECT", "\(address.database)"], by: deadline) }
        try connection.expect(["PING"], by: deadline)
        return connection
    }

    // MARK: Sentinel

    /// Queries the sentinels one after another until a server confirms that it is the master.
    private func openMaster(
        of service: String,
        _ sentinels: [RedisEndpoint],
        _ connectTimeout: Duration,
        timeout: Duration
    ) throws(RedisFailure) -> RedisConnection {
        var failures: [RedisFailure] = []
        var tried: Set<RedisEndpoint> = []
        let first = firstSentinel.load(ordering: .relaxed)
        for index in sentinels.indices.map({ ($0 + first) % sentinels.count }) {
            let sentinel = sentinels[index]
            let master: RedisEndpoint
            do throws(RedisFailure) {
                master = try self.master(of: service, sentinel, by: .now + connectTimeout)
            } catch {
                failures.append(error.of("sentinel \(sentinel)"))
                continue
            }
            // Most sentinels report the same master, and each attempt may use its full time limit.
            guard tried.insert(master).inserted else { continue }
            do throws(RedisFailure) {
                let connection = try connect(toMaster: master, by: .now + connectTimeout, timeout: timeout)
                firstSentinel.store(index, ordering: .relaxed)
                return connection
            } catch {
                failures.append(error.of("master \(master)"))
            }
        }
        let reasons = failures.map(\.description).joined(separator: "; ")
        throw RedisFailure(description: "no sentinel reported a reachable master: \(reasons)")
    }

    /// Returns the master of a service, as reported by a sentinel.
    private func master(
        of service: String,
        _ sentinel: RedisEndpoint,
        by deadline: ContinuousClock.Instant
    ) throws(RedisFailure) -> RedisEndpoint {
        let connection = try RedisConnection(stream(to: sentinel, by: deadline), timeout: .zero)
        if let password = address.sentinelPassword { try connection.expect(["AUTH", password], by: deadline) }
        let question = ["SENTINEL", "get-master-addr-by-name", service].map { Array($0.utf8) }
        switch try connection.command(question, by: deadline) {
        case .refused(let reason): throw RedisFailure(description: "SENTINEL: \(reason)")
        case .nothing: throw RedisFailure(description: "the sentinel does not monitor \(service)")
        case .list(let parts):
            let words = parts.map { RedisFailure.printable($0, atMost: 256) }
            guard words.count == 2, let port = Int(words[1]), let endpoint = RedisEndpoint(host: words[0], port: port)
            else { fallthrough }
            return endpoint
        default: throw RedisFailure(description: "expected the host and port of the master")
        }
    }

    /// Connects to the master that a sentinel reported.
    ///
    /// The server must confirm that it is a master, because the sentinel's state may be out of date.
    private func connect(
        toMaster endpoint: RedisEndpoint,
        by deadline: ContinuousClock.Instant,
        timeout: Duration
    ) throws(RedisFailure) -> RedisConnection {
        let connection = try setUp(stream(to: endpoint, by: deadline), by: deadline, timeout: timeout)
        switch try connection.command([Array("ROLE".utf8)], by: deadline) {
        case .list(let parts) where parts.first.map { $0.elementsEqual("master".utf8) } == true: return connection
        case .list(let parts):
            let role = RedisFailure.printable(parts.first ?? [], atMost: 32)
            throw RedisFailure(description: "expected the role master, received \(role)")
        case .refused(let reason): throw RedisFailure(description: "ROLE: \(reason)")
        default: throw RedisFailure(description: "expected the role master")
        }
    }
}
