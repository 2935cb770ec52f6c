/// Receives the body of a response while it arrives, on the thread of the transfer.
package struct BodySink: Sendable {
    /// The longest time without a byte; rounded up to seconds.
    package let idleTime: Duration
    /// Receives the next bytes; false ends the transfer.
    package let receive: @Sendable (UnsafeRawBufferPointer) -> Bool

    package init(idleTime: Duration, receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool) {
        self.idleTime = idleTime
        self.receive = receive
    }
}
