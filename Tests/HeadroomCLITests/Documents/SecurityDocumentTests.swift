import Foundation
import TestPacing
import Testing

/// Documents that cite tests as evidence; the tests must exist.
@Suite("Documents that cite tests", .limitedConcurrency)
struct SecurityDocumentTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

    @Test(arguments: [
        ("contributing/threat-model.md", 20), ("contributing/load-tests.md", 10),
        ("contributing/http-conformance.md", 5),
    ])
    func `every test that a document cites exists`(page: String, fewest: Int) throws {
        let document = try String(contentsOf: root.appending(path: "docs/\(page)"), encoding: .utf8)
        let folder = root.appending(path: "Tests")
        var sources: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix("Tests.swift")
        {
            let name = URL(filePath: path).deletingPathExtension().lastPathComponent
            sources[name, default: ""] += try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        }
        let rows = document.split(separator: "\n").filter { $0.hasPrefix("| ") }.compactMap { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }.last
        }
        var sentences = 0
        for cell in rows {
            for part in cell.components(separatedBy: ";") {
                guard let suite = part.firstMatch(of: /`([A-Za-z]+Tests)`/) else { continue }
                let names = part.components(separatedBy: "`").dropFirst().enumerated()
                    .compactMap { $0.offset % 2 == 0 ? $0.element : nil }
                let code = names.compactMap { sources[$0] }
                #expect(code.count == names.count, "\(suite.1)")
                for sentence in part.matches(of: /\*([^*]+)\*/) {
                    sentences += 1
                    #expect(code.contains { $0.contains("func `\(sentence.1)`") }, "\(sentence.1)")
                }
            }
        }
        #expect(sentences > fewest)
    }
}
