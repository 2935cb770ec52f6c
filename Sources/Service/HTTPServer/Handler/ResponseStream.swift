/// A body that is produced while it is sent.
///
/// A piece is requested when the client has received almost all previous pieces, so that a slow client gets fewer
/// pieces instead of older pieces. The connection is closed after the last piece.
package struct ResponseStream: Sendable {
    /// Returns the next piece, which is not empty; nil after the last piece.
    ///
    /// Its task is cancelled when the client disconnects.
    let next: @Sendable () async -> [UInt8]?
    /// Requests the end at shutdown, so that ``next`` soon returns the last piece, and then nil.
    let finish: @Sendable () -> Void
    /// Called once when no more pieces are requested.
    let close: @Sendable () -> Void

    /// Creates a stream of pieces.
    ///
    /// - Parameters:
    ///   - next: Returns the next piece, which is not empty; nil after the last piece. Its task is cancelled when the
    ///     client disconnects.
    ///   - finish: Requests the end at shutdown; `next` then soon returns the last piece, and nil.
    ///   - close: Called once when no more pieces are requested.
    package init(
        next: @escaping @Sendable () async -> [UInt8]?,
        finish: @escaping @Sendable () -> Void,
        close: @escaping @Sendable () -> Void
    ) {
        self.next = next
        self.finish = finish
        self.close = close
    }
}
