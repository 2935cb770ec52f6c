/// A response body that is produced while it is sent.
///
/// The next piece is requested when the client has received almost all previous pieces. A slow client therefore gets
/// fewer pieces, not outdated pieces. The connection is closed after the last piece.
package struct ResponseStream: Sendable {
    /// Returns the next piece, which must not be empty; nil after the last piece.
    ///
    /// The task of this call is cancelled when the client disconnects.
    let next: @Sendable () async -> [UInt8]?
    /// Requests the end of the stream at shutdown.
    ///
    /// ``next`` must then soon return the last piece, and nil after it.
    let finish: @Sendable () -> Void
    /// Called once, when no more pieces will be requested.
    let close: @Sendable () -> Void

    /// Creates a stream of pieces.
    ///
    /// - Parameters:
    ///   - next: Returns the next piece, which must not be empty; nil after the last piece. The task of this call is
    ///     cancelled when the client disconnects.
    ///   - finish: Requests the end of the stream at shutdown. `next` must then soon return the last piece, and nil
    ///   after it.
    ///   - close: Called once, when no more pieces will be requested.
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
