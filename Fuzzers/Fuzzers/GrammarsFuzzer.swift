import Addresses
import HTTPServer
import HTTPTypes
@testable import HeadroomAPI
@testable import Requests

extension Fuzzer {
    /// A URL in the syntax of another service: a path and a query.
    ///
    /// Invariant: every translation returns either a problem or parameters with known names.
    static let urlFormats = Fuzzer(name: "grammars", maxLength: 512) {
        [
            "/thumbor/unsafe/trim:top-left:10/10x20:30x40/adaptive-full-fit-in/-300x-200/left/top/smart/filters:quality(70):focal(1x2:3x4)/h/a",
            "/thumbor/vOFBg7Wjj0K4ffjHVTZ7ZmTKJvc=/meta/0.1x0.2:0.9x1/origx5/filters:rotate(-90):fill(0af):expire(1700000000000)/b64:aHR0cDovL2gvYQ",
            "/imgproxy/ShLJbTwSdO9LXN1NBtfWtXLnlc6i9BzOAmjMmlPSbAI/g%3Asm/rs:fill:300:200:1:1:noea:3:4/c:0.5:9:fp:0.1:1/dpr:2/plain/http:/h/a@webp",
            "/imgproxy/_/pr:a/bg:1:2:3/t:10/rot:90/fl:1:1/mb:5/exp:9/kcr:1/aHR0cDovL2gvYQ==.png",
            "/imgix/http%3A%2F%2Fh%2Fa.jpg?w=300&h=200&fit=crop&crop=faces,entropy&dpr=1.5&ixlib=x&expires=9&s=00112233",
            "/imgix/shop/a/b.jpg?rect=center,0.1,0.5,200&ar=16:9&fit=facearea&facepad=2.5&faceindex=2&fm64=d2VicA",
            "/imgix/shop/a?fit=fill&bg=80ff0000&fill=blur&fill-color=orange&q=75&auto=format&trim=auto&flip=hv&fp-x=.5",
            "/cloudinary/image/fetch/s--XScBX0I5--/c_fill,g_face,h_200,w_300/f_auto/q_auto/http://h/a.jpg",
            "/cloudinary/demo/image/upload/c_crop,x_0.1,y_20,w_0.5/c_thumb,g_faces:auto,z_0.5/a_90/v12/dir/a.jpg?_a=B",
            "/cloudinary/image/fetch/c_pad,b_rgb:a1b2c3,ar_16:9,w_300,dpr_2.0/c_limit,w_200/fl_progressive/https:/h/a",
            "/cdn-cgi/image/width=80,height=60,fit=cover,gravity=0.5x0.33,dpr=2,quality=high,format=auto/http://h/a?b=c",
            "/cdn-cgi/image/fit=pad,background=rgb(1%2C2%2C3),trim=1;0;0;2,rotate=90,flip=h,onerror=redirect/a/b.jpg",
        ].map { Array($0.utf8) }
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
        var configuration = URLFormatConfiguration()
        configuration.names = URLFormatName.allCases
        let secrets = (try? Secret.list("736563726574", lengths: Secret.foreignLengths)) ?? []
        configuration.thumborKeys = secrets
        configuration.imgproxyKeys = secrets
        configuration.imgproxySalts = secrets
        configuration.cloudinarySecrets = secrets
        configuration.imgproxyPresets = ["a": "w:10/pr:b", "b": "pr:a/q:5"]
        configuration.imgixSources = ImgixSources("shop=http://h/base,*") ?? ImgixSources()
        let tokens = try? ImgixTokens("shop=736563726574,*=736563726574", of: configuration.imgixSources)
        configuration.imgixTokens = tokens ?? ImgixTokens()
        configuration.cloudinaryOrigin = OriginBase("http://h/base")
        configuration.cloudflareOrigin = OriginBase("http://h")
        return configuration.served
    }()
}
