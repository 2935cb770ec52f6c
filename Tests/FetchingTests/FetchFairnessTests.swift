import Admission
import Fetching
import Foundation
import Synchronization
import TestHTTP
import TestPacing
import Testing

/// The distribution of slots among hosts and clients.
@Suite(.limitedConcurrency)
struct FetchFairnessTests {
    /// A thread-safe counter.
    private final class Counter: Sendable {
        private let count = Atomic(0)

        var value: Int { count.load(ordering: .relaxed) }

        func increment() { count.add(1, ordering: .relaxed) }
    }

    /// An origin that responds only after its release, and records its clients.
    private final class HeldOrigin: Sendable {
        private let origin: OriginServer
        private let asked: Counter
        private let turn: DispatchSemaphore

        init(address: String = "127.0.0.1") throws {
            let asked = Counter()
            let turn = DispatchSemaphore(value: 0)
            origin = try OriginServer(address: address) { connection in
                guard connection.readRequest() != nil else { return }
                asked.increment()
                turn.wait()
                connection.write(response("200 OK", body: "bytes"))
            }
            (self.asked, self.turn) = (asked, turn)
        }

        deinit { release(1000) }

        var url: String { origin.url() }

        var requests: Int { asked.value }

        func release(_ count: Int = 1) { for _ in 0..<count { turn.signal() } }
    }

    private static func begin(
        _ count: Int,
        _ url: String,
        on fetcher: ImageFetcher,
        for client: Client? = nil
    ) throws
        -> [Task<FetchError?, Never>]
    {
        let url = try SourceURL(url)
        return (0..<count).map { _ in
            Task {
                do throws(FetchError) {
                    _ = try await fetcher.fetch(url, for: client)
                    return nil
                } catch {
                    return error
                }
            }
        }
    }

    private static func fetcher(_ configure: (inout FetchConfiguration) -> Void) -> ImageFetcher {
        .local {
            $0.timeout = .seconds(600)
            configure(&$0)
        }
    }

    private static func end(_ tasks: [Task<FetchError?, Never>]) async {
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.value }
    }

    @Test func `an origin without responses leaves half of the slots to others`() async throws {
        let held = try HeldOrigin()
        let other = try OriginServer(address: "127.0.0.2", answering: response("200 OK", body: "bytes"))
        let fetcher = Self.fetcher {
            $0.slots = 8
            $0.waitingLimit = 16
        }
        // Starts three times as many fetches as there are slots and waiting places.
        let slow = try Self.begin(72, held.url, on: fetcher)
        #expect(await eventually { fetcher.load == (4, 16) && held.requests == 4 })
        for _ in 0..<20 { #expect(try await fetcher.fetch(other.url()).bytes.count == 5) }
        #expect(held.requests == 4)
        await Self.end(slow)
        #expect(fetcher.load == (0, 0))
    }

    @Test func `every spelling of a host is the same host, and a different port is a different host`() async throws {
        let held = try HeldOrigin()
        let fetcher = Self.fetcher {
            $0.slots = 4
            $0.slotsPerHost = 1
        }
        let slow = try Self.begin(1, held.url, on: fetcher)
        #expect(await eventually { held.requests == 1 })
        let port = try #require(URL(string: held.url)?.port)
        let same = try Self.begin(1, "http://2130706433:\(port)/b", on: fetcher)
        #expect(await eventually { fetcher.load == (1, 1) })
        let other = try HeldOrigin()
        let others = try Self.begin(1, other.url, on: fetcher)
        #expect(await eventually { other.requests == 1 })
        await Self.end(slow + same + others)
    }

    @Test func `the next slot goes to the waiting fetch whose host has fewer slots`() async throws {
        let (busy, idle) = (try HeldOrigin(), try HeldOrigin(address: "127.0.0.2"))
        let fetcher = Self.fetcher {
            $0.slots = 2
            $0.slotsPerHost = 0
        }
        let first = try Self.begin(4, busy.url, on: fetcher)
        #expect(await eventually { busy.requests == 2 && fetcher.load == (2, 2) })
        let second = try Self.begin(1, idle.url, on: fetcher)
        #expect(await eventually { fetcher.load == (2, 3) })
        busy.release()
        #expect(await eventually { idle.requests == 1 })
        #expect(busy.requests == 2)
        await Self.end(first + second)
    }

    @Test func `the next slot goes to the waiting fetch whose client has fewer slots`() async throws {
        let held = try (0..<4).map { try HeldOrigin(address: "127.0.0.\($0 + 1)") }
        let fetcher = Self.fetcher { $0.slots = 2 }
        // One client sends requests to many hosts.
        var tasks: [Task<FetchError?, Never>] = []
        for origin in held.prefix(3) {
            tasks += try Self.begin(1, origin.url, on: fetcher, for: .network(1))
            #expect(await eventually { fetcher.load.running + fetcher.load.waiting == tasks.count })
        }
        tasks += try Self.begin(1, held[3].url, on: fetcher, for: .network(2))
        #expect(await eventually { fetcher.load == (2, 2) && held[0].requests == 1 })
        held[0].release()
        #expect(await eventually { held[3].requests == 1 })
        #expect(held[2].requests == 0)
        await Self.end(tasks)
    }

    @Test func `a full waiting list makes room for a host with fewer places`() async throws {
        let (busy, idle) = (try HeldOrigin(), try HeldOrigin(address: "127.0.0.2"))
        let fetcher = Self.fetcher {
            $0.slots = 1
            $0.waitingLimit = 3
        }
        let first = try Self.begin(4, busy.url, on: fetcher)
        #expect(await eventually { fetcher.load == (1, 3) })
        let dropped = Counter()
        for task in first {
            Task {
                if await task.value?.kind == "busy" { dropped.increment() }
            }
        }
        let second = try Self.begin(1, idle.url, on: fetcher)
        // The last fetch of the busy host is dropped, the new fetch waits, and one more fetch is rejected.
        #expect(await eventually { dropped.value == 1 && fetcher.load == (1, 3) })
        let third = try Self.begin(1, busy.url, on: fetcher)
        #expect(await third[0].value?.kind == "busy")
        busy.release(3)
        idle.release()
        #expect(await second[0].value == nil)
        var outcomes: [FetchError?] = []
        for task in first { outcomes.append(await task.value) }
        #expect(outcomes.compactMap { $0?.kind } == ["busy"])
    }

    @Test func `a client gets no more slots than its limit`() async throws {
        let held = try (0..<3).map { try HeldOrigin(address: "127.0.0.\($0 + 1)") }
        let fetcher = Self.fetcher {
            $0.slots = 4
            $0.slotsPerClient = 1
        }
        var tasks = try Self.begin(1, held[0].url, on: fetcher, for: .network(1))
        #expect(await eventually { held[0].requests == 1 })
        tasks += try Self.begin(1, held[1].url, on: fetcher, for: .network(1))
        #expect(await eventually { fetcher.load == (1, 1) })
        tasks += try Self.begin(1, held[2].url, on: fetcher, for: .network(2))
        tasks += try Self.begin(1, held[2].url, on: fetcher)
        #expect(await eventually { held[2].requests == 2 })
        #expect(held[1].requests == 0)
        held[0].release()
        #expect(await eventually { held[1].requests == 1 })
        await Self.end(tasks)
    }
}
