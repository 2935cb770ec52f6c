import ArgumentParser
import HeadroomAPI
import Workers

// The conditions on the traits Addresses, Batch and Video. Each other file with such a condition belongs to one of these
// parts as a whole: its first line is the condition.

/// The commands that need the targets `Batch` and `JobPipe`, and examples for the help.
enum BatchCommands {
    #if Batch
    static let all: [any ParsableCommand.Type] = [BatchCommand.self, WorkCommand.self]
    static let examples = ["headroom batch photos/ --aspect 1:1 --output avatars/"]
    #else
    static let all: [any ParsableCommand.Type] = []
    static let examples: [String] = []
    #endif
}

/// The commands that need the target `Video`, and examples for the help.
enum VideoCommands {
    #if Video
    static let all: [any ParsableCommand.Type] = [ReframeCommand.self]
    static let examples = ["headroom reframe talk.mp4 --aspect 9:16 --output tall.mp4"]
    #else
    static let all: [any ParsableCommand.Type] = []
    static let examples: [String] = []
    #endif
}

#if !Addresses
/// Without other services' URL formats, there are no options.
struct URLFormatOptions: ParsableArguments {}

/// Without other services' URL formats, there are no deprecated options.
struct DeprecatedURLFormatOptions: ParsableArguments {
    var values: [String: String] { [:] }
}

/// The URL formats in ``ServeSettings``.
struct NoURLFormats: Sendable {}

extension URLFormatName {
    /// This build does not support URL formats of other services.
    static let allCases: [URLFormatName] = []
}

extension ServeSettings {
    static let noURLFormats = NoURLFormats()

    var servesURLFormats: Bool { false }

    /// Does nothing, because this build does not support URL formats of other services.
    mutating func readURLFormats(_ options: ServeOptions, _ reader: inout SettingsReader) {}

    /// Nil: there is nothing to open.
    func refusalOfURLFormats(after old: ServeSettings) -> String? { nil }
}

extension ServeRows {
    /// No rows.
    static let urlFormats: [ServeSetting] = []
}
#endif

#if !Video
/// Without videos, live streams have no options.
struct StreamOptions: ParsableArguments {}

/// The limits of live streams in ``ServeSettings``.
struct NoStreams: Sendable {}

extension ServeSettings {
    static let standardStreams = NoStreams()

    var maxStreams: Int { 0 }

    /// Does nothing, because this build does not support live streams.
    mutating func readStreams(_ options: ServeOptions, _ reader: inout SettingsReader) {}
}

extension WorkerEntry {
    /// Empty, because this build does not support videos.
    static var jobs: [any WorkerJob.Type] { [] }
}

extension ServeRows {
    /// No rows.
    static let streams: [ServeSetting] = []
}
#endif
