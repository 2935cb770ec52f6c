/// The connections of one event loop that are waiting for a request, ordered by the start of their wait.
///
/// They form a doubly linked list, so that adding and removing take constant time. All calls are made on the loop's
/// queue.
struct IdleConnections {
    /// The position of a connection in the list.
    struct Place {
        fileprivate var previous: Connection?
        fileprivate var next: Connection?
        fileprivate var isTaken = false
        /// The start of the wait.
        fileprivate(set) var start: ContinuousClock.Instant?
    }

    /// The connection that has waited longest.
    private(set) var first: Connection?
    private var last: Connection?

    /// Adds a connection whose wait starts at `start`.
    ///
    /// A connection that is already in the list keeps its position.
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

    /// Returns the connection that started to wait next after `connection`; nil after the last connection.
    func next(after connection: Connection) -> Connection? { connection.idlePlace.next }
}
