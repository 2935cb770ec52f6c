/// The limits of live streams.
package struct StreamConfiguration: Sendable {
    /// Streams at the same time; 0 turns the route off.
    package var maxStreams = 4
    /// Streams at the same time of one IPv4 address, or one IPv6 /64.
    package var maxStreamsPerAddress = 3
    /// Streams at the same time with one key or secret, if there are several.
    package var maxStreamsPerKey = 3
    /// The longest time of a stream, which then ends.
    package var maxTime = Duration.seconds(3600)
    /// The longest time without a complete frame, also before the first one.
    package var idleTime = Duration.seconds(10)
    /// The most bytes that a stream may receive.
    package var maxBytes = 8 << 30
    /// The least bytes per second that must arrive in each ``window``; 0 for none.
    package var minBytesPerSecond = 4096
    /// The time over which the rate is measured.
    package var window = Duration.seconds(30)
    /// The most bytes of one frame of the result; a larger one is not shown.
    package var maxResultBytes = 8 << 20
    /// The longest time from the arrival of a frame until work on it begins; an older frame is dropped.
    package var maxDelay = Duration.seconds(1)

    /// The most bytes of one frame of the source.
    package static let maxFrameBytes = 4 << 20
    /// The most bytes of the frames that wait for the end of their look-ahead; a frame beyond them is not shown.
    package static let maxWaitingBytes = 16 << 20

    /// The default of every limit.
    package init() {}

    /// The share of one client or key: three quarters of all streams, at least one, like the share of an address in the
    /// memory of request bodies.
    package static func share(of streams: Int) -> Int { max(1, streams * 3 / 4) }
}
