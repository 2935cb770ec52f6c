import Addresses
import Foundation
import HeadroomAPI
import TestAddresses
import Testing

/// Every URL format has a page, its rows in other documents, its settings, and its test requests.
@Suite struct URLFormatDocumentsTests {
    private static func text(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The names of the settings of a URL format: of a file for secrets.
    private static func settings<Format: ConfigurableURLFormat>(of format: Format.Type) -> [String] {
        Format.settings.map { setting in
            if case .secrets = setting.kind { "\(setting.name)-file" } else { setting.name }
        }
    }

    @Test func `names, prefixes and settings are unique`() {
        let prefixes = URLFormats.all.map { $0.name.prefix }
        let settings = URLFormats.all.flatMap { Self.settings(of: $0) }
        #expect(Set(URLFormatName.allCases).count == URLFormats.all.count)
        #expect(Set(prefixes).count == prefixes.count)
        #expect(Set(settings).count == settings.count)
    }

    @Test(arguments: URLFormats.all.map { $0.name.rawValue })
    func `a format has a page, rows in other documents, and test requests`(word: String) throws {
        let name = try #require(URLFormatName(rawValue: word))
        let format = try #require(URLFormats.all.first { $0.name == name })
        let page = try Self.text("docs/migrating/\(word).md")
        #expect(page.contains("--url-formats \(word)"))
        for setting in Self.settings(of: format) { #expect(page.contains("--\(setting)"), "\(setting)") }
        let readme = try Self.text("README.md")
        #expect(readme.contains("\(name.prefix)/…`") && readme.contains("[\(format.title)](docs/migrating/\(word).md)"))
        #expect(try Self.text("docs/README.md").contains("(migrating/\(word).md)"))
        #expect(try Self.text("openapi.yaml").contains("(`\(name.prefix)/…`)"))
        let rows = try Self.text("docs/configuration.md").split(separator: "\n")
        #expect(rows.contains { $0.hasPrefix("| `--url-formats`") && $0.contains("`\(word)`") })
        #expect(UsualOptions.all[name]?.served.isEmpty == false)
        #expect(HostileAddress.forms[name]?.seeds.isEmpty == false)
        #expect(!format.optionNames.isEmpty)
        // Each seed is a URL below the prefix.
        for seed in HostileAddress.forms[name]?.seeds ?? [] { #expect(name.contains(path: seed), "\(seed)") }
    }
}
