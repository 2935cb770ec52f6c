import Addresses
import HTTPTypes
import HeadroomAPI
import Requests
import TestPacing
import Testing

/// Common options are supported, and errors name unsupported ones.
@Suite(.limitedConcurrency) struct UsualOptionsTests {
    private static func urlFormat(_ name: URLFormatName) throws -> any URLFormat {
        var configuration = URLFormatConfiguration()
        configuration.names = [name]
        configuration.imagekitOrigin = OriginBase("https://origin.example/base")
        return try #require(configuration.served[name])
    }

    @Test(arguments: URLFormatName.allCases) func `common options are translated to valid parameters`(
        name: URLFormatName
    ) throws {
        let urlFormat = try Self.urlFormat(name)
        for options in UsualOptions.of(name).served {
            do {
                let translation = try urlFormat.translate(UsualOptions.address(name, options))
                let pairs = translation.parameters.map { (name: $0.name.name, value: $0.value) }
                _ = try FrameParameters(pairs, known: Parameter.all)
            } catch {
                Issue.record("\(options): \(error)")
            }
        }
    }

    @Test(arguments: URLFormatName.allCases) func `the error names an option that the service does not support`(
        name: URLFormatName
    ) throws {
        let urlFormat = try Self.urlFormat(name)
        for (options, word) in UsualOptions.of(name).refused {
            let problem = #expect(throws: Problem.self, "\(options)") {
                _ = try urlFormat.translate(UsualOptions.address(name, options))
            }
            #expect(problem?.status == .notImplemented, "\(options): \(problem?.detail ?? "")")
            #expect(problem?.detail.contains(word) == true, "\(options): \(problem?.detail ?? "")")
        }
    }
}
