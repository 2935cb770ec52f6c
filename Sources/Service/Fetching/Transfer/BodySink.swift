/// Receives the body of a response while it arrives, on the thread of the transfer.
package struct BodySink: Sendable {
    /// The longest time without a byte; rounded up to seconds.
    package let idleTime: Duration
    /// Receives the next bytes; false ends the transfer.
    package let receive: @Sendable (UnsafeRawBufferPointer) -> Bool

    /// A receiver of one body.
    ///
    /// - Parameters:
    ///   - idleTime: The longest time without a byte; rounded up to seconds.
    ///   - receive: Receives the next bytes, which are valid during the call only, on the thread of the transfer;
    ///     returns false to end it.
    package init(idleTime: Duration, receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool) {
        self.idleTime = idleTime
        self.receive = receive
    }
}
