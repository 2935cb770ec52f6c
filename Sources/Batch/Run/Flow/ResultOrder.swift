/// Gives results back in the order of rows, or as they end; the number of rows that are begun is bounded.
struct ResultOrder {
    private let order: BatchConfiguration.Order
    private let window: Int
    private var rows: [Int: (row: InputRow, outcome: PictureWork.Outcome?)] = [:]
    private var ended: [Int] = []
    private var begun = 0
    private var given = 0

    init(_ order: BatchConfiguration.Order, window: Int) {
        self.order = order
        self.window = window
    }

    /// Whether another row may begin.
    var hasRoom: Bool { rows.count < window }

    /// Notes a row.
    ///
    /// - Returns: Its number.
    mutating func begin(_ row: InputRow) -> Int {
        defer { begun += 1 }
        rows[begun] = (row, nil)
        return begun
    }

    /// Notes the outcome of a row.
    mutating func end(_ number: Int, _ outcome: PictureWork.Outcome) {
        rows[number]?.outcome = outcome
        if order == .done { ended.append(number) }
    }

    /// The next row whose outcome may be written; `isEnding` says that rows without an outcome will never have one.
    mutating func next(isEnding: Bool = false) -> (InputRow, PictureWork.Outcome)? {
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

    private mutating func take(_ number: Int) -> (InputRow, PictureWork.Outcome)? {
        guard let entry = rows[number], let outcome = entry.outcome else { return nil }
        rows[number] = nil
        return (entry.row, outcome)
    }
}
