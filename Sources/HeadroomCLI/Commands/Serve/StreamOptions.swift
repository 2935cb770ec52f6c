import ArgumentParser
import HeadroomAPI

/// The options of `headroom serve` for live streams, as text.
struct StreamOptions: ParsableArguments {
    @Option(Settings.maxStreams) var maxStreams: String?
    @Option(Settings.maxStreamsPerAddress) var maxStreamsPerAddress: String?
    @Option(Settings.maxStreamsPerKey) var maxStreamsPerKey: String?
    @Option(Settings.minStreamRate) var minStreamRate: String?
    @Option(Settings.maxStreamTime) var maxStreamTime: String?
    @Option(Settings.maxStreamBytes) var maxStreamBytes: String?
    @Option(Settings.streamIdleTimeout) var streamIdleTimeout: String?
}

extension StreamConfiguration {
    /// Reads the options; the reader collects errors.
    init(_ options: StreamOptions, _ reader: inout SettingsReader) {
        self.init()
        maxStreams = reader.value(Settings.maxStreams, options.maxStreams)
        let share = StreamConfiguration.share(of: maxStreams)
        maxStreamsPerAddress = reader.value(
            Settings.maxStreamsPerAddress,
            options.maxStreamsPerAddress,
            default: share
        )
        maxStreamsPerKey = reader.value(Settings.maxStreamsPerKey, options.maxStreamsPerKey, default: share)
        minBytesPerSecond = reader.value(Settings.minStreamRate, options.minStreamRate)
        maxTime = reader.value(Settings.maxStreamTime, options.maxStreamTime)
        maxBytes = reader.value(Settings.maxStreamBytes, options.maxStreamBytes)
        idleTime = reader.value(Settings.streamIdleTimeout, options.streamIdleTimeout)
    }
}
