import Foundation
import HeadroomAPI
import HeadroomCLI
import Imaging
import Requests
import TestPacing
import TestPrograms
import Testing

/// Compares the settings that a reload replaces with the declared and documented ones.
@Suite(.limitedConcurrency)
struct ReloadableSettingsTests {
    /// A change of one setting.
    private struct Change {
        let before: String?
        let after: String
        /// Settings that the changed setting requires, before and after.
        let beside: [String: String]
        /// Settings that change together with it; empty values are not set.
        let with: [String: String]

        init(
            _ after: String,
            from before: String? = nil,
            beside: [String: String] = [:],
            with: [String: String] = [:]
        ) {
            self.before = before
            self.after = after
            self.beside = beside
            self.with = with
        }

        /// The settings before and after the change.
        func settings(of name: String) throws -> (old: ServeSettings, new: ServeSettings) {
            var old = beside
            if let before { old[name] = before }
            let new = old.merging(with) { $1 }.merging([name: after]) { $1 }
            func read(_ values: [String: String]) throws -> ServeSettings {
                let pairs = values.map { name, value in
                    let isCredential = name.hasPrefix("AWS_") || name.hasPrefix("AZURE_")
                    return (isCredential ? name : "HEADROOM_\(name.uppercased().replacing("-", with: "_"))", value)
                }
                return try ServeSettings(environment: Dictionary(uniqueKeysWithValues: pairs))
            }
            return (try read(old), try read(new))
        }
    }

    private static let secrets = ["a", "b"].map { String(repeating: $0, count: 32) }

    /// A change of every setting; certificates are in a separate folder.
    private static func changes(_ folder: Folder, _ certificates: TestCertificates) throws -> [String: Change] {
        func file(_ name: String, _ text: String) throws -> String {
            try folder.write(Array(text.utf8), to: name)
            return folder.url.appending(path: name).path
        }
        let secretFile = try file("secret", secrets[0])
        let encryptionKey = String(repeating: "a1", count: 32)
        let encryptionFile = try file("encryption", encryptionKey)
        let two = secrets.joined(separator: ",")
        let twoFile = try file("two-secrets", secrets.joined(separator: "\n"))
        let tokenFile = try file("tokens", "own=\(secrets[0])")
        let profile = "aws_access_key_id = AKID\naws_secret_access_key = "
        let profiles = try file("one", "[default]\n\(profile)first\n[other]\n\(profile)second\n")
        let otherProfiles = try file("two", "[default]\n\(profile)third\n")
        let presets = try file("presets", "avatar:\n  width: 4\n")
        let tenants = try file("tenants", "shop:\n  bearer-secrets: \(secrets[0])\n")
        let defaults = try file("defaults", "all:\n  quality: 70\n")
        let headers = try file("headers", "X-Robots-Tag: noindex\n")
        let fields = try file("fields", "[example.com]\nReferer: https://example.com/\n")
        try folder.write(try Image.encoded(), to: "picture")
        let sticker = try file("overlays/bar/overlay.json", #"{"anchor": "eyes", "width": 2, "unit": "eyes"}"#)
        try folder.write(try Image.encoded(as: .png), to: "overlays/bar/1.png")
        let overlays = URL(filePath: sticker).deletingLastPathComponent().deletingLastPathComponent().path
        let image = folder.url.appending(path: "picture").path
        let keys = ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "secret", "s3-buckets": "photos"]
        func accountFile(_ name: String, _ id: String) throws -> String {
            let key = String(decoding: try Data(contentsOf: URL(filePath: certificates.keyPath("rsa"))), as: UTF8.self)
            let values = [
                "client_email": "a@example.iam.gserviceaccount.com", "private_key_id": id, "private_key": key,
                "token_uri": "https://oauth2.googleapis.com/token",
            ]
            return try file(name, String(decoding: try JSONEncoder().encode(values), as: UTF8.self))
        }
        let (account, otherAccount) = (try accountFile("account", "1"), try accountFile("other-account", "2"))
        let google = ["gs-buckets": "photos", "gs-credentials-file": account]
        let azure = [
            "AZURE_STORAGE_KEY": "AAAA", "azure-containers": "photos", "azure-account": "company",
        ]
        let identity = [
            "fetch-client-certificate": certificates.path("one"), "fetch-client-key": certificates.keyPath("one"),
            "fetch-client-hosts": "example.com",
        ]
        let redis = ["redis": "rediss+sentinel://127.0.0.1:1/main"]
        let identityOfRedis = [
            "redis-client-certificate": certificates.path("one"), "redis-client-key": certificates.keyPath("one"),
        ].merging(redis) { own, _ in own }
        func urlFormat(_ name: String) -> [String: String] { ["url-formats": name] }
        let imgproxy = urlFormat("imgproxy").merging(["imgproxy-key": secrets[0], "imgproxy-salt": secrets[0]]) { $1 }
        let imgix = urlFormat("imgix").merging(["imgix-sources": "own=https://example.com/"]) { $1 }
        var changes: [String: Change] = [
            "host": .init("0.0.0.0"), "port": .init("9000"), "unix-socket": .init("/tmp/headroom.sock"),
            "path-prefix": .init("/img"), "workers": .init("3"), "queue": .init("7"), "queue-timeout": .init("7"),
            "unready-when-full": .init("true"), "max-memory": .init("300"), "max-body-bytes": .init("1000"),
            "max-upload-memory": .init("300"), "max-unsent-memory": .init("300"), "max-source-bytes": .init("1000"),
            "max-source-memory": .init("300"), "max-pixels": .init("1000"), "max-frames": .init("7"),
            "max-animation-pixels": .init("1000"), "avif-max-pixels": .init("7"), "max-connections": .init("77"),
            "max-connections-per-address": .init("7"), "trusted-proxies": .init("unix"), "header-timeout": .init("7.5"),
            "body-timeout": .init("7.5"), "write-timeout": .init("7.5"), "idle-timeout": .init("7.5"),
            "drain-timeout": .init("7.5"), "allow-private-sources": .init("true"), "allow-hosts": .init("example.com"),
            "deny-hosts": .init("example.com"), "source-encryption-keys": .init(encryptionKey),
            "source-encryption-keys-file": .init(encryptionFile),
            "imgproxy-encryption-key": .init(encryptionKey, beside: imgproxy),
            "imgproxy-encryption-key-file": .init(encryptionFile, beside: imgproxy),
            "source-rewrites": .init("photos://=https://example.com/photos/"),
            "signing-keys": .init(secrets[0]), "bearer-secrets": .init(secrets[0]),
            "signing-keys-file": .init(secretFile), "bearer-secrets-file": .init(secretFile),
            "tenants-file": .init(tenants),
            "cors-origins": .init("*"), "cors-headers": .init("none"), "public-url": .init("https://img.example.com"),
            "cors-credentials": .init("true", beside: ["cors-origins": "https://page.example"]),
            "purge-secrets": .init(secrets[0]), "purge-secrets-file": .init(secretFile),
            "cache-control": .init("origin"), "cache-control-crops": .init("max-age=7"),
            "cache-control-versioned": .init("max-age=7, immutable"), "cache-control-fallbacks": .init("no-store"),
            "cache-control-missing": .init("max-age=7"), "cache-control-errors": .init("max-age=7"),
            "default-parameters": .init(defaults), "ignored-parameters": .init("utm_*,fbclid"),
            "cache-tag-headers": .init("Surrogate-Key"), "response-headers-file": .init(headers),
            "cache-sources": .init("7"),
            "cache-detections": .init("7"), "cache-results": .init("7"), "redis": .init("redis://127.0.0.1:1"),
            "result-store": .init(folder.url.path), "result-store-size": .init("77"), "result-store-days": .init("7"),
            "result-store-timeout": .init("0.5"), "redis-password-file": .init(secretFile, beside: redis),
            "redis-sentinel-password-file": .init(secretFile, beside: redis),
            "redis-ca-file": .init(certificates.path("ca"), beside: redis),
            "redis-client-certificate": .init(
                certificates.path("two"),
                beside: identityOfRedis,
                with: ["redis-client-key": certificates.keyPath("two")]
            ),
            "redis-client-key": .init(
                certificates.keyPath("two"),
                beside: identityOfRedis,
                with: ["redis-client-certificate": certificates.path("two")]
            ), "redis-timeout": .init("0.5"),
            "connect-timeout": .init("7.5"), "fetch-timeout": .init("7.5"), "max-redirects": .init("7"),
            "fetch-slots": .init("7"), "fetch-queue": .init("7"), "fetch-slots-per-host": .init("7"),
            "fetch-slots-per-client": .init("7"), "fetch-proxy": .init("http://proxy.example:3128"),
            "fetch-no-proxy": .init("example.com"), "fetch-ca-file": .init(certificates.path("ca")),
            "fetch-client-certificate": .init(
                certificates.path("two"),
                beside: identity,
                with: ["fetch-client-key": certificates.keyPath("two")]
            ),
            "fetch-client-key": .init(
                certificates.keyPath("two"),
                beside: identity,
                with: ["fetch-client-certificate": certificates.path("two")]
            ), "fetch-client-hosts": .init("example.org", beside: identity),
            "fetch-headers-file": .init(fields), "fetch-user-agent": .init("Test/1"),
            "local-root": .init(folder.url.path), "s3-buckets": .init("other", from: "photos", beside: keys),
            "s3-endpoint": .init("http://minio:9000", beside: keys), "s3-region": .init("eu-central-1", beside: keys),
            "s3-path-style": .init("on", beside: keys),
            "s3-credentials-file": .init(otherProfiles, from: profiles, beside: ["s3-buckets": "photos"]),
            "s3-profile": .init("other", beside: ["s3-buckets": "photos", "s3-credentials-file": profiles]),
            "s3-instance-role": .init(
                "true",
                beside: ["s3-buckets": "photos", "s3-credentials-file": profiles],
                with: ["s3-credentials-file": ""]
            ), "gs-buckets": .init("other", from: "photos", beside: google),
            "gs-credentials-file": .init(otherAccount, from: account, beside: ["gs-buckets": "photos"]),
            "gs-endpoint": .init("http://gcs:4443", beside: google),
            "azure-containers": .init("other", from: "photos", beside: azure),
            "azure-account": .init("other", from: "company", beside: azure),
            "azure-endpoint": .init("http://azurite:10000/company", beside: azure),
            "base-url": .init("https://example.com/"), "detector": .init("hog"), "isolation": .init("thread"),
            "damaged": .init("refuse"), "job-timeout": .init("7"), "converter-confinement": .init("partial"),
            "log-level": .init("debug"),
            "log-format": .init("json"), "playground": .init("off"), "metrics-address": .init("127.0.0.1:9090"),
            "overlays": .init(overlays), "fallback-image": .init(image), "fallback-image-status": .init("404"),
            "presets": .init(presets),
            "only-presets": .init("true", beside: ["presets": presets]), "url-formats": .init("thumbor"),
            "max-streams": .init("7"), "max-streams-per-address": .init("2"), "max-streams-per-key": .init("2"),
            "min-stream-rate": .init("7"), "max-stream-time": .init("7"), "max-stream-bytes": .init("7000000"),
            "stream-idle-timeout": .init("7"), "thumbor-key": .init(secrets[0], beside: urlFormat("thumbor")),
            "thumbor-key-file": .init(secretFile, beside: urlFormat("thumbor")),
            "imgproxy-key": .init(two, beside: imgproxy, with: ["imgproxy-salt": two]),
            "imgproxy-salt": .init(two, beside: imgproxy, with: ["imgproxy-key": two]),
            "imgproxy-presets": .init("small=rs:fit:300:300", beside: urlFormat("imgproxy")),
            "imgproxy-key-file": .init(
                twoFile,
                beside: imgproxy,
                with: ["imgproxy-key": "", "imgproxy-salt": two]
            ),
            "imgproxy-salt-file": .init(
                twoFile,
                beside: imgproxy,
                with: ["imgproxy-salt": "", "imgproxy-key": two]
            ), "imgix-token": .init("own=\(secrets[0])", beside: imgix),
            "imgix-token-file": .init(tokenFile, beside: imgix),
            "imgix-sources": .init("own=https://example.com/", beside: urlFormat("imgix")),
            "cloudinary-secret": .init(secrets[0], beside: urlFormat("cloudinary")),
            "cloudinary-secret-file": .init(secretFile, beside: urlFormat("cloudinary")),
        ]
        for name in try ServeSettings(environment: [:]).names.map(\.name) where name.hasSuffix("-origin") {
            let service = String(name.dropLast("-origin".count))
            changes[name] = Change("https://example.com/a", beside: urlFormat(service))
        }
        return changes
    }

    @Test(.enabled(if: TestCertificates.isInstalled, Comment(rawValue: TestCertificates.advice)))
    func `a reload applies exactly the settings that are declared as reloadable`() async throws {
        let folder = try Folder()
        let certificates = try await TestCertificates()
        for name in ["one", "two"] { try await certificates.make(name) }
        try await certificates.makeRSAKey("rsa")
        let changes = try Self.changes(folder, certificates)
        #expect(Set(changes.keys) == Set(try ServeSettings(environment: [:]).names.map(\.name)))
        for (name, change) in changes.sorted(by: { $0.key < $1.key }) {
            let (old, new) = try change.settings(of: name)
            let (reloadable, others) = new.changes(after: old)
            let isReloaded = !Self.areEqual(new.service.reloadable, old.service.reloadable)
            #expect((reloadable + others).contains(name), "no change of \(name) was reported")
            #expect(reloadable.contains(name) == isReloaded, "\(name)")
        }
    }

    @Test func `docs/configuration.md lists the settings that a reload applies`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let page = try String(contentsOf: root.appending(path: "docs/configuration.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasSuffix("| take effect at once |") }
        let listed = rows.flatMap { $0.matches(of: /`([a-z0-9-]+)`/).map { String($0.1) } }
        let reloadable = try ServeSettings(environment: [:]).names.filter(\.isReloadable).map(\.name)
        #expect(Set(listed) == Set(reloadable))
        #expect(Set(listed).count == listed.count)
    }

    /// Whether two values have the same settings.
    ///
    /// Secrets are compared only by their number.
    private static func areEqual(_ one: ReloadableSettings, _ other: ReloadableSettings) -> Bool {
        one.fetchRules == other.fetchRules && one.overlays.digest == other.overlays.digest && text(one) == text(other)
    }

    /// The settings as text, without long settings, which are compared directly.
    private static func text(_ settings: ReloadableSettings) -> String {
        var text = ""
        for (name, value) in Mirror(reflecting: settings).children where !["fetchRules", "overlays"].contains(name) {
            dump(value, to: &text, name: name)
        }
        return text
    }
}
