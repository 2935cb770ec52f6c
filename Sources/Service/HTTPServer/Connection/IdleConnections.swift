/// The connections of one event loop that wait for a request, in the order in which their wait began.
///
/// A doubly linked list through the connections, so that joining and leaving take constant time; all calls are made on
/// the loop's queue.
struct IdleConnections {
    /// The place of a connection in the list.
    struct Place {
        fileprivate var previous: Connection?
        fileprivate var next: Connection?
        fileprivate var isTaken = false
        /// When the wait began.
        fileprivate(set) var start: ContinuousClock.Instant?
    }

    /// The connection that has waited longest.
    private(set) var first: Connection?
    private var last: Connection?

    /// Adds a connection whose wait begins at `start`; one that is in the list keeps its place.
    mutating func add(_ connection: Connection, at start: ContinuousClock.Instant) {
        guard !connection.idlePlace.isTaken else { return }
        connection.idlePlace = Place(previous: last, next: nil, isTaken: true, start: start)
        if let last { last.idlePlace.next = connection } else { first = connection }
        last = connection
    }

    /// Removes a connection, if it is in the list.
    mutating func remove(_ connection: Connection) {
        let place = connection.idlePlace
        guard place.isTaken else { return }
        if let previous = place.previous { previous.idlePlace.next = place.next } else { first = place.next }
        if let next = place.next { next.idlePlace.previous = place.previous } else { last = place.previous }
        connection.idlePlace = Place()
    }

    /// The connection whose wait began next after that of `connection`; nil for the last.
    func next(after connection: Connection) -> Connection? { connection.idlePlace.next }
}
