import CLinux

/// The arguments of the program.
enum ProgramArguments {
    /// All arguments, beginning with the program's name.
    ///
    /// Swift's `CommandLine` reads /proc, and is empty if that is not mounted.
    static let all: [String] = {
        var count: Int32 = 0
        let values = hr_arguments(&count)
        let passed = (0..<Int(count)).compactMap { index in values[index].map { String(cString: $0) } }
        // C libraries other than glibc do not pass them.
        return passed.isEmpty ? CommandLine.arguments : passed
    }()
}
