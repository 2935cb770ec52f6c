import Addresses
import HeadroomAPI
import HTTPTypes
import Requests
import Testing

/// The translation of thumbor's URLs.
@Suite struct ThumborTests {
    private let source = "example.com/a.jpg"

    /// The translated parameters without the default format, sorted and joined.
    private func translated(_ path: String, _ urlFormat: ThumborURLFormat = ThumborURLFormat()) throws -> String {
        let translation = try urlFormat.translate(ForeignURL(path: path))
        #expect(translation.source == "http://\(source)")
        return translation.parameters.map { "\($0.name)=\($0.value)" }
            .filter { $0 != "format=source" }.sorted().joined(separator: " ")
    }

    @Test(arguments: [
        ("http:/example.com/a.jpg", "http://example.com/a.jpg"),
        ("https:/example.com/a.jpg", "https://example.com/a.jpg"),
        ("HTTPS:/example.com/a%20b.jpg", "https://example.com/a%20b.jpg"),
        ("https%3A%2F%2Fexample.com%2Fa.jpg", "https://example.com/a.jpg"),
        ("example.com/a.jpg", "http://example.com/a.jpg"),
    ])
    func `slashes that a proxy merged in a source are restored`(path: String, source: String) throws {
        let translation = try ThumborURLFormat().translate(ForeignURL(path: "/unsafe/30x20/\(path)"))
        #expect(translation.source == source)
    }

    @Test(arguments: [
        ("", ""),
        ("300x200", "enlarge=true gravity=center height=200 width=300"),
        ("300x", "enlarge=true gravity=center width=300"), ("0x200", "enlarge=true gravity=center height=200"),
        ("0x0", ""), ("x", ""), ("origxorig", ""),
        ("300x200/smart", "enlarge=true fallback=center gravity=faces height=200 width=300"),
        ("300x200/left/top/smart", "enlarge=true fallback=top-left gravity=faces height=200 width=300"),
        ("300x200/right", "enlarge=true gravity=right height=200 width=300"),
        ("300x200/bottom", "enlarge=true gravity=bottom height=200 width=300"),
        ("-300x-200", "enlarge=true flip=both gravity=center height=200 width=300"),
        ("-0x0", "flip=horizontal"), ("0x-0", "flip=vertical"),
        ("fit-in/300x200", "fit=inside height=200 width=300"),
        (
            "fit%2din/300x200/filters%3Aquality%2870%29%3aformat%28webp%29",
            "fit=inside format=webp height=200 quality=70 width=300"
        ),
        ("filters%3Aattachment%28a%252Cb.png%29", "download=a%2Cb.png"),
        ("filters%3Aquality(70)", "quality=70"),
        ("filters:round_corner(20%2C255%2C0%2C16)", "background=ff0010 mask=rounded:20px"),
        ("10x20%3A110x220", "region=10px,20px,100px,200px"),
        ("fit-in/3x2/filters:fill(transparent):format(jpeg)", "background=ffffff fit=pad format=jpeg height=2 width=3"),
        ("fit-in/3x2/filters:fill(transparent)", "background=transparent fit=pad height=2 width=3"),
        ("fit-in/300x200/left", "fit=inside height=200 width=300"),
        ("full-fit-in/300x200", "enlarge=true fit=outside height=200 width=300"),
        ("adaptive-fit-in/300x200", "boxOrientation=swap fit=inside height=200 width=300"),
        ("adaptive-full-fit-in/300x200", "boxOrientation=swap enlarge=true fit=outside height=200 width=300"),
        ("stretch/300x200", "enlarge=true fit=fill height=200 width=300"),
        ("fit-in/300x200/filters:fill(red)", "background=ff0000 fit=pad height=200 width=300"),
        ("fit-in/300x200/filters:fill(0af)", "background=0af fit=pad height=200 width=300"),
        ("300x200/filters:no_upscale()", "fit=limit gravity=center height=200 width=300"),
        ("10x20:110x220", "region=10px,20px,100px,200px"),
        ("10x20:10x220", ""), ("110x20:10x220", ""),
        ("0.1x0.2:0.9x1.0", "region=0.1,0.2,0.8,0.8"),
        ("trim", "trim=0"), ("trim:top-left:20", "trim=11"), ("trim:20", "trim=11"),
        ("filters:sharpen(2,1.0,true)", "filter=sharpen:2"), ("filters:sharpen(1.5)", "filter=sharpen:1.5"),
        ("filters:sharpen(1.5,0.5,false)", "filter=sharpen:1.5:0.5"),
        ("filters:blur(2.5)", "filter=blur:2.5"), ("filters:hue(-90)", "filter=hue:270"),
        ("filters:max_frames(1)", "animation=still"), ("filters:proportion(0.5)", "fit=inside width=50%"),
        ("301x200/filters:proportion(0.5)", "enlarge=true gravity=center height=100 width=151"),
        ("filters:page(1):preview():to_colorspace(srgb)", ""),
        (
            "300x200/filters:quality(70):format(webp)",
            "enlarge=true format=webp gravity=center height=200 quality=70 width=300"
        ),
        ("filters:quality(70):quality(300)", "quality=100"),
        ("filters:format(PNG)", "format=png"), ("filters:gifv()", "format=mp4"), ("filters:gifv(webm)", "format=webm"),
        ("filters:format(mp4)", "format=mp4"), ("filters:max_bytes(4000)", "maxBytes=4000"),
        ("300x200/filters:rotate(90)", "enlarge=true gravity=center height=300 rotate=270 width=200"),
        ("-300x200/filters:rotate(90)", "enlarge=true flip=vertical gravity=center height=300 rotate=270 width=200"),
        ("filters:rotate(180):rotate(90)", "rotate=90"), ("filters:rotate(45)", ""),
        ("300x200/filters:focal(10x20:110x120)", "enlarge=true focus=60px,70px,1px,1px height=200 width=300"),
        (
            "300x200/filters:focal(0x0:10x10):focal(100x100:130x110)",
            "enlarge=true focus=87px,80px,1px,1px height=200 width=300"
        ),
        (
            "300x200/smart/filters:focal(10x20:110x120)",
            "enlarge=true fallback=center focus=10px,20px,100px,100px gravity=faces height=200 width=300"
        ),
        (
            "100x100:400x400/30x20/filters:focal(10x20:80x90)",
            "enlarge=true gravity=center height=20 region=100px,100px,300px,300px width=30"
        ),
        ("fit-in/300x200/filters:fill(auto)", "background=average fit=pad height=200 width=300"),
        ("filters:round_corner(20)", "background=ffffff mask=rounded:20px"),
        ("filters:round_corner(20|20,255,0,16)", "background=ff0010 mask=rounded:20px"),
        ("filters:round_corner(20,0,0,0,1)", "mask=rounded:20px"), ("filters:round_corner(20|30)", ""),
        ("filters:attachment(x.png)", "download=x.png"), ("filters:attachment()", "download=a.jpg"),
        ("300x200/filters:focal(10x20:10x120)", "enlarge=true gravity=center height=200 width=300"),
        ("filters:blur(4)", "filter=blur:2.378007"), ("filters:blur(9,2)", "filter=blur:1.999961"),
        ("filters:blur(0)", ""), ("filters:grayscale():contrast(20)", "filter=mono,contrast:1.44"),
        ("filters:brightness(20)", "filter=contrast:0.714286,brightness:1.4"),
        ("filters:brightness(-20):saturation(1.3)", "filter=brightness:0.714286,contrast:1.4,saturation:1.3"),
        ("filters:strip_icc():strip_exif()", ""), ("meta", "format=json"), ("debug", "format=debug"),
    ])
    func `options are translated to parameters`(options: String, expected: String) throws {
        let path = options.isEmpty ? "" : "\(options)/"
        #expect(try translated("/unsafe/\(path)\(source)") == expected)
    }

    @Test(arguments: [
        ("example.com/a.jpg", "http://example.com/a.jpg"), ("http://h/a.jpg", "http://h/a.jpg"),
        ("https://h/a.jpg", "https://h/a.jpg"), ("https%3A%2F%2Fh%2Fa%2520b.jpg%3Fc", "https://h/a%20b.jpg?c"),
        ("b64:aHR0cDovL2gvYS5qcGc", "http://h/a.jpg"), ("b64:aHR0cDovL2gvYS5qcGc=", "http://h/a.jpg"),
        // A part that is out of order starts the source.
        ("smart/300x200/h/a.jpg", "http://300x200/h/a.jpg"), ("300x200", "http://300x200"),
        ("s3://bucket/a%20b.jpg", "s3://bucket/a%20b.jpg"), ("s3:/bucket/a.jpg", "s3://bucket/a.jpg"),
        ("local:///people/a.jpg", "local:///people/a.jpg"), ("local:/people/a.jpg", "local:///people/a.jpg"),
        ("s3%3A%2F%2Fbucket%2Fa.jpg", "s3://bucket/a.jpg"),
    ])
    func `sources are decoded once`(text: String, expected: String) throws {
        #expect(try ThumborURLFormat().translate(ForeignURL(path: "/unsafe/\(text)")).source == expected)
    }

    @Test(arguments: [
        ("unsafe/filters:watermark(x)/h/a.jpg", 501, "watermark"),
        ("unsafe/filters:nonsense()/h/a.jpg", 501, "nonsense"),
        ("unsafe/filters:extract_focal()/h/a.jpg", 501, "extract_focal"),
        ("unsafe/fit-in/3x2/filters:proportion(0.5)/h/a.jpg", 501, "proportion"),
        ("unsafe/trim/1x1:5x5/h/a.jpg", 501, "trim"), ("unsafe/origx0/h/a.jpg", 400, "orig"),
        ("unsafe/filters:expire(soon)/h/a.jpg", 400, "expire(soon)"),
        ("unsafe/filters:expire()/h/a.jpg", 400, "expire"),
        ("unsafe/filters:expire(99999999999999999999999)/h/a.jpg", 400, "expire"),
        ("unsafe/filters:expire(1%zz)/h/a.jpg", 400, "expire"), ("unsafe/b64:%25/a.jpg", 400, "base 64"),
        ("unsafe/", 400, "The source is missing: "),
        ("vOFBg7Wjj0K4ffjHVTZ7ZmTKJvc=/300x200/h/a.jpg", 400, "The signature is not valid: "),
    ])
    func `the error names a missing part`(path: String, status: Int, word: String) throws {
        let problem = #expect(throws: Problem.self) {
            _ = try ThumborURLFormat().translate(ForeignURL(path: "/\(path)"))
        }
        #expect(problem?.status.code == status)
        #expect(problem?.detail.contains(word) == true, "\(problem?.detail ?? "")")
    }

    @Test(arguments: [("max_age(3600)", 3600), ("max_age(0)", 0), ("max_age(2147483647)", 2_147_483_647)])
    func `max_age is the maximum freshness`(filter: String, expected: Int) throws {
        let translation = try ThumborURLFormat().translate(ForeignURL(path: "/unsafe/filters:\(filter)/h/a.jpg"))
        #expect(translation.maxAge == expected && translation.ignored.isEmpty)
    }

    @Test(arguments: [
        "max_age()", "max_age(-1)", "max_age(1d)", "max_age(2147483648)", "max_age(99999999999999999999)",
    ])
    func `an invalid max_age is ignored and listed`(filter: String) throws {
        let translation = try ThumborURLFormat().translate(ForeignURL(path: "/unsafe/filters:\(filter)/h/a.jpg"))
        #expect(translation.maxAge == nil && translation.ignored == ["max_age"])
    }

    @Test func `invalid arguments are ignored and listed`() throws {
        let path = "/unsafe/filters:quality(best):fill(nocolour):format(tiff)/h/a.jpg"
        let translation = try ThumborURLFormat().translate(ForeignURL(path: path))
        #expect(translation.ignored == ["quality", "fill", "format"])
    }

    @Test func `libthumbor's signature is accepted, and any other is rejected`() throws {
        let urlFormat = ThumborURLFormat(keys: try Secret.list("MY_SECURE_KEY", lengths: Secret.foreignLengths))
        let signed = "300x200/smart/example.com/a.jpg"
        for signature in ["vOFBg7Wjj0K4ffjHVTZ7ZmTKJvc=", "vOFBg7Wjj0K4ffjHVTZ7ZmTKJvc%3D"] {
            try urlFormat.verify(ForeignURL(path: "/\(signature)/\(signed)"))
        }
        for path in [
            "/vOFBg7Wjj0K4ffjHVTZ7ZmTKJvd=/\(signed)", "/vOFBg7Wjj0K4ffjHVTZ7ZmTKJvc/\(signed)", "/unsafe/\(signed)",
            "/\(signed)", "/", "",
            "/vOFBg7Wjj0K4ffjHVTZ7ZmTKJvc=/301x200/smart/example.com/a.jpg",
        ] {
            let problem = #expect(throws: Problem.self) { try urlFormat.verify(ForeignURL(path: path)) }
            #expect(problem?.status == .badRequest, "\(path)")
        }
    }
}
