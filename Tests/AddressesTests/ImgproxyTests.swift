import Addresses
import Cryptography
import HeadroomAPI
import Encodings
import HTTPTypes
import Requests
import Testing

/// The translation of imgproxy's URLs.
@Suite struct ImgproxyTests {
    private static let source = "aHR0cDovL2V4YW1wbGUuY29tL2EuanBn"

    private func translation(_ path: String, presets: [String: String] = [:]) throws -> Translation {
        try ImgproxyURLFormat(presets: presets).translate(ForeignURL(path: path))
    }

    private func parameters(_ translation: Translation) -> String {
        translation.parameters.map { "\($0.name)=\($0.value)" }
            .filter { $0 != "format=source" }.sorted().joined(separator: " ")
    }

    @Test(arguments: [
        ("rs:fill:300:200", "fit=limit gravity=center height=200 offset=0.5px,0.5px width=300"),
        ("rs:fill:300:200:1", "enlarge=true gravity=center height=200 offset=0.5px,0.5px width=300"),
        ("rs:fill:300:0", "width=300"), ("rs:fit:300:200", "fit=inside height=200 width=300"),
        ("w:300", "fit=inside width=300"), ("s:300:200:1", "enlarge=true fit=inside height=200 width=300"),
        ("rs:fill-down:300:300", "gravity=center height=300 offset=0.5px,0.5px width=300"),
        ("rs:force:300:200", "fit=fill height=200 width=300"),
        ("rs:fill:300:200/g:sm", "fit=limit gravity=faces height=200 width=300"),
        ("g:noea/rs:fill:300:200", "fit=limit gravity=top-right height=200 offset=0px,0px width=300"),
        ("rs:fill:300:200/g:fp:0.3:0.4", "fit=limit gravity=point:0.3,0.4 height=200 width=300"),
        ("rs:fill:300:200/g:obj:face", "fit=limit gravity=faces height=200 width=300"),
        ("rs:fill:300:200/g:obj", "fit=limit gravity=subject height=200 width=300"),
        ("rs:fill:300:200/g:obj:dog:cell_phone", "fit=limit gravity=object:dog,cell-phone height=200 width=300"),
        ("rs:fill:300:200/g:obj:face:dog", "fit=limit gravity=object:dog,person height=200 width=300"),
        ("rs:fill:300:200/g:objw:dog:2:cat:1", "fit=limit gravity=object:dog:2,cat height=200 width=300"),
        ("rs:fill:300:200/g:objw:all:1:face:3", "fit=limit gravity=faces height=200 width=300"),
        ("rs:fill:300:200/g:objw:all:2:face:1", "fit=limit gravity=subject height=200 width=300"),
        ("rs:fit:300:200:0:1", "background=transparent fit=pad height=200 width=300"),
        ("rs:fit:300:200:0:1:no/bg:ff0000", "background=ff0000 fit=pad gravity=top height=200 width=300"),
        ("c:100:0.5", "region=center:0.5px:0.5px,100px,0.5"), ("c:100:0:nowe", "region=top-left:0px:0px,100px,1"),
        ("c:100:50/g:fp:0.3:0.4", "region=point:0.3:0.4,100px,50px"),
        ("q:0", ""), ("q:70", "quality=70"), ("q:70/q:60", "quality=60"), ("f:webp", "format=webp"),
        ("f:mp4", "format=mp4"),
        ("f:best", "format=auto"),
        ("blur:3", "filter=blur:3"), ("bl:0.5", "filter=blur:0.5"),
        ("br:51", "filter=contrast:0.714286,brightness:1.4"), ("br:-51", "filter=brightness:0.714286,contrast:1.4"),
        ("co:1.5/sa:0", "filter=contrast:1.5,saturation:0"), ("a:0:2:3/bl:1", "filter=contrast:2,saturation:3,blur:1"),
        ("car:1.5", "aspect=1.5 gravity=center"), ("car:1.5/g:sm", "aspect=1.5 gravity=faces"),
        ("rs:fill:30:20/g:sm/op:no", "fit=limit gravity=faces height=20 place=top width=30"),
        ("rs:fill:30:20/g:sm/crop_objects:1.5", "fit=limit gravity=faces height=20 padding=0.25 width=30 zoom=1"),
        ("bl:2/bl:0", ""), ("mb:4000", "maxBytes=4000"),
        ("bg:10:20:255", "background=0a14ff"), ("t:10", "trim=10"),
        ("c:300:200:sm", "fit=crop gravity=faces height=200 width=300"),
        ("c:300:0/g:sm", "fit=crop gravity=faces width=300"),
        ("rot:90", "rotate=90"), ("fl:1", "flip=horizontal"), ("fl:1:1/rot:180", "flip=both rotate=180"),
        ("fl:1:0/rot:90", "flip=vertical rotate=90"), ("dpr:2/w:100", "dpr=2 fit=inside width=100"), ("dpr:2", ""),
        ("ar:1", ""), ("sm:1/kcr:1/scp:0", "metadata=copyright profile=keep"), ("cb:abc", ""),
        ("rs:auto:300:200", "boxOrientation=inside fit=limit gravity=center height=200 offset=0.5px,0.5px width=300"),
        ("rs:auto:300:0", "width=300"), ("dpr:0.5/w:100", "dpr=0.5 fit=inside width=100"),
        ("dpr:0.5", "fit=inside width=50%"),
        ("rs:fill:30:20/g:nowe:10:0.1", "fit=limit gravity=top-left height=20 offset=10px,0.1 width=30"),
        ("rs:fill:30:20/g:no:-4:7/dpr:2", "dpr=2 gravity=top height=20 offset=-3.75px,7px width=30"),
        ("rs:fill:30:20/dpr:0.5", "dpr=0.5 fit=limit gravity=center height=20 offset=1px,1px width=30"),
        ("c:100:50:soea:5:0.25", "region=bottom-right:5px:0.25,100px,50px"),
        ("att:1", "download=a.jpg"), ("att:1/fn:my%20image", "download=my image"), ("att:1/fn:YQ:1", "download=a"),
        ("att:0/fn:x", ""), ("dpr:1/w:9", "fit=inside width=9"),
        ("rs%3Afill%3A300%3A200/g%3Asm", "fit=limit gravity=faces height=200 width=300"),
        ("z:2/w:100", "fit=inside width=200"), ("zoom:0.5:0.5/rs:fit:30:20", "fit=inside height=10 width=15"),
        ("z:2:3/rs:force:30:20", "fit=fill height=60 width=60"), ("z:0.5", "fit=inside width=50%"),
        ("z:0.5:0.25", "fit=fill height=25% width=50%"), ("z:2", ""), ("z:4:2", "fit=fill height=50% width=100%"),
        ("sh:0.5", "filter=sharpen:0.5"), ("bd:5:face", "redact=blur"), ("da:1", "animation=still"),
        ("mw:0/mh:0/pix:0/wm:0/raw:0/exar:0/skp:/bga:1", ""),
        ("rs:fit:30:20/exar:1", "background=transparent fit=pad height=20 width=30"),
        ("rs:fit:30:20/car:1.5", "aspect=1.5 gravity=center width=30"),
        ("rs:fit:30:20/car:1", "aspect=1 gravity=center height=20"), ("w:30/car:2", "aspect=2 gravity=center width=30"),
        ("c:100:100:nowe/car:2", "region=top-left:0px:0px,100px,50px"),
        ("c:100:100:nowe/car:2:1", "region=top-left:0px:0px,200px,100px"),
        ("rs:fill:30:20:0:1", "fit=limit gravity=center height=20 offset=0.5px,0.5px width=30"),
        ("pr:small", "fit=inside height=30 quality=50 width=30"),
    ])
    func `options are translated to parameters`(options: String, expected: String) throws {
        let presets = ["small": "rs:fit:30:30/q:50"]
        let translated = try translation("/_/\(options)/\(Self.source)", presets: presets)
        #expect(parameters(translated) == expected)
        #expect(translated.source == "http://example.com/a.jpg")
    }

    @Test(
        arguments: [
            ("plain/http://h/a.jpg", "http://h/a.jpg", nil), ("plain/http:/h/a.jpg", "http://h/a.jpg", nil),
            ("plain/http%3A%2F%2Fh%2Fa.jpg%3Fb@webp", "http://h/a.jpg?b", "webp"),
            ("aHR0cDovL2V4/YW1wbGUuY29tL2EuanBn", "http://example.com/a.jpg", nil),
            ("aHR0cDovL2gvYS5qcGc=.png", "http://h/a.jpg", "png"),
        ] as [(String, String, String?)]
    )
    func `sources are plain text or Base64`(text: String, expected: String, format: String?) throws {
        let translated = try translation("/_/w:10/\(text)")
        #expect(translated.source == expected)
        #expect(translated[.format] == format ?? "source")
    }

    @Test(arguments: [
        ("nonsense:1", 404), ("rs:bigger:1:1", 404), ("w:x", 404), ("q:101", 404), ("g:fp:2:0", 404), ("pr:none", 404),
        ("f:nonsense", 404), ("rot:45", 404), ("pix:3", 501), ("mw:30", 501), ("raw:1", 501), ("z:2:3/w:9", 501),
        ("z:0", 404), ("blur:101", 501), ("wm:1", 501),
        ("op:fp:0.5:0.5", 501),
        ("rs:fill:30:20/car:1.5", 501), ("br:300", 404), ("crop_objects:0.5", 404), ("ar:0", 501),
        ("dpr:0", 404), ("dpr:0.05", 501), ("dpr:6", 501), ("g:no:x", 404),
        ("pd:10", 501), ("c:30:20:sm/w:9", 501), ("c:0.5:0.5:sm", 501), ("t:10:ffffff:1", 501), ("msr:10", 403),
        ("g:xy", 404),
    ])
    func `the error names a missing or wrong part`(option: String, status: Int) throws {
        let problem = #expect(throws: Problem.self) { _ = try translation("/_/\(option)/\(Self.source)") }
        #expect(problem?.status.code == status, "\(problem?.detail ?? "")")
    }

    @Test(arguments: [
        ("mh:30", "mh (min-height)"), ("pix:3", "pix (pixelate)"), ("wm:0.5", "wm (watermark)"), ("raw:1", "raw"),
        ("skp:png", "skp (skip_processing)"), ("zoom:1:2/w:3", "zoom:1:2"),
    ])
    func `the error contains the long name of an unsupported option`(option: String, name: String) {
        let problem = #expect(throws: Problem.self) { _ = try translation("/_/\(option)/\(Self.source)") }
        #expect(problem?.detail.contains("The option \(name)") == true, "\(problem?.detail ?? "")")
    }

    @Test(arguments: [
        ("/_/w:100/http://h/a.jpg", "write plain/ before the URL"),
        ("/_/https://h/a.jpg", "write plain/ before the URL"),
        ("/_/nonsense:1/\(source)", "expected an option of imgproxy."),
    ])
    func `the error for a URL without plain names plain`(path: String, advice: String) {
        let problem = #expect(throws: Problem.self) { _ = try translation(path) }
        #expect(problem?.status == .notFound && problem?.detail.contains(advice) == true, "\(problem?.detail ?? "")")
    }

    @Test func `each preset is applied once, and the default preset applies to all URLs`() throws {
        let presets = ["default": "q:50/pr:a", "a": "w:10/pr:b", "b": "h:20/pr:a"]
        let translated = try translation("/_/q:60/\(Self.source)", presets: presets)
        #expect(parameters(translated) == "fit=inside height=20 quality=60 width=10")
    }

    @Test func `an expiry is parsed`() throws {
        #expect(try translation("/_/exp:1700000000/\(Self.source)").expires == 1_700_000_000)
        #expect(try translation("/_/exp:0/\(Self.source)").expires == nil)
    }

    @Test func `the signature covers the restored path`() throws {
        let keys = try Secret.list("736563726574", lengths: Secret.foreignLengths)
        let salts = try Secret.list("68656C6C6F", lengths: Secret.foreignLengths)
        let urlFormat = ImgproxyURLFormat(keys: keys, salts: salts)
        let signature = "ShLJbTwSdO9LXN1NBtfWtXLnlc6i9BzOAmjMmlPSbAI"
        for rest in ["g:sm/rs:fill:300:200:0", "g%3Asm/rs%3afill:300:200:0"] {
            try urlFormat.verify(ForeignURL(path: "/\(signature)/\(rest)/\(Self.source)"))
        }
        for path in [
            "/\(signature)/g:sm/rs:fill:300:201:0/\(Self.source)", "/_/g:sm/rs:fill:300:200:0/\(Self.source)", "/", "",
        ] {
            let problem = #expect(throws: Problem.self) { try urlFormat.verify(ForeignURL(path: path)) }
            #expect(problem?.status == .forbidden, "\(path)")
        }
    }

    /// Keys that consist of the bytes 0, 1, 2 …, and `https://example.com/team.jpg` encrypted with each key.
    @Test(arguments: [
        (16, "BwcHBwcHBwcHBwcHBwcHB4CNTOVwAGrac7rqb_FKlRIg4FkJZu8ssgw1SH0Lgbp0"),
        (24, "BwcHBwcHBwcHBwcHBwcHB0sTUA5PpkoingAmjzUQXmLPBRkx4rbkhMrFJl7x87Ma"),
        (32, "BwcHBwcHBwcHBwcHBwcHBwPqDBifGdNjjqksm5jWFybxqopTkbw_Wtu_7OCGusbv"),
    ])
    func `an encrypted source is decrypted with any of the keys`(length: Int, text: String) throws {
        let lengths = 32...64
        let other = String(repeating: "ab", count: 32)
        let key = Hexadecimal.text((0..<length).map { UInt8($0) })
        let urlFormat = ImgproxyURLFormat(encryptionKeys: try Secret.list("\(other),\(key)", lengths: lengths))
        for (source, format) in [
            (text, "source"), ("\(text).webp", "webp"), ("\(text.prefix(20))/\(text.dropFirst(20))", "source"),
        ] {
            let translation = try urlFormat.translate(ForeignURL(path: "/_/w:9/enc/\(source)"))
            #expect(translation.source == "https://example.com/team.jpg")
            #expect(translation.isEncrypted && !translation.namesOrigin)
            #expect(translation[.format] == format)
        }
        let wrong = ImgproxyURLFormat(encryptionKeys: try Secret.list(other, lengths: lengths))
        var details: Set<String> = []
        for (urlFormat, source) in [
            (wrong, text), (urlFormat, ""), (urlFormat, "AAAA"), (urlFormat, "\(text.dropLast(8))AAAAAAAA"),
            (urlFormat, "\(text).webp.png"), (urlFormat, "?"),
        ] {
            let path = ForeignURL(path: "/_/w:9/enc/\(source)")
            let problem = try #require(#expect(throws: Problem.self) { try urlFormat.translate(path) })
            #expect(problem.kind == .sourceNotFound && problem.status == .notFound, "\(source)")
            details.insert(problem.detail)
        }
        #expect(details == ["No image found at this URL."])
        let without = try #require(
            #expect(throws: Problem.self) {
                try ImgproxyURLFormat().translate(ForeignURL(path: "/_/w:9/enc/\(text)"))
            }
        )
        #expect(without.status == .notImplemented)
    }

    @Test(arguments: ["not hexadecimal", "abcdefabc"])
    func `an unreadable key matches no signature`(text: String) throws {
        let unreadable = try Secret.list(text.replacing(" ", with: "-"), lengths: Secret.foreignLengths)
        let salts = try Secret.list("68656C6C6F", lengths: Secret.foreignLengths)
        // The signature that a URL would have if an unreadable key or salt counted as an empty key or salt.
        let message = Array("hello/\(Self.source)".utf8)
        for (keys, salts) in [(unreadable, salts), (salts, unreadable), (unreadable, []), (unreadable, unreadable)] {
            let urlFormat = ImgproxyURLFormat(keys: keys, salts: salts)
            #expect(urlFormat.signing.isRequired)
            for message in [message, Array("/\(Self.source)".utf8)] {
                for key in [[], Array("hello".utf8)] {
                    let code = Base64.text(MessageDigest.sha256.authenticationCode(of: message, key: key))
                    #expect(throws: Problem.self) {
                        try urlFormat.verify(ForeignURL(path: "/\(code)/\(Self.source)"))
                    }
                }
            }
        }
    }
}
