/// Words of a command that a message proposes.
enum ShellWord {
    /// Text as one word for a POSIX shell: as it is if nothing in it has a meaning there, else in single quotes.
    static func quoted(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { plain.contains($0) }
        return isPlain ? text : "'\(text.replacing("'", with: #"'\''"#))'"
    }

    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=,+@%-".utf8)
}
