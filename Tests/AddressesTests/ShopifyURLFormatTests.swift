import Addresses
import HeadroomAPI
import Requests
import TestPacing
import Testing

/// The URLs of Shopify's image CDN.
@Suite(.limitedConcurrency) struct ShopifyURLFormatTests {
    private static let origin = "https://origin.example/cdn"
    private static let source = "\(origin)/s/files/1/0688/a.jpg"
    private static let defaults = "format=auto"
    private static let urlFormat = ShopifyURLFormat(origin: OriginBase(origin))

    private static func row(
        _ query: String,
        _ parameters: String,
        ignored: [String] = [],
        source: String? = nil
    ) -> TranslationRow {
        TranslationRow("/s/files/1/0688/a.jpg\(query)", parameters, ignored: ignored, source: source)
    }

    /// The parameters of `image_url`, whose values are the values of the documentation's examples.
    static let rows = [
        row("", "fit=inside"), row("?width=450", "fit=inside&width=450"), row("?height=450", "fit=inside&height=450"),
        row("?v=1683744744&width=450", "fit=inside&width=450", source: "\(source)?v=1683744744"),
        row("?width=400&height=400", "fit=cover&gravity=center&width=400&height=400"),
        row("?width=400&height=400&crop=bottom", "fit=cover&gravity=bottom&width=400&height=400"),
        row("?width=400&height=300&crop=top", "fit=cover&gravity=top&width=400&height=300"),
        row("?width=400&height=300&crop=left", "fit=cover&gravity=left&width=400&height=300"),
        row("?width=400&height=300&crop=right", "fit=cover&gravity=right&width=400&height=300"),
        row(
            "?crop=region&crop_left=32&crop_top=32&crop_width=512&crop_height=512",
            "fit=inside&region=32px,32px,512px,512px"
        ),
        row(
            "?crop=region&crop_left=0&crop_top=77&crop_width=2160&crop_height=1358&width=800&height=500",
            "fit=cover&gravity=center&region=0px,77px,2160px,1358px&width=800&height=500"
        ),
        row("?width=450&format=pjpg", "fit=inside&width=450&format=jpeg&progressive=true"),
        row("?width=450&format=jpg", "fit=inside&width=450&format=jpeg"),
        row("?width=450&format=webp", "fit=inside&width=450&format=webp"),
        row("?width=400&height=300&pad_color=000", "fit=pad&background=000000&width=400&height=300"),
        row("?width=400&height=300&pad_color=ffaa00&crop=top", "fit=pad&background=ffaa00&width=400&height=300"),
        row("?width=400&pad_color=000", "fit=inside&width=400", ignored: ["pad_color"]),
        row("?width=400&crop=top", "fit=inside&width=400", ignored: ["crop"]),
        row("?width=400&crop_left=9", "fit=inside&width=400", ignored: ["crop_left"]),
        row("?width=400&quality=70&x=1", "fit=inside&width=400", ignored: ["quality", "x"]),
        row("?width=400&width=300", "fit=inside&width=400"),
    ]

    @Test(arguments: rows) func `parameters are translated`(row: TranslationRow) throws {
        let isAutomatic = !row.parameters.contains("format=")
        try row.check(Self.urlFormat, source: Self.source, defaults: isAutomatic ? Self.defaults : "")
    }

    /// The sizes and options of `img_url` in the name of a file.
    static let names = [
        TranslationRow("/b/a_300x200.jpg", "fit=inside&width=300&height=200"),
        TranslationRow("/b/a_300x.jpg", "fit=inside&width=300"),
        TranslationRow("/b/a_x200.jpg", "fit=inside&height=200"),
        TranslationRow("/b/a_300x200_crop_center.jpg", "fit=cover&gravity=center&width=300&height=200"),
        TranslationRow("/b/a_300x200_crop_top.jpg", "fit=cover&gravity=top&width=300&height=200"),
        TranslationRow("/b/a_300x200_crop_top@2x.jpg", "fit=cover&gravity=top&width=600&height=400"),
        TranslationRow("/b/a_300x@3x.jpg", "fit=inside&width=900"),
        TranslationRow("/b/a_small.jpg", "fit=inside&width=100&height=100"),
        TranslationRow("/b/a_grande.jpg", "fit=inside&width=600&height=600"),
        TranslationRow("/b/a_1024x1024.jpg", "fit=inside&width=1024&height=1024"),
        TranslationRow("/b/a_master.jpg", "fit=inside"),
        TranslationRow("/b/a_300x.jpg?width=200", "fit=inside&width=200"),
    ]

    @Test(arguments: names) func `options in the name of a file are translated`(row: TranslationRow) throws {
        try row.check(Self.urlFormat, source: "\(Self.origin)/b/a.jpg", defaults: Self.defaults)
    }

    @Test func `a suffix of the name requests a progressive JPEG`() throws {
        let row = TranslationRow("/b/a_300x.progressive.png", "fit=inside&width=300&format=jpeg&progressive=true")
        try row.check(Self.urlFormat, source: "\(Self.origin)/b/a.png", defaults: "")
    }

    @Test(arguments: [
        "a.jpg", "a_b.jpg", "a_x.jpg", "a_crop_top.jpg", "a@2x.jpg", "a_0x10.jpg", "a_300x200x1.jpg", "_300x.jpg",
        "a_300X.jpg", "a_3OOx.jpg", "a_-3x.jpg", "a_300x", "a_３x.jpg", "a_300x.b/c", "a_300x.%2Fc",
    ])
    func `other names are the names of files`(name: String) throws {
        let translation = try Self.urlFormat.translate(ForeignURL(path: "/b/\(name)"))
        #expect(translation.source == "\(Self.origin)/b/\(name)")
        #expect(translation[.width] == nil && translation[.height] == nil)
    }

    @Test(arguments: [
        ("/https://cdn.shopify.com/s/files/1/0688/a_300x.jpg", "https://cdn.shopify.com/s/files/1/0688/a.jpg"),
        ("/https%3A%2F%2Fcdn.shopify.com%2Fs%2Fa_300x.jpg", "https://cdn.shopify.com/s/a.jpg"),
    ])
    func `a source may be an absolute URL`(path: String, source: String) throws {
        let translation = try ShopifyURLFormat().translate(ForeignURL(path: path, query: "v=7"))
        #expect(translation.source == "\(source)?v=7" && translation[.width] == "300" && translation.namesOrigin)
    }

    static let refusals = [
        RefusalRow("/", 400, "a source"), RefusalRow("/a.jpg?width=0", 400, "width=0"),
        RefusalRow("/a.jpg?height=99999999999999999999", 400, "height="),
        RefusalRow("/a.jpg?width=1.5", 400, "width=1.5"),
        RefusalRow("/a.jpg?crop=middle", 400, "crop=middle"), RefusalRow("/a.jpg?pad_color=red", 400, "pad_color=red"),
        RefusalRow("/a.jpg?format=bmp", 400, "format=bmp"), RefusalRow("/a.jpg?crop=region", 400, "crop_left"),
        RefusalRow("/a.jpg?crop=region&crop_left=1&crop_top=1&crop_width=0&crop_height=9", 400, "crop_width=0"),
        RefusalRow("/a_99999x.jpg", 400, "the name of the file"), RefusalRow("/../a.jpg", 400, "a path without"),
    ]

    @Test(arguments: refusals) func `invalid values are rejected`(row: RefusalRow) { row.check(Self.urlFormat) }

    @Test func `a path needs a base URL`() {
        RefusalRow("/a.jpg", 400, "requires the setting --shopify-origin").check(ShopifyURLFormat())
    }
}
