/// Receives the body of a response while it arrives, on the thread of the transfer.
package struct BodySink: Sendable {
    /// The maximum time without a byte, rounded up to seconds.
    package let idleTime: Duration
    /// Receives the next bytes; returns false to end the transfer.
    package let receive: @Sendable (UnsafeRawBufferPointer) -> Bool

    /// Creates a receiver of one body.
    ///
    /// - Parameters:
    ///   - idleTime: The maximum time without a byte, rounded up to seconds.
    ///   - receive: Receives the next bytes, which are valid only during the call, on the thread of the transfer;
    ///     returns false to end the transfer.
    package init(idleTime: Duration, receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool) {
        self.idleTime = idleTime
        self.receive = receive
    }
}
