import Requests

/// The state of every key of this run and of earlier ones; it needs about 60 bytes of memory for each key.
struct RunIndex {
    /// The error type of a row with the key of another row.
    static let duplicateKey = "duplicate-key"

    enum Decision {
        case work(BatchJob)
        case fail(RowError)
        /// An earlier run has finished the row.
        case skip
    }

    /// The state of a key or a row: its state from an earlier run, or the input and the number of the row that this run
    /// read.
    struct State: Equatable {
        /// The journal contains its result.
        static let done = State(input: -1, number: 0)
        /// The journal contains its error.
        static let failed = State(input: -2, number: 0)

        let input: Int32
        let number: Int32

        var isRead: Bool { input >= 0 }
    }

    var states: [RowIdentity: State] = [:]
    private var places = RecentPlaces()

    /// Decides whether to process a row, and records it; `name` returns the name of an earlier row in this run, for
    /// messages.
    mutating func decide(
        _ row: InputRow,
        retriesFailed: Bool,
        name: (_ input: Int, _ number: Int) -> String
    ) -> Decision {
        func once(_ identity: RowIdentity, _ decision: Decision) -> Decision {
            let read = State(input: Int32(clamping: row.input), number: Int32(clamping: row.number))
            let before = states.updateValue(read, forKey: identity)
            return before == nil || before == .failed && retriesFailed ? decision : .skip
        }
        let job: BatchJob
        switch row.job {
        case .success(let found): job = found
        case .failure(let error): return once(RowIdentity(row: row.place), .fail(error))
        }
        let identity = RowIdentity(key: job.key)
        if let other = states[identity], other.isRead {
            let place = places[identity] ?? name(Int(other.input), Int(other.number))
            // A key with the file's extension already comes from --keys path.
            let slash = UInt8(ascii: "/")
            let names = [job.source.text, job.key].map { Array($0.utf8.split(separator: slash).last ?? "".utf8[...]) }
            let advice =
                names[0] == names[1]
                ? "name each file once, or use a list with a column key."
                : "use --keys path to keep folders and extensions in keys, or add a column key to the list."
            let text =
                "The key \(ParameterError.shortened(job.key)) of \(Self.name(row, job)) is already used by \(place): "
                + advice
            return once(RowIdentity(row: row.place), .fail(RowError(Self.duplicateKey, detail: text)))
        }
        if let problem = RelativePath.problem(job.key) {
            let text = "The key \(ParameterError.shortened(job.key)) is not valid: \(problem)."
            return once(identity, .fail(RowError("invalid-key", detail: text)))
        }
        places[identity] = Self.name(row, job)
        return once(identity, .work(job))
    }

    /// The file or URL of a row, with its place in a list.
    private static func name(_ row: InputRow, _ job: BatchJob) -> String {
        row.place == job.source.text ? row.place : "\(job.source.text) (\(row.place))"
    }
}

/// The names of the most recently read rows, for messages: between 32,768 and 65,536 rows.
private struct RecentPlaces {
    private static let maximum = 32_768

    private var newer: [RowIdentity: String] = [:]
    private var older: [RowIdentity: String] = [:]

    subscript(identity: RowIdentity) -> String? {
        get { newer[identity] ?? older[identity] }
        set {
            if newer.count >= Self.maximum { (older, newer) = (newer, [:]) }
            newer[identity] = newValue
        }
    }
}
