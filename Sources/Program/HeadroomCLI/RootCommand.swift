import ArgumentParser
import CLinux
import Dispatch
import Encodings
import Glibc
import Requests
import SystemLimits

/// The command line: `headroom serve`, `headroom frame`, `headroom batch`, `headroom work`, `headroom faces`,
/// `headroom reframe`, `headroom check`, `headroom sign`, `headroom health`, `headroom config`, `headroom doctor`.
struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "headroom",
        abstract: "Crops images around the people in them.",
        discussion: """
            Finds the faces in an image and crops it to an aspect ratio so that the crop keeps the most heads whole.

            EXAMPLES
            \(examples.map { "  \($0)" }.joined(separator: "\n"))

            EXIT STATUS
              0 on success, 1 if a command failed, 64 if the arguments are not valid.
            """,
        version: HeadroomVersion.current,
        subcommands: [ServeCommand.self, FrameCommand.self] + BatchCommands.all
            + [FacesCommand.self] + VideoCommands.all
            + [CheckCommand.self, SignCommand.self, HealthCommand.self, ConfigCommand.self, DoctorCommand.self]
    )

    private static let examples =
        [
            "headroom serve --port 8080",
            "headroom frame team.jpg --aspect 16:9 --output wide.jpg",
            "headroom frame photos/ --aspect 1:1 --width 400 --output avatars/",
            "curl -s https://example.com/a.jpg | headroom frame - --aspect 4:5 > a-4x5.jpg",
        ] + BatchCommands.examples + ["headroom faces team.jpg --json"] + VideoCommands.examples + [
            "headroom check photos/ --aspect 16:9,1:1 --output sheet.html",
            "headroom sign /frame url=https://example.com/a.jpg aspect=1:1",
            "headroom doctor",
        ]

    /// The arguments, with `-V` for `--version`.
    ///
    /// - Throws: A ``CommandFailure`` with a suggestion if the first argument is not a command.
    private static func arguments(_ given: [String]) throws(CommandFailure) -> [String] {
        guard let first = given.first else { return given }
        if first == "-V" { return ["--version"] + given.dropFirst() }
        let commands = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
        guard !first.hasPrefix("-"), !commands.contains(first) else { return given }
        let shortened = ParameterError.shortened(first)
        if PathParts.exists(first) {
            throw .usage(
                "\(shortened) is a file, not a command; to crop it: headroom frame \(ShellWord.quoted(first)) …"
            )
        }
        let advice = UnknownArgument.command(similarTo: first, among: commands).map { "did you mean headroom \($0)?" }
        throw .usage("unknown command \(shortened): \(advice ?? "headroom --help lists them")")
    }

    // Replaces the library's function, which has a single exit code for errors and prefixes only the first line.
    static func main() async {
        do {
            var command = try parseAsRoot(try arguments(Array(ProgramArguments.all.dropFirst())))
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let failure as CommandFailure {
            for reason in failure.reasons { StandardStream.error.writeLine("Error: \(reason)") }
            leave(failure.exitCode)
        } catch {
            let code = exitCode(for: error)
            let word = ProgramArguments.all.dropFirst().first
            let command = configuration.subcommands.first { $0.configuration.commandName == word }
            let message = UnknownArgument.message(fullMessage(for: error), of: command)
            let stream = code == .success ? StandardStream.output : .error
            // Help and usage have several lines.
            if !message.isEmpty {
                for line in message.split(separator: "\n", omittingEmptySubsequences: false) {
                    stream.writeLine(String(line))
                }
            }
            leave(code)
        }
    }

    /// Ends the program while threads may still work on abandoned tasks.
    ///
    /// exit(3) would destroy the state of libraries, such as OpenSSL's, which these threads use.
    private static func leave(_ code: ExitCode) -> Never {
        fflush(nil)
        _exit(code.rawValue)
    }
}

@_exported public import FaceDetection
import Glibc
@_exported public import Geometry

/// The command-line program with `headroom serve`, `headroom frame` and the other commands.
///
/// The `headroom` executable only calls it. Write another executable to add detectors:
///
/// ```swift
/// import HeadroomCLI
///
/// @main
/// enum Program {
///     static func main() {
///         HeadroomCommand.main(detectors: [FaceDetectorModel(name: "bright-spot") { BrightSpot() }])
///     }
/// }
/// ```
public enum HeadroomCommand {
    /// Runs the command in the program's arguments, and exits with its status.
    ///
    /// It must be the first call of the program, from a `main()` that is not `async`: worker processes are the same
    /// program, started with other arguments, and must start with one thread and without open files.
    ///
    /// - Parameter detectors: Choices of `--detector` in addition to the built-in detectors; the first is the default.
    ///   Names must be unique, not empty, without `=`, and different from the built-in names. Otherwise the program
    ///   exits with status 1.
    public static func main(detectors: [FaceDetectorModel] = []) -> Never {
        // Otherwise log lines would be written to a socket or file that has got the number of standard error.
        hr_fill_standard_descriptors()
        if let problem = AddedDetectors.add(detectors) {
            StandardStream.error.writeLine("Error: \(problem)")
            exit(EXIT_FAILURE)
        }
        WorkerEntry.runIfWorker()
        if let obstacle = ProcFilesystem.obstacle() {
            StandardStream.error.writeLine("Error: \(obstacle)")
            exit(EXIT_FAILURE)
        }
        if WorkerEntry.isService { Supervisor.start() }
        WorkerEntry.startEarly()
        Task {
            await RootCommand.main()
            exit(EXIT_SUCCESS)
        }
        dispatchMain()
    }
}
