import Admission
import Fetching
import Foundation
import Synchronization
import TestHTTP
import TestPacing
import Testing

@Suite(.limitedConcurrency)
struct ImageFetcherConcurrencyTests {
    @Test func `all fetches complete, and the number of concurrent fetches never exceeds the slots`() async throws {
        let active = Mutex((now: 0, maximum: 0, arrived: 0))
        let four = DispatchSemaphore(value: 0)
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            let isFourth = active.withLock {
                $0.now += 1
                $0.maximum = max($0.maximum, $0.now)
                $0.arrived += 1
                return $0.arrived.isMultiple(of: 4)
            }
            if isFourth { for _ in 0..<4 { four.signal() } }
            four.wait()
            // Decrements before the response, because the client may send its next request before this thread
            // continues.
            active.withLock { $0.now -= 1 }
            connection.write(response("200 OK", body: "bytes"))
        }
        let fetcher = ImageFetcher.local {
            $0.slots = 4
            $0.slotsPerHost = 0
        }
        let url = origin.url()
        let done = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<40 { group.addTask { try await fetcher.fetch(url).bytes.count } }
            var done = 0
            for try await count in group where count == 5 { done += 1 }
            return done
        }
        #expect(done == 40)
        #expect(active.withLock { $0.maximum } == 4)
    }

    @Test(
        arguments: [
            (32, 10.0, 1280), (1, 10.0, 64), (32, 0.01, 64), (128, 3600.0, 4096), (8, 2.5, 80), (128, 0.0, 64),
        ]
    )
    func `the queue timeout determines the length of the waiting list`(slots: Int, seconds: Double, expected: Int) {
        #expect(FetchConfiguration.waitingLimit(slots: slots, within: .seconds(seconds)) == expected)
    }

    @Test func `120 simultaneous fetches all succeed with a waiting list for the queue timeout`() async throws {
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(response("200 OK", body: "bytes"))
        }
        var configuration = FetchConfiguration(userAgent: "Headroom/test")
        configuration.allowsPrivateSources = true
        configuration.timeout = .seconds(600)
        configuration.slots = 4
        configuration.waitingLimit = FetchConfiguration.waitingLimit(slots: 4, within: .seconds(10))
        let address = try #require(IPAddress("127.0.0.1"))
        let port = Int(origin.port)
        let fetcher = ImageFetcher(
            configuration: configuration,
            policy: .privateAllowed,
            pinnedHosts: (1...120).map { PinnedHost(host: "h\($0).example", port: port, addresses: [address]) }
        )
        let done = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...120 {
                group.addTask { try await fetcher.fetch("http://h\(number).example:\(port)/").bytes.count }
            }
            return try await group.reduce(0) { $0 + $1 }
        }
        #expect(done == 600)
    }

    @Test func `every slot has a thread, regardless of the number of cores`() async throws {
        let arrived = Mutex(0)
        let everyone = DispatchSemaphore(value: 0)
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            let isLast = arrived.withLock {
                $0 += 1
                return $0 == 32
            }
            if isLast { for _ in 0..<32 { everyone.signal() } }
            everyone.wait()
            connection.write(response("200 OK"))
        }
        let fetcher = ImageFetcher.local {
            $0.timeout = .seconds(30)
            $0.slotsPerHost = 0
        }
        let url = origin.url()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<32 { group.addTask { _ = try await fetcher.fetch(url) } }
            try await group.waitForAll()
        }
        #expect(origin.connections == 32)
    }

    @Test func `a fetch beyond the waiting list fails as busy, and the others continue`() async throws {
        let requests = AsyncStream<Void>.makeStream()
        let release = DispatchSemaphore(value: 0)
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            requests.continuation.yield()
            release.wait()
            connection.write(response("200 OK", body: "bytes"))
        }
        let fetcher = ImageFetcher.local {
            $0.slots = 1
            $0.waitingLimit = 1
        }
        let url = origin.url()
        async let first = fetcher.fetch(url)
        for await _ in requests.stream { break }
        // One of two more fetches waits, and the other fetch is rejected. The scheduler determines the order.
        let outcomes = await withTaskGroup(of: FetchError?.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    do {
                        _ = try await fetcher.fetch(url)
                        return nil
                    } catch {
                        // The first fetch continues only now, so it occupied its place until now.
                        release.signal()
                        release.signal()
                        return error as? FetchError
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.compactMap(\.self).map(\.kind) == ["busy"])
        #expect(try await first.bytes.count == 5)
        #expect(origin.connections == 2)
    }

    @Test func `cancellation closes the connection at once`() async throws {
        let closed = AsyncStream<Void>.makeStream()
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nbytes")
            connection.waitForClose()
            closed.continuation.yield()
        }
        // libcurl itself wakes at each of these times.
        let fetcher = ImageFetcher.local {
            $0.timeout = .seconds(600)
            $0.connectTimeout = .seconds(600)
        }
        let task = Task { [url = origin.url()] in try await fetcher.failure(url) }
        // libcurl has received the header, and waits for up to a minute for further bytes unless it is woken.
        #expect(await eventually { fetcher.budget.used > 0 })
        let start = ContinuousClock.now
        task.cancel()
        #expect(try await task.value == .cancelled)
        for await _ in closed.stream { break }
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test func `a cancelled fetch frees its place in the list`() async throws {
        let requests = AsyncStream<Void>.makeStream()
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            requests.continuation.yield()
            connection.waitForClose()
        }
        let fetcher = ImageFetcher.local {
            $0.slots = 1
            $0.timeout = .seconds(600)
        }
        let url = origin.url()
        let running = Task { try await fetcher.failure(url) }
        for await _ in requests.stream { break }
        let waiting = Task { try await fetcher.failure(url) }
        waiting.cancel()
        #expect(try await waiting.value == .cancelled)
        #expect(origin.connections == 1)
        running.cancel()
        #expect(try await running.value == .cancelled)
    }

    @Test func `a fetch that waits too long for a slot is rejected while the slot is still in use`() async throws {
        let requests = AsyncStream<Void>.makeStream()
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            requests.continuation.yield()
            connection.waitForClose()
        }
        let clock = ManualClock()
        let fetcher = ImageFetcher.local(time: clock.queueTime) {
            $0.slots = 1
            $0.timeout = .seconds(600)
        }
        let url = origin.url()
        let first = Task { try await fetcher.failure(url) }
        for await _ in requests.stream { break }
        let waiting = Task { try await fetcher.fetch(SourceURL(url), by: clock.now + .seconds(10)) }
        #expect(await eventually { clock.timers == 1 })
        clock.advance(by: .seconds(10))
        let error = await #expect(throws: FetchError.self) { try await waiting.value }
        #expect(error?.kind == "busy")
        #expect(origin.connections == 1)
        first.cancel()
        #expect(try await first.value == .cancelled)
    }

    @Test func `a fetch that cannot get a slot in time is rejected at once`() async throws {
        let requests = AsyncStream<Void>.makeStream()
        let clock = ManualClock()
        let origin = try OriginServer { connection in
            guard let request = connection.readRequest() else { return }
            if request.hasPrefix("GET /slow ") {
                clock.advance(by: .milliseconds(400))
                connection.write(response("200 OK", body: "bytes"))
            } else {
                requests.continuation.yield()
                connection.waitForClose()
            }
        }
        let fetcher = ImageFetcher.local(time: clock.queueTime) {
            $0.slots = 1
            $0.waitingLimit = 1000
            $0.timeout = .seconds(600)
        }
        _ = try await fetcher.fetch(origin.url("/slow"))
        let url = origin.url()
        let running = Task { try await fetcher.failure(url) }
        for await _ in requests.stream { break }
        // At the speed of the first fetch, 150 fetches would take less than a minute.
        let deadline = clock.now + .seconds(60)
        let refusals = AsyncStream<Void>.makeStream()
        let waiting = (0..<300).map { _ in
            Task {
                do {
                    _ = try await fetcher.fetch(SourceURL(url), by: deadline)
                } catch FetchError.busy {
                    refusals.continuation.yield()
                } catch {}
            }
        }
        for await _ in refusals.stream.prefix(150) {}
        #expect(await eventually { fetcher.load == (1, 150) })
        for task in waiting { task.cancel() }
        for task in waiting { await task.value }
        running.cancel()
        #expect(try await running.value == .cancelled)
        #expect(origin.connections == 2)
    }

    @Test func `a slot stays usable after cancellations and failures`() async throws {
        let origin = try OriginServer { connection in
            guard let request = connection.readRequest() else { return }
            if request.hasPrefix("GET /slow ") {
                connection.waitForClose()
            } else {
                connection.write(response("200 OK", body: "bytes"))
            }
        }
        let fetcher = ImageFetcher.local { $0.slots = 1 }
        let slow = origin.url("/slow")
        for _ in 0..<50 {
            let task = Task { try await fetcher.failure(slow) }
            await Task.yield()
            task.cancel()
            #expect(try await task.value == .cancelled)
            #expect(try await fetcher.fetch(origin.url()).bytes.count == 5)
        }
    }
}
