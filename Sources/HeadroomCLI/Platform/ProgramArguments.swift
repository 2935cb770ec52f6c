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

/// Words of a command that a message proposes.
enum ShellWord {
    /// Text as one word for a POSIX shell: as it is if nothing in it has a meaning there, else in single quotes.
    static func quoted(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { plain.contains($0) }
        return isPlain ? text : "'\(text.replacing("'", with: #"'\''"#))'"
    }

    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=,+@%-".utf8)
}
