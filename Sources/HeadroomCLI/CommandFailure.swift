/// Why a command cannot do what it was asked, as one sentence for the person who called it.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
