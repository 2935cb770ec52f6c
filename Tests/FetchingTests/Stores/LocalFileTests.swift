import Admission
import Fetching
import Foundation
import Glibc
import TestPacing
import Testing

/// Files below a folder; the tests create the folder with every kind of entry.
@Suite(.limitedConcurrency) struct LocalFileTests {
    /// A folder for local files, next to a file that must not be read.
    private struct Place {
        let outer = NSTemporaryDirectory() + "headroom-local-\(UUID().uuidString)"
        var root: String { outer + "/root" }

        init() throws {
            try FileManager.default.createDirectory(atPath: root + "/sub", withIntermediateDirectories: true)
            try write("secret", to: "secret.txt")
            try write("picture", to: "root/a.jpg")
            try write("below", to: "root/sub/b c+é.jpg")
            try write("hidden", to: "root/.hidden")
            try write("", to: "root/empty")
            for (name, target) in [
                ("inside.jpg", "sub/../a.jpg"), ("outside.jpg", "../secret.txt"),
                ("absolute.jpg", outer + "/secret.txt"),
                ("upstairs", ".."), ("loop", "loop"), ("current", "sub"),
                ("absolute-inside.jpg", outer + "/root/a.jpg"),
                ("process", "/proc/self/root"),
            ] {
                try FileManager.default.createSymbolicLink(atPath: "\(root)/\(name)", withDestinationPath: target)
            }
            guard mkfifo(root + "/fifo", 0o600) == 0 else { throw FetchError.unreachable("mkfifo") }
        }

        func write(_ text: String, to name: String) throws {
            try Data(text.utf8).write(to: URL(filePath: "\(outer)/\(name)"))
        }

        func fetcher(_ configure: (inout FetchConfiguration) -> Void = { _ in }) -> ImageFetcher {
            var configuration = FetchConfiguration(userAgent: "Headroom/test")
            configuration.localFolder = LocalFolder(root)
            configuration.timeout = .seconds(60)
            configure(&configuration)
            return ImageFetcher(configuration: configuration)
        }

        /// Creates a folder, and removes it after `body`.
        static func with(_ body: (Place) async throws -> Void) async throws {
            let place = try Place()
            defer { try? FileManager.default.removeItem(atPath: place.outer) }
            try await body(place)
        }
    }

    @Test(arguments: [
        ("local:///a.jpg", "picture"), ("local:///sub/b%20c+%C3%A9.jpg", "below"), ("local:///empty", ""),
        ("local:///inside.jpg", "picture"), ("local:///current/b%20c+%C3%A9.jpg", "below"),
    ])
    func `files below the folder are read`(url: String, content: String) async throws {
        try await Place.with { place in
            let image = try await place.fetcher().fetch(url)
            #expect(image.bytes == Array(content.utf8))
            #expect(try image.url.string == SourceURL(url).string)
            #expect(image.share?.bytes == content.utf8.count)
        }
    }

    @Test(arguments: [
        ("absent.jpg", "notFound"), ("a.jpg/b", "notFound"), ("sub/absent", "notFound"),
        ("outside.jpg", "blocked"), ("absolute.jpg", "blocked"), ("upstairs/secret.txt", "blocked"),
        ("upstairs/root/a.jpg", "blocked"), ("absolute-inside.jpg", "blocked"), ("loop", "blocked"),
        ("process/etc/passwd", "blocked"), ("sub", "blocked"), ("fifo", "blocked"),
    ])
    func `no other file is read`(path: String, expected: String) async throws {
        try await Place.with { place in
            let failure = try await place.fetcher().failure("local:///\(path)")
            #expect(failure.kind == expected)
        }
    }

    @Test func `devices are not read`() async throws {
        try await Place.with { place in
            let fetcher = place.fetcher { $0.localFolder = LocalFolder("/dev") }
            for device in ["null", "zero", "tty"] {
                let kind = try await fetcher.failure("local:///\(device)").kind
                #expect(kind == "blocked" || kind == "notFound", "\(device): \(kind)")
            }
        }
    }

    @Test func `the limits of fetches apply to files`() async throws {
        try await Place.with { place in
            let small = place.fetcher { $0.maxBytes = 6 }
            let failure = try await small.failure("local:///a.jpg")
            #expect(failure == .tooLarge(limit: 6))
            let count = try await small.fetch("local:///sub/b%20c+%C3%A9.jpg").bytes.count
            #expect(count == 5)
            // The slot's thread releases its part of the budget after the result is available.
            #expect(await eventually { small.budget.used == 0 })
        }
    }

    @Test func `an unchanged file is not read again`() async throws {
        try await Place.with { place in
            let fetcher = place.fetcher()
            let url = try SourceURL("local:///a.jpg")
            let first = try await fetcher.fetch(url)
            let conditions = try #require(FetchConditions(url: url, etag: first.etag, lastModified: nil))
            let second = try await fetcher.fetch(url, unless: conditions)
            #expect(second.isUnchanged && second.bytes.isEmpty)
            try place.write("another", to: "root/a.jpg")
            let third = try await fetcher.fetch(url, unless: conditions)
            #expect(!third.isUnchanged && third.bytes == Array("another".utf8))
        }
    }

    @Test func `without a folder no file is read`() async throws {
        try await Place.with { place in
            let fetcher = place.fetcher { $0.localFolder = nil }
            let failure = try await fetcher.failure("local:///a.jpg")
            #expect(failure == .blocked("local: URLs are disabled; set --local-root"))
            #expect(
                throws: FetchError.invalidURL("this service does not accept local: URLs, which require --local-root")
            ) {
                try fetcher.url("local:///a.jpg")
            }
        }
    }

    @Test func `the error for a folder that cannot be opened contains the reason`() async throws {
        try await Place.with { place in
            #expect(LocalFolder(place.root).problem() == nil)
            #expect(LocalFolder(place.root + "/absent").problem() == "No such file or directory")
            #expect(LocalFolder(place.root + "/a.jpg").problem() == "Not a directory")
        }
    }
}
