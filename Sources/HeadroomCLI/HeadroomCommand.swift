import ArgumentParser
import Dispatch
import Foundation
import HeadroomAPI

/// Where the program starts.
@main
enum Main {
    // Not `async`: that would start threads, which a worker process must not have.
    static func main() {
        WorkerEntry.runIfAsked()
        Task {
            await HeadroomCommand.main()
            exit(EXIT_SUCCESS)
        }
        dispatchMain()
    }
}

/// The command line: `headroom serve`, `headroom frame`, `headroom faces`, `headroom check`, `headroom sign`,
/// `headroom health`, `headroom config`, `headroom doctor`.
struct HeadroomCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "headroom",
        abstract: "Centres pictures on the people in them.",
        discussion: """
            Finds the faces in a picture and crops it to a shape so that as many whole heads as possible stay inside.

            EXAMPLES
              headroom serve --port 8080
              headroom frame team.jpg --aspect 16:9 --output wide.jpg
              headroom frame photos/ --aspect 1:1 --width 400 --output avatars/
              curl -s https://example.com/a.jpg | headroom frame - --aspect 4:5 > a-4x5.jpg
              headroom faces team.jpg --json
              headroom check photos/ --aspect 16:9,1:1 --output sheet.html
              headroom sign /frame url=https://example.com/a.jpg aspect=1:1
              headroom doctor

            EXIT STATUS
              0 when all went well, 1 when something failed, 64 when the call was wrong.
            """,
        version: HeadroomVersion.current,
        subcommands: [
            ServeCommand.self, FrameCommand.self, FacesCommand.self, CheckCommand.self, SignCommand.self,
            HealthCommand.self, ConfigCommand.self, DoctorCommand.self,
        ]
    )

    // In place of the library's own, which knows one exit code for errors and prefixes the first line only.
    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let failure as CommandFailure {
            for reason in failure.reasons { StandardStream.error.writeLine("Error: \(reason)") }
            exit(withError: failure.exitCode)
        } catch {
            exit(withError: error)
        }
    }
}
