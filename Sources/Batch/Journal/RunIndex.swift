/// What is known of every key, in some 60 bytes each.
struct RunIndex {
    /// The type of the error of a row whose key another row has.
    static let duplicateKey = "duplicate-key"

    /// The state of a key, a row or a path.
    enum State: Equatable {
        /// The journal has its result.
        case done
        /// The journal has its error.
        case failed
        /// This run has met it, at a row of an input.
        case met(input: Int, number: Int)
    }

    // A number of an input, or -1 for done, -2 for failed.
    private var entries: [RowIdentity: (input: Int32, number: Int32)] = [:]

    subscript(identity: RowIdentity) -> State? {
        get {
            entries[identity].map { entry -> State in
                switch entry.input {
                case -1: .done
                case -2: .failed
                default: .met(input: Int(entry.input), number: Int(entry.number))
                }
            }
        }
        set {
            switch newValue {
            case .done: entries[identity] = (input: -1, number: 0)
            case .failed: entries[identity] = (input: -2, number: 0)
            case .met(let input, let number):
                entries[identity] = (input: Int32(clamping: input), number: Int32(clamping: number))
            case nil: entries[identity] = nil
            }
        }
    }
}
