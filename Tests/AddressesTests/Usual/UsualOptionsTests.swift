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
        configuration[ImageKitURLFormat.self].origin = OriginBase("https://origin.example/base")
        return try #require(configuration.served[name])
    }

    @Test(arguments: URLFormatName.allCases) func `common options are translated to valid parameters`(
        name: URLFormatName
    ) throws {
        let urlFormat = try Self.urlFormat(name)
        let usual = try #require(UsualOptions.all[name])
        #expect(!usual.served.isEmpty)
        for options in usual.served {
            do {
                let translation = try urlFormat.translate(usual.address(options))
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
        let usual = try #require(UsualOptions.all[name])
        for (options, word) in usual.refused {
            let problem = #expect(throws: Problem.self, "\(options)") {
                _ = try urlFormat.translate(usual.address(options))
            }
            #expect(problem?.status == .notImplemented, "\(options): \(problem?.detail ?? "")")
            #expect(problem?.detail.contains(word) == true, "\(options): \(problem?.detail ?? "")")
        }
    }
}
