import Addresses
import HTTPTypes
import HeadroomAPI
import Requests
import Testing

/// A row in a table of translations.
struct TranslationRow: CustomTestStringConvertible, Sendable {
    /// The URL below the prefix of the URL format.
    let address: String
    /// The parameters, in any order: `width=300&fit=cover`.
    let parameters: String
    /// The ignored options.
    let ignored: [String]
    /// The source; nil for the default source.
    let source: String?

    init(_ address: String, _ parameters: String, ignored: [String] = [], source: String? = nil) {
        self.address = address
        self.parameters = parameters
        self.ignored = ignored
        self.source = source
    }

    var testDescription: String { address }

    /// The URL in parts.
    static func parts(_ address: String) -> ForeignURL {
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return ForeignURL(path: parts[0], query: parts.count > 1 ? parts[1] : nil)
    }

    /// Checks the translation, and that its parameters can be combined.
    func check(
        _ urlFormat: some URLFormat,
        source expected: String,
        defaults: String,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let translation = try urlFormat.translate(Self.parts(address))
        #expect(translation.source == source ?? expected, sourceLocation: location)
        var given = translation.parameters.map { "\($0.name)=\($0.value)" }
        for text in defaults.split(separator: "&") { given.removeAll { $0 == text } }
        let wanted = parameters.split(separator: "&").map(String.init)
        #expect(given.sorted() == wanted.sorted(), sourceLocation: location)
        #expect(translation.ignored == ignored, sourceLocation: location)
        let pairs = translation.parameters.map { (name: $0.name.name, value: $0.value) }
        #expect(throws: Never.self, sourceLocation: location) {
            _ = try FrameParameters(pairs, known: Parameter.all)
        }
    }
}

/// A row in a table of rejected URLs.
struct RefusalRow: CustomTestStringConvertible, Sendable {
    let address: String
    let status: Int
    /// A part of the problem's detail.
    let detail: String

    init(_ address: String, _ status: Int, _ detail: String) {
        (self.address, self.status, self.detail) = (address, status, detail)
    }

    var testDescription: String { address }

    /// Checks the status and the detail.
    func check(_ urlFormat: some URLFormat, at location: SourceLocation = #_sourceLocation) {
        do {
            _ = try urlFormat.translate(TranslationRow.parts(address))
            Issue.record("\(address) was translated", sourceLocation: location)
        } catch {
            #expect(error.status.code == status, sourceLocation: location)
            #expect(error.detail.contains(detail), "\(error.detail)", sourceLocation: location)
        }
    }
}
