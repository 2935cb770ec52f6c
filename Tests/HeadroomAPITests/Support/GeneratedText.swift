import Foundation
import Testing

/// A part of a file that is generated from a table in the code, between two comments.
struct GeneratedText {
    /// Set to `1` to regenerate the files; then check `git diff`.
    static let variable = "HEADROOM_UPDATE_SNAPSHOTS"

    /// The path relative to the repository.
    let path: String
    /// A description of the part: "the parameters of /frame".
    let content: String
    /// The start and end of the comments before and after the part.
    let comment: (start: String, end: String)
    /// Generates the lines from the current lines of the file.
    let lines: (_ kept: [String]) -> [String]

    /// Compares the part with the file, or writes it.
    func check(_ location: SourceLocation = #_sourceLocation) throws {
        let file = Promtool.repository.appending(path: path)
        let text = try String(contentsOf: file, encoding: .utf8)
        let all = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        func index(_ words: String) throws -> Int {
            let line = "\(comment.start)\(words)\(comment.end)"
            let found = all.firstIndex { $0.trimmingCharacters(in: .whitespaces) == line }
            return try #require(found, "\(path) lacks the line \(line)", sourceLocation: location)
        }
        let (start, end) = (try index("Generated: \(content)"), try index("End of \(content)"))
        let kept = Array(all[(start + 1)..<end])
        let wanted = lines(kept)
        guard kept != wanted else { return }
        if ProcessInfo.processInfo.environment[Self.variable] == "1" {
            let whole = all[...start] + wanted + all[end...]
            return try Data(whole.joined(separator: "\n").utf8).write(to: file)
        }
        let number = zip(kept, wanted).enumerated().first { $1.0 != $1.1 }?.offset ?? min(kept.count, wanted.count)
        let (old, new) = [kept, wanted].map { number < $0.count ? $0[number] : "the end" }.pair
        Issue.record(
            """
            \(path):\(start + number + 2) differs from the table: \(old) instead of \(new)
            \(Self.variable)=1 swift test --filter ParameterDocuments regenerates \(content)
            """,
            sourceLocation: location
        )
    }
}

extension [String] {
    fileprivate var pair: (String, String) { (self[0], self[1]) }
}
