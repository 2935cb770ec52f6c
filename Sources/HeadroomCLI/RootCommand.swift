import ArgumentParser
import Foundation
import Requests

/// The command line: `headroom serve`, `headroom frame`, `headroom batch`, `headroom faces`, `headroom reframe`,
/// `headroom check`, `headroom sign`, `headroom health`, `headroom config`, `headroom doctor`.
struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "headroom",
        abstract: "Crops pictures around the people in them.",
        discussion: """
            Finds the faces in a picture and crops it to an aspect ratio so that the crop keeps as many whole heads as possible.

            EXAMPLES
              headroom serve --port 8080
              headroom frame team.jpg --aspect 16:9 --output wide.jpg
              headroom frame photos/ --aspect 1:1 --width 400 --output avatars/
              curl -s https://example.com/a.jpg | headroom frame - --aspect 4:5 > a-4x5.jpg
              headroom batch photos/ --aspect 1:1 --output avatars/
              headroom faces team.jpg --json
              headroom reframe talk.y4m --aspect 9:16 --output tall.y4m
              headroom check photos/ --aspect 16:9,1:1 --output sheet.html
              headroom sign /frame url=https://example.com/a.jpg aspect=1:1
              headroom doctor

            EXIT STATUS
              0 on success, 1 if a command failed, 64 if the arguments are not valid.
            """,
        version: HeadroomVersion.current,
        subcommands: [
            ServeCommand.self, FrameCommand.self, BatchCommand.self, WorkCommand.self, FacesCommand.self,
            ReframeCommand.self, CheckCommand.self, SignCommand.self, HealthCommand.self, ConfigCommand.self,
            DoctorCommand.self,
        ]
    )

    // Replaces the library's own, which has a single exit code for errors and prefixes the first line only.
    static func main() async {
        do {
            var command = try parseAsRoot(Array(ProgramArguments.all.dropFirst()))
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
