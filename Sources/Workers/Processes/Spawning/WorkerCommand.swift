/// How a worker process is started.
package struct WorkerCommand: Sendable {
    /// The program; the kernel's name for the one that is running now stays right when its file is replaced.
    package var program: String
    /// What it is called with, without the program's name.
    package var arguments: [String]

    /// This program, or another one, with the given arguments.
    package init(program: String = "/proc/self/exe", arguments: [String]) {
        self.program = program
        self.arguments = arguments
    }
}
