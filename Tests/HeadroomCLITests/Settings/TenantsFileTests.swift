import Foundation
import TestHTTP
import TestPacing
import TestPrograms
import Testing

/// The tenants file, as the commands read it.
@Suite(.limitedConcurrency) struct TenantsFileTests {
    private static let secret = "0123456789abcdefghijklmnopqrstuvwxyz"
    private static let otherSecret = "zyxwvutsrqponmlkjihgfedcba9876543210"

    /// A file with every entry.
    private static let whole = """
        shop:
          signing-keys: [\(secret)]
          bearer-secrets: \(otherSecret)
          allow-hosts: [images.example, "*.cdn.example"]
          allow-buckets: pictures
          max-pixels: 20000000
          max-bytes: 10485760
          requests-per-minute: 600
          cpu-seconds-per-minute: 2.5
          cache-control-crops: max-age=60, s-maxage=3600
          cache-control-versioned: [max-age=3600, immutable]
          cache-control-fallbacks: no-store
          cache-control-missing: max-age=5
          cache-control-errors: max-age=5

        """

    private func config(_ text: String, _ options: [String] = []) async throws -> ProgramRun {
        let folder = try Folder()
        try folder.write(Array(text.utf8), to: "tenants")
        return try await Headroom.run(["config", "--tenants-file", "tenants"] + options, in: folder)
    }

    @Test func `a file with every entry is accepted, and the listing contains no keys`() async throws {
        let run = try await config(Self.whole)
        #expect(run.status == 0, "\(run.error)")
        #expect(run.text.contains("tenants-file: tenants"))
        #expect(!run.text.contains(Self.secret) && !run.text.contains(Self.otherSecret))
    }

    @Test(arguments: [
        ("", "tenants is not valid: expected at least one tenant."),
        ("# shop:\n", "tenants is not valid: expected at least one tenant."),
        ("{}\n", "tenants is not valid: expected at least one tenant."),
        ("shop\n", "tenants is not valid: expected names of tenants, each with keys and limits."),
        ("shop:\n", "tenants:1: shop is not valid: expected keys and limits."),
        ("Shop:\n  signing-keys: KEY\n", "tenants:1 is not valid: expected a name of at most 40 letters a to z"),
        ("shop: [\n", "expected YAML"),
        ("shop:\n  max-pixels: 1\n", "tenants:1: shop has no keys: expected signing-keys or bearer-secrets."),
        (
            "shop:\n  signing-keys: short\n",
            "tenants:2: signing-keys of shop is not valid: expected keys of 32 to 256 characters; number 1 has 5 characters"
        ),
        (
            "shop:\n  bearer-secrets: KEY\n  max-pixel: 1\n",
            "tenants:3: shop has an unknown entry: did you mean max-pixels?"
        ),
        (
            "shop:\n  bearer-secrets: KEY\n  max-pixels: 0\n",
            "tenants:3: max-pixels of shop is not valid: expected a whole number from 1 to 1000000000, or unlimited."
        ),
        (
            "shop:\n  bearer-secrets: KEY\n  requests-per-minute: -1\n",
            "requests-per-minute of shop is not valid: expected a whole number from 1 to 1000000, or unlimited."
        ),
        (
            "shop:\n  bearer-secrets: KEY\n  max-bytes: 99999999999999999999\n",
            "max-bytes of shop is not valid: expected a whole number from 1 to 1073741824, or unlimited."
        ),
        (
            "shop:\n  bearer-secrets: KEY\n  cpu-seconds-per-minute: 0.5\n",
            "cpu-seconds-per-minute of shop is not valid: expected a number from 1 to 100000, or unlimited."
        ),
        (
            "shop:\n  bearer-secrets: KEY\n  cpu-seconds-per-minute: 1e9\n",
            "cpu-seconds-per-minute of shop is not valid"
        ),
        (
            "shop:\n  bearer-secrets: KEY\n  allow-hosts: a.*.com\n",
            "allow-hosts of shop is not valid: expected at most 100 hosts"
        ),
        (
            "shop:\n  bearer-secrets: KEY\n  cache-control-crops: 60\n",
            "tenants:3: cache-control-crops of shop is not valid: expected no-store, or max-age"
        ),
        ("shop:\n  bearer-secrets: KEY\n  allow-hosts:\n", "allow-hosts of shop is not valid: expected a value"),
        ("shop:\n  bearer-secrets: KEY\n  allow-hosts: {a: b}\n", "allow-hosts of shop is not valid: expected a value"),
        (
            "shop:\n  bearer-secrets: KEY\nblog:\n  signing-keys: KEY\n",
            "tenants is not valid: blog uses a key or secret of shop: expected a different one."
        ),
        ("shop:\n  bearer-secrets: KEY\nshop:\n  bearer-secrets: KEY\n", "expected every setting once; shop"),
    ])
    func `an error in a file is reported without the keys`(text: String, expected: String) async throws {
        let run = try await config(text.replacing("KEY", with: Self.secret))
        #expect(run.status != 0)
        #expect(run.error.contains(expected), "\(run.error)")
        #expect(!run.error.contains(Self.secret))
    }

    @Test func `all mistakes are reported at once, and so is a missing file`() async throws {
        let run = try await config("a:\n  max-pixels: 0\n  max-bytes: x\nB:\n  max-pixels: 1\n", ["--port", "x"])
        for part in ["max-pixels of a", "max-bytes of a", "tenants:4 is not valid", "--port=x"] {
            #expect(run.error.contains(part), "\(run.error)")
        }
        let missing = try await Headroom.run(["config", "--tenants-file", "none"], in: Folder())
        #expect(missing.error.contains("--tenants-file=none is not valid: expected a file that can be read"))
    }

    @Test func `a tenant cannot have one of the service's keys`() async throws {
        let folder = try Folder()
        try folder.write(Array(Self.whole.utf8), to: "tenants")
        let run = try await Headroom.run(
            ["config", "--tenants-file", "tenants"],
            in: folder,
            environment: ["HEADROOM_SIGNING_KEYS": Self.secret]
        )
        #expect(
            run.error.contains(
                "tenants is not valid: shop uses a key or secret of the service: expected a different one."
            )
        )
    }

    @Test func `a reload applies tenants, but a missing line does not remove a limit`() async throws {
        let folder = try Folder()
        let limits = "  allow-hosts: [a.example]\n  requests-per-minute: 1\n"
        let first = "shop:\n  bearer-secrets: \(Self.secret)\n\(limits)"
        func write(_ text: String, to name: String = "tenants") throws { try folder.write(Array(text.utf8), to: name) }
        try write(first)
        try write(first, to: "used")
        let service = try await RunningService(
            ["--port", "0", "--tenants-file", "tenants", "--log-level", "notice"],
            in: folder
        )
        #expect(!service.startLines.contains { $0.contains("all clients can use this service") })
        func status(_ secret: String) async throws -> Int {
            let client = try TestClient(port: service.port)
            let headers = [("Connection", "close"), ("Authorization", "Bearer \(secret)")]
            try await client.send("GET", "/frame?url=http%3A%2F%2Fb.example%2F", headers: headers)
            return try await client.reply().status
        }
        // One of two successive requests is rejected, even if a minute has passed since the previous request.
        func isLimited() async throws -> Bool {
            for _ in 0..<3 where try await status(Self.secret) == 429 { return true }
            return false
        }
        #expect(try await status(Self.secret) == 404)
        #expect(try await isLimited())
        for (text, reason) in [
            ("", "expected at least one tenant"),
            (String(first.prefix(40)), "tenants:2"),
            (
                first.replacing("  requests-per-minute: 1\n", with: ""),
                "cannot remove requests-per-minute of the tenant shop"
            ),
            (first.replacing("  allow-hosts: [a.example]\n", with: ""), "cannot remove allow-hosts of the tenant shop"),
        ] {
            try write(text)
            service.send(signal: SIGHUP)
            let line = try #require(await service.line(containing: "settings not reloaded"))
            #expect(line.contains(reason), "\(line)")
            #expect(try await isLimited())
            let check = try await Headroom.run(
                ["config", "--tenants-file", "used", "--check-tenants", "tenants"],
                in: folder
            )
            #expect(check.status != 0 && check.error.contains(reason), "\(check.error)")
        }
        let second =
            first.replacing("minute: 1\n", with: "minute: unlimited\n")
            + "blog:\n  bearer-secrets: \(Self.otherSecret)\n  allow-hosts: none\n"
        try write(second)
        let check = try await Headroom.run(
            ["config", "--tenants-file", "used", "--check-tenants", "tenants"],
            in: folder
        )
        #expect(check.text.contains("tenants is valid.\nSIGHUP changes: tenants-file\n"), "\(check.text)\(check.error)")
        service.send(signal: SIGHUP)
        let line = try #require(await service.line(containing: "settings reloaded"))
        #expect(line.contains("changed=tenants-file"), "\(line)")
        #expect(try await status(Self.secret) == 404)
        #expect(try await status(Self.otherSecret) == 404)
        // A removed tenant has no access.
        try write(second.split(separator: "blog").first.map(String.init) ?? "")
        service.send(signal: SIGHUP)
        #expect(await service.line(containing: "settings reloaded") != nil)
        #expect(try await status(Self.otherSecret) == 401)
        withExtendedLifetime(service) {}
    }
}
