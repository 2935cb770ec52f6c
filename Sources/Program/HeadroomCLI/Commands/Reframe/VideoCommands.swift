import ArgumentParser

/// The commands that need the target `Video`, and an example of them; empty in a build without this target.
enum VideoCommands {
    #if Video
    static let all: [any ParsableCommand.Type] = [ReframeCommand.self]
    static let examples = ["headroom reframe talk.mp4 --aspect 9:16 --output tall.mp4"]
    #else
    static let all: [any ParsableCommand.Type] = []
    static let examples: [String] = []
    #endif
}
