/// Receives the body of a response while it arrives, on the thread of the transfer.
package struct BodySink: Sendable {
    /// The maximum time without received bytes, rounded up to seconds.
    package let idleTime: Duration
    /// Receives the next bytes; returns false to end the transfer.
    package let receive: @Sendable (UnsafeRawBufferPointer) -> Bool

    /// Creates a receiver of one body.
    ///
    /// - Parameters:
    ///   - idleTime: The maximum time without received bytes, rounded up to seconds.
    ///   - receive: Receives the next bytes on the thread of the transfer. The bytes are valid only during the call.
    ///     Returns false to end the transfer.
    package init(idleTime: Duration, receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool) {
        self.idleTime = idleTime
        self.receive = receive
    }
}
