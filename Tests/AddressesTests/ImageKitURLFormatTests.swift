import Addresses
import HeadroomAPI
import Requests
import TestPacing
import Testing

/// ImageKit's URLs.
@Suite(.limitedConcurrency) struct ImageKitURLFormatTests {
    private static let source = "https://origin.example/base/a.jpg"
    private static let defaults = "format=auto"

    private func urlFormat() throws -> ImageKitURLFormat {
        let origin = try #require(OriginBase("https://origin.example/base"))
        return ImageKitURLFormat(origin: origin)
    }

    private static func row(_ steps: String, _ parameters: String, ignored: [String] = []) -> TranslationRow {
        TranslationRow("/tr:\(steps)/a.jpg", parameters, ignored: ignored)
    }

    static let rows = [
        row("w-30", "enlarge=true&width=30"),
        row("w-30,h-20", "enlarge=true&width=30&height=20&gravity=center"),
        row("w-30,h-20,fo-face", "enlarge=true&width=30&height=20&gravity=faces&fallback=center"),
        row("w-30,h-20,fo-auto", "enlarge=true&width=30&height=20&gravity=faces"),
        row("w-30,h-20,fo-dog", "enlarge=true&width=30&height=20&gravity=object:dog"),
        row("w-30,h-20,fo-top_left", "enlarge=true&width=30&height=20&gravity=top-left"),
        row(
            "w-30,h-20,fo-face,z-0.5",
            "enlarge=true&width=30&height=20&gravity=faces&fallback=center&zoom=1&padding=0.5"
        ),
        row("ar-16-9,w-32", "enlarge=true&aspect=1.777778&width=32&gravity=center"),
        row("ar-4-3,w-32,c-at_max", "fit=inside&width=32&height=24"),
        row("ar-285-223,w-320,c-at_max,dpr-2", "fit=inside&width=640&height=501"),
        row("ar-4-3,h-30,c-force", "fit=fill&enlarge=true&width=40&height=30"),
        row("ar-4-3,w-32,c-at_least", "fit=outside&enlarge=true&width=32&height=24"),
        row("ar-1-2,h-40,cm-pad_resize,bg-F00", "fit=pad&enlarge=true&width=20&height=40&background=ff0000"),
        row("ar-1-1,w-30,h-20", "enlarge=true&width=30&height=20&gravity=center"),
        row("ar-4-3,c-at_max", "fit=inside"),
        row("w-30,h-20,c-force", "fit=fill&enlarge=true&width=30&height=20"),
        row("w-30,h-20,c-at_max", "fit=inside&width=30&height=20"),
        row("w-30,h-20,c-at_least", "fit=outside&enlarge=true&width=30&height=20"),
        row("w-30,h-20,cm-pad_resize,bg-F00", "fit=pad&enlarge=true&width=30&height=20&background=ff0000"),
        row("w-30,h-20,cm-extract", "region=center,30px,20px"),
        row("w-30,h-20,cm-extract,x-1,y-2", "region=1px,2px,30px,20px"),
        row("w-30,dpr-2", "enlarge=true&width=60"), row("q-70,f-webp", "quality=70&format=webp"),
        row("e-grayscale,bl-10", "filter=mono,blur:5"), row("w-30:rt-180", "enlarge=true&width=30&rotate=180"),
        row("rt-90", "rotate=90"), row("fl-h", "flip=horizontal"), row("t-true", "trim=10"),
        row("w-0.5", "enlarge=true&width=50%"), row("r-max", "mask=circle"), row("r-20,dpr-2", "mask=rounded:40px"),
        row("blur-10", "filter=blur:5"), row("e-blur-4,bl-0", "filter=blur:2"),
        row("width-30,height-20,focus-top", "enlarge=true&width=30&height=20&gravity=top"),
        row("e-usm-2-2-0.8-0.024", "filter=sharpen:0.8:2"), row("q-auto", ""),
        row("w-30,lo-true", "enlarge=true&width=30", ignored: ["lo-true"]),
        row(
            "w-30,h-20,c-pad_resize,fo-bottom,bg-FFFFFF,r-9",
            "fit=pad&enlarge=true&width=30&height=20&gravity=bottom&background=ffffff&mask=rounded:9px"
        ),
        row("w-30,h-20,cm-at_max", "fit=inside&width=30&height=20"),
        row(
            "w-3,h-2,cm-pad_resize,bg-dominant",
            "fit=pad&enlarge=true&width=3&height=2&background=average",
            ignored: ["bg-dominant"]
        ),
        row("w-iw_div_2", "enlarge=true&width=50%"), row("h-ih_mul_0.25", "enlarge=true&height=25%"),
        row("w-30,h-20,cm-extract,xc-100,yc-5", "region=85px,0px,30px,20px"),
        row("w-0.5,h-20,cm-extract", "region=center,0.5,20px"),
        row("w-30,h-20,cm-extract,fo-face", "fit=crop&width=30&height=20&gravity=faces&fallback=center"),
        row("w-30,h-20,cm-extract,x-1,y-2:w-15", "region=1px,2px,30px,20px&enlarge=true&width=15"),
        row(
            "cm-extract,w-40,h-40:w-20,h-10,fo-top",
            "region=center,40px,40px&enlarge=true&width=20&height=10&gravity=top"
        ),
        row("w-40,h-30:w-20", "enlarge=true&width=20&height=15&gravity=center"),
        row("w-40,h-30:rt-90", "enlarge=true&width=30&height=40&gravity=center&rotate=90"),
        row("ar-4-1,w-40:rt-270", "enlarge=true&height=40&aspect=0.25&gravity=center&rotate=270"),
        row("w-30,h-30,rt-90", "enlarge=true&width=30&height=30&gravity=center&rotate=90"),
        row("r-5_5_5_5", "mask=rounded:5px"), row("cp-true,pg-1", "profile=keep"),
        row("md-true", "metadata=copyright", ignored: ["md-true"]),
    ]

    @Test(arguments: rows) func `transformations are translated`(row: TranslationRow) throws {
        let format = row.address.contains("f-webp") ? "" : Self.defaults
        try row.check(try urlFormat(), source: Self.source, defaults: format)
    }

    @Test(arguments: [
        ("/a.jpg?tr=w-30", "https://origin.example/base/a.jpg"), ("/a.jpg", "https://origin.example/base/a.jpg"),
        ("/a.jpg?v=2&tr=w-30&ik-s=abc", "https://origin.example/base/a.jpg?v=2"),
        ("/tr%3Aw-30%2Ch-20/a.jpg", "https://origin.example/base/a.jpg"),
        ("/x/tr:w-30/a.jpg?ik-sdk-version=react-1", "https://origin.example/base/x/a.jpg"),
        ("/tr:w-30/https://h/b.jpg", "https://h/b.jpg"), ("/tr:w-30/https%3A%2F%2Fh%2Fb.jpg", "https://h/b.jpg"),
    ])
    func `sources are paths or URLs`(address: String, expected: String) throws {
        let translation = try urlFormat().translate(TranslationRow.parts(address))
        #expect(translation.source == expected)
        #expect((translation[.width] == "30") == address.contains("w-30"))
    }

    static let refusals = [
        RefusalRow("/a.jpg?tr=w-30%zz", 400, "tr=w-30"), RefusalRow("/tr:w-30", 400, "tr:w-30"),
        RefusalRow("/tr:w-30/", 400, "source"),
        RefusalRow("/tr:w-0/a.jpg", 400, "w-0"), RefusalRow("/tr:w-0.6,dpr-2/a.jpg", 501, "w-0.6"),
        RefusalRow("/tr:b-5_F00/a.jpg", 501, "b-5_F00 (border)"),
        RefusalRow("/tr:l-text,i-x,l-end/a.jpg", 501, "l-text"),
        RefusalRow("/tr:w-30:w-20/a.jpg", 501, "w-20"), RefusalRow("/tr:e-shadow/a.jpg", 501, "e-shadow"),
        RefusalRow("/tr:fo-unicorn,w-3,h-3/a.jpg", 501, "fo-unicorn"), RefusalRow("/tr:ar-16/a.jpg", 400, "ar-16"),
        RefusalRow("/tr:w-30/../a.jpg", 400, ".."), RefusalRow("/tr:w-30,rt-90/a.jpg", 501, "rt-90"),
        RefusalRow("/tr:w-9000,dpr-5/a.jpg", 400, "w-9000"), RefusalRow("/tr:n-small/a.jpg", 501, "n-small (named"),
        RefusalRow("/tr:r-1_2/a.jpg", 501, "r-1_2 (different radii)"), RefusalRow("/tr:pg-2/a.jpg", 501, "pg-2 (page)"),
        RefusalRow("/tr:w-iw_mul_2/a.jpg", 501, "w-iw_mul_2"), RefusalRow("/tr:w-ih/a.jpg", 400, "w-ih"),
        RefusalRow("/tr:w-3,h-2,cm-extract,fo-face:w-2/a.jpg", 501, "fo-face"),
        RefusalRow("/tr:w-3,h-2,cm-pad_resize,bg-genfill/a.jpg", 501, "bg-genfill (background)"),
        RefusalRow("/tr:w-40,h-30:w-20,h-20/a.jpg", 501, "w-20,h-20"),
    ]

    @Test(arguments: refusals) func `unsupported transformations are rejected`(row: RefusalRow) throws {
        row.check(try urlFormat())
    }

    @Test(arguments: [
        ("di-none.png", "https://origin.example/base/none.png"),
        ("di-x@@none.png", "https://origin.example/base/x/none.png"),
        ("di-https:@@@@h@@none.png", "https://h/none.png"),
    ])
    func `a default image becomes the fallback image`(step: String, expected: String) throws {
        #expect(try urlFormat().translate(TranslationRow.parts("/tr:w-30,\(step)/a.jpg")).fallbackImage == expected)
        #expect(throws: Problem.self) {
            _ = try ImageKitURLFormat().translate(TranslationRow.parts("/tr:di-none.png/https://h/b.jpg"))
        }
    }

    @Test func `paths require an origin`() {
        RefusalRow("/tr:w-30/a.jpg", 400, "requires the setting --imagekit-origin").check(ImageKitURLFormat())
    }
}
