/// Tries again what may pass.
struct Retries: Sendable {
    /// Why a try failed.
    struct Failure: Error {
        var error: RowError
        /// Whether another try may succeed.
        var mayPass = false
        /// Whether only this run's own limits were in the way: such tries do not count.
        var isOwn = false
        /// Whether every other job would fail in the same way, so that the run has to stop.
        var isFatal = false
    }

    /// What became of all tries.
    struct Tried<Value: Sendable>: Sendable {
        var result: Result<Value, Failure>
        var attempts: Int
        /// Whether the run ended before the last try.
        var isAbandoned = false
    }

    let policy: RetryPolicy
    let clock: BatchClock
    let stop: StopRequest

    func run<Value>(_ body: () async throws(Failure) -> Value) async -> Tried<Value> {
        var attempts = 1
        while true {
            do throws(Failure) {
                return Tried(result: .success(try await body()), attempts: attempts)
            } catch {
                guard error.mayPass, error.isOwn || attempts <= policy.count else {
                    return Tried(result: .failure(error), attempts: attempts)
                }
                let delay = policy.delay(after: error.isOwn ? 1 : attempts)
                guard await stop.sleep(delay, clock) else {
                    return Tried(result: .failure(error), attempts: attempts, isAbandoned: true)
                }
                if !error.isOwn { attempts += 1 }
            }
        }
    }
}
