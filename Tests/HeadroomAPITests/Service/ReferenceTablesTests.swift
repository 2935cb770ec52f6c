import Foundation
import HeadroomAPI
import Requests
import Testing

/// Compares the tables of the reference pages with the code.
@Suite("Reference tables") struct ReferenceTablesTests {
    /// The first column of the tables on a page, or of the tables below a heading, without code marks.
    private func names(in page: String, below heading: String? = nil) throws -> [String] {
        var text = try String(contentsOf: Promtool.repository.appending(path: page), encoding: .utf8)
        if let heading {
            text = try #require(text.components(separatedBy: "\n## \(heading)\n").dropFirst().first)
                .components(separatedBy: "\n## ")[0]
        }
        return text.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
            row.split(separator: "|")[0].split(separator: ",").map { name in
                name.filter { $0 != "`" }.trimmingCharacters(in: .whitespaces)
            }
        }
    }

    @Test func `docs/parameters.md lists every parameter once`() throws {
        let listed = try names(in: "docs/parameters.md")
        #expect(listed.sorted() == Parameter.all.map(\.name).sorted())
    }

    @Test func `the README lists only existing parameters`() throws {
        let listed = try names(in: "README.md", below: "Parameters")
        #expect(!listed.isEmpty && Set(listed).isSubset(of: Parameter.all.map(\.name)))
    }

    @Test func `docs/problems.md lists every kind of problem once`() throws {
        let listed = try names(in: "docs/problems.md", below: "Kinds")
        #expect(listed.sorted() == Problem.Kind.allCases.map(\.rawValue).sorted())
    }
}
