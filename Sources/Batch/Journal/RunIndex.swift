import Requests

/// The state of every key of this run and of earlier ones; takes about 60 bytes of memory for each key.
struct RunIndex {
    /// The error type of a row with the key of another row.
    static let duplicateKey = "duplicate-key"

    /// Whether a row is processed, refused or skipped.
    enum Decision {
        case work(BatchJob)
        case fail(RowError)
        /// An earlier run has done it.
        case skip
    }

    /// The state of a key, a row or a path.
    enum State: Equatable {
        /// The journal has its result.
        case done
        /// The journal has its error.
        case failed
        /// This run has read it, at a row of an input.
        case read(input: Int, number: Int)
    }

    // `input` is the number of an input, or -1 for done, -2 for failed.
    private var entries: [RowIdentity: (input: Int32, number: Int32)] = [:]

    subscript(identity: RowIdentity) -> State? {
        get {
            entries[identity].map { entry -> State in
                switch entry.input {
                case -1: .done
                case -2: .failed
                default: .read(input: Int(entry.input), number: Int(entry.number))
                }
            }
        }
        set {
            switch newValue {
            case .done: entries[identity] = (input: -1, number: 0)
            case .failed: entries[identity] = (input: -2, number: 0)
            case .read(let input, let number):
                entries[identity] = (input: Int32(clamping: input), number: Int32(clamping: number))
            case nil: entries[identity] = nil
            }
        }
    }

    /// Decides about a row, and records it.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - retriesFailed: Whether rows that failed in an earlier run are processed again.
    ///   - name: Names an earlier row of this run in messages.
    /// - Returns: The decision.
    mutating func decide(
        _ row: InputRow,
        retriesFailed: Bool,
        name: (_ input: Int, _ number: Int) -> String
    ) -> Decision {
        let read = State.read(input: row.input, number: row.number)
        func once(_ identity: RowIdentity, _ decision: Decision) -> Decision {
            switch self[identity] {
            case .done, .read: .skip
            case .failed: retriesFailed ? decision : .skip
            case nil: decision
            }
        }
        let job: BatchJob
        switch row.job {
        case .success(let found): job = found
        case .failure(let error):
            let identity = RowIdentity(row: row.place)
            defer { self[identity] = read }
            return once(identity, .fail(error))
        }
        let identity = RowIdentity(key: job.key)
        if case .read(let input, let number) = self[identity] {
            let error = RowError(
                Self.duplicateKey,
                "The key \(ParameterError.shortened(job.key)) of \(row.place) is that of \(name(input, number)) too."
            )
            let identity = RowIdentity(row: row.place)
            defer { self[identity] = read }
            return once(identity, .fail(error))
        }
        defer { self[identity] = read }
        if let problem = RelativePath.problem(job.key) {
            let text = "The key \(ParameterError.shortened(job.key)) cannot be used: \(problem)."
            return once(identity, .fail(RowError("invalid-key", text)))
        }
        return once(identity, .work(job))
    }
}
