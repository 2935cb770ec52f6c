/// The command that starts a worker process.
package struct WorkerCommand: Equatable, Sendable {
    /// The path of the program; the default, `/proc/self/exe`, stays valid when the program's file is replaced.
    package var program: String
    /// The arguments, without the program's name.
    package var arguments: [String]

    /// Creates a command for this program, or another program, with the given arguments.
    package init(program: String = "/proc/self/exe", arguments: [String]) {
        self.program = program
        self.arguments = arguments
    }
}
