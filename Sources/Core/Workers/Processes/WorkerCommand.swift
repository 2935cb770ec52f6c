/// The command that starts a worker process.
package struct WorkerCommand: Equatable, Sendable {
    /// The path of the program.
    ///
    /// The default, `/proc/self/exe`, stays valid when the program's file is replaced.
    package var program: String
    /// The arguments, without the program's name.
    package var arguments: [String]

    /// Creates a command with arguments for this program or another program.
    package init(program: String = "/proc/self/exe", arguments: [String]) {
        self.program = program
        self.arguments = arguments
    }
}
