import Addresses
import HTTPTypes
import HeadroomAPI
import Requests
import TestPacing
import Testing

/// What strangers write is served, and what is not is named.
@Suite(.limitedConcurrency) struct UsualOptionsTests {
    private static func grammar(_ name: GrammarName) throws -> any URLGrammar {
        var configuration = GrammarConfiguration()
        configuration.names = [name]
        configuration.imagekitOrigin = OriginBase("https://origin.example/base")
        return try #require(configuration.served[name])
    }

    @Test(arguments: GrammarName.allCases) func `usual options become valid parameters`(name: GrammarName) throws {
        let grammar = try Self.grammar(name)
        for options in UsualOptions.of(name).served {
            do {
                let translation = try grammar.translate(UsualOptions.address(name, options))
                let pairs = translation.parameters.map { (name: $0.name.name, value: $0.value) }
                _ = try FrameParameters(pairs, known: Parameter.all)
            } catch {
                Issue.record("\(options): \(error)")
            }
        }
    }

    @Test(arguments: GrammarName.allCases) func `what cannot be made is named`(name: GrammarName) throws {
        let grammar = try Self.grammar(name)
        for (options, word) in UsualOptions.of(name).refused {
            let problem = #expect(throws: Problem.self, "\(options)") {
                _ = try grammar.translate(UsualOptions.address(name, options))
            }
            #expect(problem?.status == .notImplemented, "\(options): \(problem?.detail ?? "")")
            #expect(problem?.detail.contains(word) == true, "\(options): \(problem?.detail ?? "")")
        }
    }
}
