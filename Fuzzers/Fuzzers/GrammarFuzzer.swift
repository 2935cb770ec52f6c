@testable import HeadroomAPI

extension Fuzzer {
    /// The path and query of an address in another service's words.
    ///
    /// A translation names a source, and its parameters are valid or refused. A problem is no success. Verifying an
    /// address with a key refuses it or not.
    static let grammars = Fuzzer(name: "grammars", maxLength: 1024) {
        [
            "/imgix/http%3A%2F%2Fh%2Fa.jpg?w=300&h=200&fit=crop&crop=faces,entropy&dpr=1.5&ixlib=x&s=00112233",
            "/imgix/shop/a/b.jpg?rect=center,0.1,0.5,200&ar=16:9&fit=facearea&facepad=2.5&faceindex=2&fm64=d2VicA",
            "/imgix/shop/a?fit=fill&bg=80ff0000&fill=blur&fill-color=orange&q=75&auto=format,compress&trim=auto&flip=hv",
            "/cloudinary/image/fetch/s--XScBX0I5--/c_fill,g_face,h_200,w_300/f_auto/q_auto/http://h/a.jpg",
            "/cloudinary/demo/image/upload/c_crop,x_0.1,y_20,w_0.5,h_30/c_thumb,g_faces:auto,z_0.5/a_90/v12/dir/a.jpg?_a=B",
            "/cloudinary/image/fetch/c_pad,b_rgb:a1b2c3,ar_16:9,w_300,dpr_2.0/c_limit,w_200/fl_progressive/https:/h/a",
            "/cdn-cgi/image/width=80,height=60,fit=cover,gravity=0.5x0.33,dpr=2,quality=high,format=auto/http://h/a?b=c",
            "/cdn-cgi/image/fit=pad,background=rgb(1%2C2%2C3),trim=1;0;0;2,rotate=90,flip=h,onerror=redirect/a/b.jpg",
        ].map { Array($0.utf8) }
    } run: { input in
        let parts = input.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        let path = String(decoding: parts.first ?? [], as: UTF8.self)
        guard let name = GrammarName.of(path: path) else { return }
        let query = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : nil
        translate(GrammarAddress(name, path: path, query: query), as: name)
    }

    private static let sets: [GrammarSet] = {
        var configuration = GrammarConfiguration()
        configuration.names = GrammarName.allCases
        var keyed = configuration
        keyed.imgixSources = ImgixSources("shop=https://shop.example/media,*") ?? ImgixSources()
        keyed.cloudinaryOrigin = OriginBase("https://cloudinary.example/media")
        keyed.cloudflareOrigin = OriginBase("https://cloudflare.example")
        keyed.imgixTokens = keys
        keyed.cloudinarySecrets = keys
        keyed.thumborKeys = keys
        return [GrammarSet(configuration), GrammarSet(keyed)]
    }()

    private static let keys = (try? Secret.list("FOO123bar,0123456789abcdef", lengths: Secret.foreignLengths)) ?? []

    private static func translate(_ address: GrammarAddress, as name: GrammarName) {
        for grammar in sets.compactMap({ $0[name] }) {
            if grammar.hasKeys { _ = try? grammar.verify(address) }
            do {
                let translation = try grammar.translate(address)
                precondition(!translation.source.isEmpty, "a translation without a source")
                let pairs = translation.parameters.map { (name: $0.name.rawValue, value: $0.value) }
                _ = try? FrameParameters(pairs, known: ParameterName.allCases)
            } catch {
                precondition((400...599).contains(error.status.code), "a problem with status \(error.status.code)")
                _ = grammar.headers(of: error)
            }
        }
    }
}
