/// A body that is produced while it is sent.
///
/// A piece is requested when the client has received nearly all of the previous ones, so that a slow client gets fewer
/// pieces and not older ones. The connection is closed after the last piece.
package struct ResponseStream: Sendable {
    /// Returns the next piece, which is not empty; nil after the last.
    ///
    /// Its task is cancelled when the client leaves.
    let next: @Sendable () async -> [UInt8]?
    /// Requests the end at shutdown, so that ``next`` soon returns the last piece, and then nil.
    let finish: @Sendable () -> Void
    /// Called once when no piece is requested any more.
    let close: @Sendable () -> Void

    /// A stream of pieces.
    ///
    /// - Parameters:
    ///   - next: Returns the next piece, which is not empty; nil after the last. Its task is cancelled when the client
    ///     leaves.
    ///   - finish: Requests the end at shutdown; `next` then soon returns the last piece, and nil.
    ///   - close: Called once when no piece is requested any more.
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
