import ArgumentParser

/// Why a command cannot do what it was asked, in sentences for the person who called it.
struct CommandFailure: Error {
    /// One sentence for each thing that is wrong.
    let reasons: [String]
    /// What the process ends with: `EX_USAGE` (64, sysexits.h) when the call itself was wrong, else 1.
    let exitCode: ExitCode

    /// Something went wrong that another try, or another file, may not meet.
    init(_ reason: String) {
        reasons = [reason]
        exitCode = .failure
    }

    private init(usage reasons: [String]) {
        self.reasons = reasons
        exitCode = .validationFailure
    }

    /// The call itself was wrong.
    static func usage(_ reasons: String...) -> CommandFailure { CommandFailure(usage: reasons) }

    /// The call itself was wrong, in one or more ways.
    static func usage(_ reasons: [String]) -> CommandFailure { CommandFailure(usage: reasons) }
}
