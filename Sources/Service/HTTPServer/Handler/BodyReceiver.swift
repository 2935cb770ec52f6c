/// Receives the body of a request while it arrives.
///
/// Its methods are called on an event loop, so they must be fast and must not wait.
package protocol BodyReceiver: AnyObject, Sendable {
    /// Receives the next bytes, after transfer decoding.
    func receive(_ bytes: [UInt8])

    /// Called once, after the last bytes or when no more bytes will arrive.
    ///
    /// - Parameter isComplete: Whether the body is complete.
    func end(isComplete: Bool)
}
