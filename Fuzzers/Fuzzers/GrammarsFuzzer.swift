import Addresses
import HTTPServer
import HTTPTypes
@testable import HeadroomAPI
@testable import Requests
import TestAddresses

extension Fuzzer {
    /// A URL in the syntax of another service: a path and a query.
    ///
    /// Invariant: every translation returns either a problem or parameters with known names.
    static let urlFormats = Fuzzer(name: "grammars", maxLength: 512) {
        URLFormatName.allCases.flatMap { HostileAddress.forms[$0]?.seeds ?? [] }.map { Array($0.utf8) }
    } run: { input in
        let text = String(decoding: input, as: UTF8.self)
        let sides = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let path = sides.first, let name = URLFormatName.of(path: path), let urlFormat = served[name] else {
            return
        }
        let address = ForeignURL(name, path: path, query: sides.count > 1 ? sides[1] : nil)
        try? urlFormat.verify(address)
        guard let translation = try? urlFormat.translate(address) else { return }
        do throws(Problem) {
            let request = ServerRequest(method: .get, target: path)
            _ = try ImageCall(
                request,
                translation,
                in: name,
                authorization: .everyone,
                defaults: DefaultParameters(),
                deadline: .now
            )
        } catch {
            precondition(
                !error.invalid.contains { $0.detail.contains("Unknown parameter") },
                "an unknown parameter"
            )
        }
    }

    private static let served: URLFormatSet = {
        var configuration = HostileAddress.configuration
        let secrets = (try? Secret.list("736563726574", lengths: Secret.foreignLengths)) ?? []
        configuration[ThumborURLFormat.self].keys = secrets
        configuration[ImgproxyURLFormat.self].keys = secrets
        configuration[ImgproxyURLFormat.self].salts = secrets
        configuration[CloudinaryURLFormat.self].secrets = secrets
        let tokens = try? ImgixTokens(
            "shop=736563726574,*=736563726574",
            of: configuration[ImgixURLFormat.self].sources
        )
        configuration[ImgixURLFormat.self].tokens = tokens ?? ImgixTokens()
        return configuration.served
    }()
}
