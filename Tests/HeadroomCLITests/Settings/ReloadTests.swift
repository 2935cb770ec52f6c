import Foundation
import Synchronization
import TestHTTP
import TestPacing
import TestPrograms
import Testing

@Suite("SIGHUP", .limitedConcurrency)
struct ReloadTests {
    private static let old = "old-old-old-old-old-old-old-old-old"
    private static let new = "new-new-new-new-new-new-new-new-new"

    /// The status of a request for one crop with a bearer secret.
    private func status(_ secret: String, _ image: [UInt8], port: UInt16) async throws -> Int {
        let client = try TestClient(port: port)
        let headers = [("Authorization", "Bearer \(secret)"), ("Connection", "close")]
        try await client.send("POST", "/frame?aspect=1:1&accuracy=low", headers: headers, body: image)
        return try await client.reply().status
    }

    @Test func `a secret is replaced during requests without a failed request`() async throws {
        let folder = try Folder()
        try folder.write(Array(Self.old.utf8), to: "secrets")
        let service = try await RunningService(["--port", "0", "--bearer-secrets-file", "secrets"], in: folder)
        let image = try Image.encoded()
        let stream = RequestStream(secret: Self.old, clients: 3)
        try await withThrowingTaskGroup { group in
            for client in 0..<3 {
                group.addTask {
                    while !stream.isOver.load(ordering: .relaxed) {
                        let secret = stream.secret.withLock(\.self)
                        let status = try await self.status(secret, image, port: service.port)
                        stream.note(client, secret: secret, status: status)
                    }
                }
            }
            defer { stream.isOver.store(true, ordering: .relaxed) }
            #expect(await stream.eachHasDone(1))
            try folder.write(Array("\(Self.old)\n\(Self.new)\n".utf8), to: "secrets")
            service.send(signal: SIGHUP)
            #expect(await service.line(containing: "changed=bearer-secrets") != nil)
            stream.use(Self.new)
            #expect(await stream.eachHasDone(2))
            try folder.write(Array(Self.new.utf8), to: "secrets")
            service.send(signal: SIGHUP)
            #expect(await service.line(containing: "changed=bearer-secrets") != nil)
            #expect(await stream.eachHasDone(6))
        }
        #expect(stream.failures.withLock(\.self) == [])
        #expect(try await status(Self.old, image, port: service.port) == 401)
        #expect(try await status(Self.new, image, port: service.port) == 200)
        withExtendedLifetime(service) {}
    }

    @Test func `pipes and devices as files are rejected and do not delay signals`() async throws {
        let folder = try Folder()
        try folder.write(Array(Self.old.utf8), to: "secrets")
        try folder.write(Array("bearer-secrets-file: secrets\n".utf8), to: "headroom.yaml")
        let service = try await RunningService(["--port", "0", "--config", "headroom.yaml"], in: folder)
        let (pipe, zero) = (folder.url.appending(path: "pipe").path, folder.url.appending(path: "zero").path)
        #expect(mkfifo(pipe, 0o600) == 0 && symlink("/dev/zero", zero) == 0)
        for name in ["pipe", "zero", "."] {
            for setting in [
                "bearer-secrets-file", "signing-keys-file", "imgix-token-file", "cloudinary-secret-file",
                "s3-credentials-file",
            ] {
                let own = setting == "bearer-secrets-file" ? "" : "bearer-secrets-file: secrets\n"
                try folder.write(Array("\(own)\(setting): \(name)\n".utf8), to: "headroom.yaml")
                service.send(signal: SIGHUP)
                let line = try #require(await service.line(containing: "settings not reloaded"))
                #expect(line.contains("\(setting)=\(name)") && line.contains("not a regular file"), "\(line)")
            }
        }
        // The settings file is also checked, and startup makes the same checks.
        unlink(folder.url.appending(path: "headroom.yaml").path)
        #expect(symlink(pipe, folder.url.appending(path: "headroom.yaml").path) == 0)
        service.send(signal: SIGHUP)
        #expect(await service.line(containing: "headroom.yaml: not a regular file") != nil)
        let run = try await Headroom.run(["serve", "--port", "0", "--config", "pipe"], in: folder)
        #expect(run.status == 64 && run.error.contains("pipe: not a regular file"), "\(run.error)")
        for detector in ["pipe", "zero"] {
            let options = ["--port", "0", "--isolation", "thread", "--detector", "pets=\(detector)"]
            let run = try await Headroom.run(["serve"] + options, in: folder)
            #expect(run.status != 0 && run.error.contains("not a regular file"), "\(run.error)")
        }
        service.send(signal: SIGTERM)
        #expect(try await service.status() == 0)
    }

    @Test func `the last key of a URL format is kept until a restart`() async throws {
        let folder = try Folder()
        try folder.write(Array("MY_SECURE_KEY".utf8), to: "key")
        try folder.write(Array("url-formats: thumbor\nthumbor-key-file: key\n".utf8), to: "headroom.yaml")
        let service = try await RunningService(["--port", "0", "--config", "headroom.yaml"], in: folder)
        try folder.write(Array("url-formats: thumbor\n".utf8), to: "headroom.yaml")
        service.send(signal: SIGHUP)
        #expect(await service.line(containing: "a reload cannot remove all keys of thumbor") != nil)
        let client = try TestClient(port: service.port)
        try await client.send("GET", "/thumbor/unsafe/h/a.jpg", headers: [("Connection", "close")])
        #expect(try await client.reply().status == 400)
        withExtendedLifetime(service) {}
    }

    @Test func `a reload cannot open the service to all clients, and metrics and headroom config report it`()
        async throws
    {
        let folder = try Folder()
        let closed =
            "allow-hosts: [example.com]\ndeny-hosts: [evil.example]\ncors-origins: https://page.example\n"
        try folder.write(Array(closed.utf8), to: "headroom.yaml")
        let service = try await RunningService(
            ["--port", "0", "--config", "headroom.yaml", "--allow-private-sources", "--log-level", "notice"],
            in: folder
        )
        func succeeded() async throws -> Bool {
            let client = try TestClient(port: service.port)
            try await client.send("GET", "/metrics", headers: [("Connection", "close")])
            let text = try await client.reply().text
            #expect(text.contains("\nheadroom_settings_reload_timestamp_seconds 1"))
            return text.contains("\nheadroom_settings_reload_success 1\n")
        }
        #expect(try await succeeded())
        for (text, reason) in [
            ("", "a reload cannot remove all settings from the settings file"),
            ("# allow-hosts: [example.com]\n", "a reload cannot remove all settings from the settings file"),
            ("allow-hosts:\n", "a reload cannot remove all settings from the settings file"),
            ("cors-origins: https://page.example\n", "restart to allow all hosts, including private ones"),
            ("allow-hosts: [example.com]\n", "a reload cannot remove deny-hosts; restart to deny no host, or set none"),
            ("allow-hosts:\ncors-origins: https://page.example\n", "a reload cannot remove allow-hosts"),
            ("allow-hosts: [example.com", "expected YAML"),
        ] {
            try folder.write(Array(text.utf8), to: "headroom.yaml")
            service.send(signal: SIGHUP)
            let line = try #require(await service.line(containing: "settings not reloaded"))
            #expect(line.contains(reason), "\(line)")
            #expect(try await !succeeded())
            try folder.write(Array(closed.utf8), to: "used.yaml")
            let check = try await Headroom.run(
                ["config", "--allow-private-sources", "--config", "used.yaml", "--check", "headroom.yaml"],
                in: folder
            )
            #expect(check.status != 0 && check.error.contains(reason), "\(check.error)")
        }
        let wider = "allow-hosts: [example.com, example.org]\ndeny-hosts: none\nqueue: 11\n"
        try folder.write(Array(wider.utf8), to: "headroom.yaml")
        let check = try await Headroom.run(
            ["config", "--config", "used.yaml", "--check", "headroom.yaml"],
            in: folder
        )
        #expect(check.status == 0, "\(check.error)")
        #expect(
            check.text.hasPrefix(
                """
                headroom.yaml is valid.
                SIGHUP changes: cors-origins, allow-hosts, deny-hosts
                a restart changes: queue

                """
            ) || check.text.contains("SIGHUP changes: allow-hosts, deny-hosts, cors-origins"),
            "\(check.text)"
        )
        service.send(signal: SIGHUP)
        #expect(await service.line(containing: "settings reloaded") != nil)
        #expect(try await succeeded())
        withExtendedLifetime(service) {}
    }

    @Test func `invalid settings have no effect, and no secret is printed`() async throws {
        let folder = try Folder()
        try folder.write(Array(Self.old.utf8), to: "secrets")
        try folder.write(Array("bearer-secrets-file: secrets\nlog-level: notice\n".utf8), to: "headroom.yaml")
        let service = try await RunningService(["--port", "0", "--config", "headroom.yaml"], in: folder)
        let image = try Image.encoded()
        for (secrets, settings, reason) in [
            ("tiny", "bearer-secrets-file: secrets", "number 1 has 4 characters"),
            (Self.new, "bearer-secrets-file: secrets\nqueue: many", "headroom.yaml:2: queue=many is not valid"),
            (Self.new, "bearer-secrets-file: gone", "expected a file that can be read; gone"),
            (Self.new, "log-level: notice", "a reload cannot remove all keys, secrets and tenants"),
            (Self.new, "a: [", "expected YAML"),
        ] {
            try folder.write(Array(secrets.utf8), to: "secrets")
            try folder.write(Array("\(settings)\n".utf8), to: "headroom.yaml")
            service.send(signal: SIGHUP)
            let line = try #require(await service.line(containing: "settings not reloaded"))
            #expect(line.contains(" error ") && line.contains(reason), "\(line)")
            #expect(!line.contains(secrets))
            #expect(try await status(Self.old, image, port: service.port) == 200)
            #expect(try await status(Self.new, image, port: service.port) == 401)
        }
        withExtendedLifetime(service) {}
    }

    @Test func `allowed hosts and origins are reloaded, and settings that require a restart are reported`() async throws
    {
        let folder = try Folder()
        try folder.write(Array("allow-hosts: [example.com]\nqueue: 10\n".utf8), to: "headroom.yaml")
        let service = try await RunningService(
            ["--port", "0", "--config", "headroom.yaml", "--allow-private-sources", "--log-level", "notice"],
            in: folder
        )
        /// The status of a request for an existing URL that is not an image.
        func reply() async throws -> TestClient.Reply {
            let client = try TestClient(port: service.port)
            let url = "http%3A%2F%2F127.0.0.1%3A\(service.port)%2Fopenapi.yaml"
            let headers = [("Connection", "close"), ("Origin", "https://page.example")]
            try await client.send("GET", "/frame?url=\(url)", headers: headers)
            return try await client.reply()
        }
        let before = try await reply()
        #expect(before.status == 404)
        #expect(before["Access-Control-Allow-Origin"] == nil)
        let text = "allow-hosts: ['127.0.0.1:\(service.port)']\nqueue: 11\ncors-origins: https://page.example\n"
        try folder.write(Array(text.utf8), to: "headroom.yaml")
        for changed in ["allow-hosts,cors-origins", "nothing"] {
            service.send(signal: SIGHUP)
            let warning = try #require(await service.line(containing: "a restart is needed"))
            #expect(warning.contains(" warning ") && warning.contains("setting=queue"))
            let line = try #require(await service.line(containing: "settings reloaded"))
            #expect(line.hasSuffix(" changed=\(changed)"), "\(line)")
            let after = try await reply()
            #expect(after.status == 415)
            #expect(after["Access-Control-Allow-Origin"] == "https://page.example")
        }
        withExtendedLifetime(service) {}
    }
}

/// Clients that send one request after another.
private final class RequestStream: Sendable {
    let secret: Mutex<String>
    let isOver = Atomic(false)
    let failures = Mutex<[String]>([])
    /// The number of each client's requests with the current secret.
    private let done: Mutex<[Int]>

    init(secret: String, clients: Int) {
        self.secret = Mutex(secret)
        done = Mutex(Array(repeating: 0, count: clients))
    }

    func note(_ client: Int, secret used: String, status: Int) {
        if status != 200 { failures.withLock { $0.append("\(used): \(status)") } }
        let isPresent = secret.withLock { $0 == used }
        if isPresent { done.withLock { $0[client] += 1 } }
    }

    /// Replaces the secret.
    func use(_ other: String) {
        secret.withLock { $0 = other }
        done.withLock { done in done = done.map { _ in 0 } }
    }

    /// Waits until every client has completed the given number of requests; false on timeout.
    func eachHasDone(_ count: Int) async -> Bool {
        await eventually(within: .seconds(60)) { done.withLock { $0.allSatisfy { $0 >= count } } }
    }
}
