import ArgumentParser

/// The commands that need the target `Video`, and an example for the help.
///
/// A build without this target has neither.
enum VideoCommands {
    #if Video
    static let all: [any ParsableCommand.Type] = [ReframeCommand.self]
    static let examples = ["headroom reframe talk.mp4 --aspect 9:16 --output tall.mp4"]
    #else
    static let all: [any ParsableCommand.Type] = []
    static let examples: [String] = []
    #endif
}
