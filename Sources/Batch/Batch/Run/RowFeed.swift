import Dispatch
import Synchronization

/// Reads rows on its own thread, so that a blocked input, for example a pipe, delays neither results nor a stop.
final class RowFeed: Sendable {
    enum Next {
        case row(InputRow)
        /// No row yet; ``ready()`` waits for one.
        case later
        case end
    }

    /// The number of rows read ahead.
    private static let capacity = 64

    private struct State {
        var rows: ArraySlice<InputRow> = []
        var end: Result<Void, BatchError>?
        var isClosed = false
        var waiter: CheckedContinuation<Void, Never>?
        var opened: [String] = []
    }

    private let state = Mutex(State())
    private let free = DispatchSemaphore(value: 0)

    init(_ inputs: BatchInputs) {
        for _ in 0..<Self.capacity { free.signal() }
        DispatchQueue(label: "headroom.rows").async { [self] in read(inputs) }
    }

    /// The next row, without waiting; for a single consumer.
    ///
    /// - Throws: A ``BatchError`` after the last row if the inputs cannot be read further.
    func next() throws(BatchError) -> Next {
        let (row, end) = state.withLock { ($0.rows.popFirst(), $0.end) }
        if let row {
            free.signal()
            return .row(row)
        }
        guard let end else { return .later }
        try end.get()
        return .end
    }

    /// Waits for a row, the end of the input, or ``close()``; for a single consumer.
    func ready() async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                guard state.rows.isEmpty, state.end == nil, !state.isClosed else { return true }
                state.waiter = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    /// Ends the thread after its current row, and resumes ``ready()`` immediately.
    func close() {
        change { $0.isClosed = true }
        free.signal()
    }

    /// The name of a row in messages.
    func name(input: Int, number: Int) -> String {
        BatchInputs.name(in: state.withLock(\.opened), input: input, number: number)
    }

    private func read(_ inputs: BatchInputs) {
        var inputs = inputs
        var opened = 0
        while true {
            free.wait()
            if state.withLock({ $0.isClosed }) { return }
            let next: Result<InputRow?, BatchError>
            do throws(BatchError) { next = .success(try inputs.next()) } catch { next = .failure(error) }
            let new = inputs.opened[opened...]
            opened = inputs.opened.count
            let isEnd = change { state in
                state.opened += new
                switch next {
                case .success(let row?): state.rows.append(row)
                case .success(nil): state.end = .success(())
                case .failure(let error): state.end = .failure(error)
                }
                return state.end != nil
            }
            if isEnd { return }
        }
    }

    /// Changes the state, then resumes ``ready()``.
    @discardableResult
    private func change<Value: Sendable>(_ body: (inout sending State) -> sending Value) -> Value {
        let (value, waiter) = state.withLock { state in
            let value = body(&state)
            defer { state.waiter = nil }
            return (value, state.waiter)
        }
        waiter?.resume()
        return value
    }
}

/// Returns outcomes in the order of rows or of arrival, and limits the number of started rows.
struct ResultOrder {
    private let order: BatchConfiguration.Order
    private let window: Int
    private var rows: [Int: (row: InputRow, outcome: ImageWork.Outcome?)] = [:]
    private var ended: [Int] = []
    private var begun = 0
    private var given = 0

    init(_ order: BatchConfiguration.Order, window: Int) {
        self.order = order
        self.window = window
    }

    var hasRoom: Bool { rows.count < window }

    /// Adds a started row, and returns its number.
    mutating func begin(_ row: InputRow) -> Int {
        defer { begun += 1 }
        rows[begun] = (row, nil)
        return begun
    }

    mutating func end(_ number: Int, _ outcome: ImageWork.Outcome) {
        rows[number]?.outcome = outcome
        if order == .done { ended.append(number) }
    }

    /// Removes the next row whose outcome may be written; nil if there is no outcome yet.
    ///
    /// With `isEnding`, rows without an outcome are skipped, because none will follow.
    mutating func next(isEnding: Bool = false) -> (InputRow, ImageWork.Outcome)? {
        if order == .done {
            guard !ended.isEmpty else { return nil }
            return take(ended.removeFirst())
        }
        while given < begun {
            if let found = take(given) {
                given += 1
                return found
            }
            guard isEnding else { return nil }
            given += 1
        }
        return nil
    }

    private mutating func take(_ number: Int) -> (InputRow, ImageWork.Outcome)? {
        guard let entry = rows[number], let outcome = entry.outcome else { return nil }
        rows[number] = nil
        return (entry.row, outcome)
    }
}
