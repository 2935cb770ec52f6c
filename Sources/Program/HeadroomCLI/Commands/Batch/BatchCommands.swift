import ArgumentParser

/// The commands that need the targets `Batch` and `JobPipe`, and an example for the help.
///
/// A build without these targets has neither.
enum BatchCommands {
    #if Batch
    static let all: [any ParsableCommand.Type] = [BatchCommand.self, WorkCommand.self]
    static let examples = ["headroom batch photos/ --aspect 1:1 --output avatars/"]
    #else
    static let all: [any ParsableCommand.Type] = []
    static let examples: [String] = []
    #endif
}
