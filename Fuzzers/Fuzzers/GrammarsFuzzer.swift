@testable import HeadroomAPI

extension Fuzzer {
    /// An address in the words of other services: a path and a query.
    ///
    /// Every translation is either a problem, or parameters without an unknown name.
    static let grammars = Fuzzer(name: "grammars", maxLength: 512) {
        [
            "/thumbor/unsafe/trim:top-left:10/10x20:30x40/adaptive-full-fit-in/-300x-200/left/top/smart/filters:quality(70):focal(1x2:3x4)/h/a",
            "/thumbor/vOFBg7Wjj0K4ffjHVTZ7ZmTKJvc=/meta/0.1x0.2:0.9x1/origx5/filters:rotate(-90):fill(0af):expire(1700000000000)/b64:aHR0cDovL2gvYQ",
            "/imgproxy/ShLJbTwSdO9LXN1NBtfWtXLnlc6i9BzOAmjMmlPSbAI/g%3Asm/rs:fill:300:200:1:1:noea:3:4/c:0.5:9:fp:0.1:1/dpr:2/plain/http:/h/a@webp",
            "/imgproxy/_/pr:a/bg:1:2:3/t:10/rot:90/fl:1:1/mb:5/exp:9/kcr:1/aHR0cDovL2gvYQ==.png",
            "/imgix/http%3A%2F%2Fh%2Fa.jpg?fit=facearea&facepad=2&w=0.5&rect=1,2,3,4&ar=3:2&fp-x=.5&s=00",
            "/cloudinary/image/fetch/s--XScBX0I5--/c_thumb,g_face,w_0.5,ar_16:9/c_pad,b_rgb:fff/f_auto/v1/http://h/a",
            "/cdn-cgi/image/width=80,fit=pad,gravity=0.5x0.2,trim=1;2;3;4,background=%23fff/http://h/a",
        ].map { Array($0.utf8) }
    } run: { input in
        let text = String(decoding: input, as: UTF8.self)
        let sides = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let path = sides.first, let name = GrammarName.of(path: path), let grammar = served[name] else { return }
        let address = GrammarAddress(name, path: path, query: sides.count > 1 ? sides[1] : nil)
        try? grammar.verify(address)
        guard let translation = try? grammar.translate(address) else { return }
        do throws(Problem) {
            _ = try FrameRequest(translation, known: ParameterName.allCases)
        } catch {
            precondition(
                !error.invalid.contains { $0.detail.contains("There is no parameter") },
                "an unknown parameter"
            )
        }
    }

    private static let served: GrammarSet = {
        var configuration = GrammarConfiguration()
        configuration.names = GrammarName.allCases
        let secrets = (try? Secret.list("736563726574", lengths: Secret.foreignLengths)) ?? []
        configuration.thumborKeys = secrets
        configuration.imgproxyKeys = secrets
        configuration.imgproxySalts = secrets
        configuration.imgixTokens = secrets
        configuration.cloudinarySecrets = secrets
        configuration.imgproxyPresets = ["a": "w:10/pr:b", "b": "pr:a/q:5"]
        configuration.imgixOrigin = "http://h/base"
        configuration.cloudinaryOrigin = "http://h"
        configuration.cloudflareOrigin = "http://h"
        return GrammarSet(configuration)
    }()
}
