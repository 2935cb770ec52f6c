/// The limits of live streams.
package struct StreamConfiguration: Sendable {
    /// The maximum number of concurrent streams; 0 disables the route.
    package var maxStreams = 4
    /// The maximum number of concurrent streams of one IPv4 address, or of one IPv6 /64.
    package var maxStreamsPerAddress = 3
    /// The maximum number of concurrent streams with one key or secret, if there are several.
    package var maxStreamsPerKey = 3
    /// The maximum duration of a stream; a longer stream is ended.
    package var maxTime = Duration.seconds(3600)
    /// The maximum time without a complete frame, including the time before the first frame.
    package var idleTime = Duration.seconds(10)
    /// The maximum number of bytes that a stream may receive.
    package var maxBytes = 8 << 30
    /// The minimum number of bytes per second in each ``window``; 0 for none.
    package var minBytesPerSecond = 4096
    /// The time span over which the rate is measured.
    package var window = Duration.seconds(30)
    /// The maximum size of an output frame in bytes; a larger frame is not shown.
    package var maxResultBytes = 8 << 20
    /// The maximum time from the arrival of a frame until its work starts; an older frame is dropped.
    package var maxDelay = Duration.seconds(1)

    /// The maximum size of a source frame in bytes.
    package static let maxFrameBytes = 4 << 20
    /// The maximum number of bytes of all frames that wait for the end of their look-ahead; a frame that would exceed
    /// the limit is not shown.
    package static let maxWaitingBytes = 16 << 20

    /// Creates the default limits.
    package init() {}

    /// The fair share of one client or key: three quarters of all streams, but at least one.
    ///
    /// The memory for request bodies has the same fair share per address.
    package static func share(of streams: Int) -> Int { max(1, streams * 3 / 4) }
}
