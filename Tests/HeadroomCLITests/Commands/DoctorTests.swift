import Foundation
import TestPacing
import TestPrograms
import Testing

@Suite("headroom doctor", .limitedConcurrency)
struct DoctorTests {
    /// The settings for a small service that can respond to the doctor.
    private static let modest = ["--port", "0", "--isolation", "thread", "--workers", "1"]

    /// The verdicts, by the subjects of the checks.
    private func verdicts(_ run: ProgramRun) -> [String: String] {
        var verdicts: [String: String] = [:]
        for line in run.lines {
            guard let parts = line.prefixMatch(of: #/(ok|warn|fail) +([a-z]+( [a-z]+)?) /#) else { continue }
            verdicts[String(parts.2)] = String(parts.1)
        }
        return verdicts
    }

    @Test func `the doctor checks the settings of the service and fetches a source`() async throws {
        let service = try await RunningService(Self.modest, in: Folder())
        let url = "http://127.0.0.1:\(service.port)/openapi.yaml"
        // Modest settings, so that the checks succeed on every test machine.
        let run = try await Headroom.run(
            [
                "doctor", "--port", "0", "--workers", "1", "--max-memory", "256", "--max-connections", "10",
                "--cache-sources", "1", "--cache-detections", "2", "--cache-results", "3",
                "--allow-private-sources", url,
            ],
            in: Folder()
        )
        #expect(run.text.contains("images need up to 256, caches 6, "))
        #expect(run.status == 0, "\(run.text)")
        let verdicts = verdicts(run)
        for subject in ["workers", "formats", "memory", "processors", "clock", "address", "source"] {
            #expect(verdicts[subject] == "ok", "\(subject): \(run.text)")
        }
        #expect(run.text.contains("Detection of a drawn face works in "))
        #expect(run.text.contains("The formats jpeg, png, webp, gif"))
        #expect(run.text.contains(#/speed +Reading and writing a megapixel takes, in ms: jpeg \d+ and \d+, png /#))
        #expect(verdicts.keys.contains("processor") && verdicts.keys.contains("certificates"))
        withExtendedLifetime(service) {}
    }

    @Test func `a failed check exits with status 1 and gives advice`() async throws {
        let service = try await RunningService(Self.modest, in: Folder())
        let url = "http://127.0.0.1:\(service.port)/openapi.yaml"
        let run = try await Headroom.run(
            [
                "doctor", "--host", "203.0.113.1", "--max-memory", "1048576", "--workers", "1024",
                "--max-connections", "1000000", "--isolation", "thread", url,
            ],
            in: Folder()
        )
        #expect(run.status == 1)
        let verdicts = verdicts(run)
        for subject in ["memory", "address", "source"] {
            #expect(verdicts[subject] == "fail", "\(subject): \(run.text)")
        }
        for subject in ["workers", "processors"] { #expect(verdicts[subject] == "warn", "\(subject): \(run.text)") }
        for advice in ["Set --max-memory below ", "Choose a --host ", "--allow-private-sources", "Set --workers "] {
            #expect(run.text.contains(advice), "\(advice)")
        }
        withExtendedLifetime(service) {}
    }

    @Test func `an address in use and a missing detector are reported`() async throws {
        let service = try await RunningService(Self.modest, in: Folder())
        let run = try await Headroom.run(
            ["doctor", "--port", "\(service.port)", "--detector", "cats=cats.svm"],
            in: Folder(),
            // The service's own port, which is not a Redis server's.
            environment: ["HEADROOM_REDIS": "redis://:secret-word@127.0.0.1:\(service.port)"]
        )
        #expect(run.status == 1)
        #expect(verdicts(run)["workers"] == "fail")
        #expect(verdicts(run)["address"] == "warn")
        #expect(verdicts(run)["redis"] == "warn")
        #expect(!run.text.contains("secret-word"))
        #expect(run.text.contains("cats.svm"))
        withExtendedLifetime(service) {}
    }

    @Test func `invalid settings have the same report as from headroom serve`() async throws {
        let run = try await Headroom.run(["doctor", "--port", "x", "--queue", "y"], in: Folder())
        #expect(run.status == 64)
        #expect(run.errorLines.count == 2)
    }
}
