/// Waits until a condition is true, by default for at most two minutes, and returns whether it became true.
public func eventually(
    within limit: Duration = .seconds(120),
    _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return try await condition()
}
