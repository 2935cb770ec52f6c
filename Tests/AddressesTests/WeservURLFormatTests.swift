import Addresses
import HeadroomAPI
import TestPacing
import Testing

/// weserv's URLs.
@Suite(.limitedConcurrency) struct WeservURLFormatTests {
    private static let source = "http://example.com/a.jpg"
    private static let defaults = "format=source&animation=still&fit=inside"

    private static func row(_ query: String, _ parameters: String, ignored: [String] = []) -> TranslationRow {
        TranslationRow("/?url=example.com/a.jpg\(query)", parameters, ignored: ignored)
    }

    static let rows = [
        row("", "enlarge=true"), row("&w=30", "enlarge=true&width=30"), row("&w=30&we", "width=30"),
        row("&w=30&h=20&fit=fill", "fit=fill&enlarge=true&width=30&height=20"),
        row("&w=30&h=20&fit=outside", "fit=outside&enlarge=true&width=30&height=20"),
        row("&w=30&h=20&fit=cover", "fit=cover&enlarge=true&width=30&height=20&gravity=center"),
        row("&w=30&h=20&fit=cover&a=attention", "fit=cover&enlarge=true&width=30&height=20&gravity=faces"),
        row("&w=30&h=20&fit=cover&a=entropy", "fit=cover&enlarge=true&width=30&height=20&gravity=attention"),
        row("&w=30&h=20&fit=cover&a=top-left", "fit=cover&enlarge=true&width=30&height=20&gravity=top-left"),
        row(
            "&w=30&h=20&fit=cover&a=focal&fpx=0.2&fpy=0.3",
            "fit=cover&enlarge=true&width=30&height=20&gravity=point:0.2,0.3"
        ),
        row("&w=30&h=20&fit=contain", "fit=pad&enlarge=true&width=30&height=20&background=transparent"),
        row("&w=30&h=20&fit=contain&cbg=red", "fit=pad&enlarge=true&width=30&height=20&background=ff0000"),
        row("&w=30&dpr=2", "enlarge=true&width=60"), row("&bg=abc", "enlarge=true&background=aabbcc"),
        row("&cx=1&cy=2&cw=30&ch=40", "enlarge=true&region=1px,2px,30px,40px"), row("&trim", "enlarge=true&trim=10"),
        row("&trim=20", "enlarge=true&trim=20"), row("&flip", "enlarge=true&flip=vertical"),
        row("&flop&ro=90", "enlarge=true&rotate=90&flip=vertical"), row("&q=70", "enlarge=true&quality=70"),
        row("&w=30&h=20&fit=cover&a=focal-0.2-0.3", "fit=cover&enlarge=true&width=30&height=20&gravity=point:0.2,0.3"),
        row("&w=30&h=20&t=square&a=crop-20-30", "fit=cover&enlarge=true&width=30&height=20&gravity=point:0.2,0.3"),
        row("&w=30&h=20&t=squaredown", "fit=cover&width=30&height=20&gravity=center"),
        row("&w=30&t=fit", "width=30"), row("&crop=30,20,1,2", "enlarge=true&region=1px,2px,30px,20px"),
        row("&output=avif&precrop", "format=avif&enlarge=true", ignored: ["precrop"]),
        row("&output=webp&n=-1", "format=webp&enlarge=true"),
        row("&output=jpg&il", "enlarge=true&format=jpeg&progressive=true"),
        row("&filt=greyscale&blur=3", "enlarge=true&filter=mono,blur:3"),
        row("&mod=1.2,0.5&con=-20", "enlarge=true&filter=brightness:1.2,saturation:0.5,contrast:0.8"),
        row("&sat=0&blur", "enlarge=true&filter=saturation:0,blur:1"),
        row("&gam=3&hue=-90&bri=20", "enlarge=true&filter=brightness:1.2,hue:270,gamma:3"),
        row("&gam", "enlarge=true&filter=gamma:2.2"), row("&mod=1,1,450", "enlarge=true&filter=hue:90"),
        row("&sharp=5,4,2", "enlarge=true&filter=sharpen:2", ignored: ["sharp: flat, jagged"]),
        row("&con=2.5", "enlarge=true&filter=contrast:1.025"), row("&blur=0", "enlarge=true"),
        row("&ro=-90", "enlarge=true&rotate=270"), row("&ro=450", "enlarge=true&rotate=90"), row("&ro", "enlarge=true"),
        row(
            "&w=30&h=20&fit=contain&a=top-left",
            "fit=pad&enlarge=true&width=30&height=20&gravity=top-left&background=transparent"
        ),
        row("&w=9&h=9&fit=cover&a=t", "fit=cover&enlarge=true&width=9&height=9&gravity=top"),
        row(
            "&w=9&h=9&fit=cover&shape=circle&mtrim",
            "fit=cover&enlarge=true&width=9&height=9&gravity=center&mask=circle"
        ),
        row("&cw=30", "enlarge=true&region=0px,0px,30px,1"),
        row("&w=9&cx=1&cy=2&cw=30&ch=40&precrop", "enlarge=true&width=9&region=1px,2px,30px,40px"),
        row("&v=4&t=1700000000", "enlarge=true", ignored: ["v", "t"]), row("&page=0&n=1", "enlarge=true"),
        row("&maxage=1d&filename=x", "enlarge=true&download=x"), row("&maxage=1h", "enlarge=true", ignored: ["maxage"]),
        row("&mask=ellipse&mbg=f00", "enlarge=true&mask=circle&background=ff0000"),
        row("&w=9&h=9&fit=cover&mask=circle", "fit=cover&enlarge=true&width=9&height=9&gravity=center&mask=circle"),
    ]

    @Test(arguments: rows) func `parameters are translated`(row: TranslationRow) throws {
        var defaults = Self.defaults
        if row.address.contains("n=-1") { defaults = "format=source&fit=inside" }
        try row.check(WeservURLFormat(), source: Self.source, defaults: defaults)
    }

    @Test(arguments: [
        ("1d", 86_400), ("31d", 2_678_400), ("1w", 604_800), ("1M", 2_592_000), ("1y", 31_536_000), ("1d12h", 129_600),
        ("90000", 90_000), ("90000s", 90_000), ("1d30", 86_430), ("24h", 86_400), ("1w1d1h1m1s", 694_861),
    ])
    func `maxage is the maximum freshness`(text: String, expected: Int) throws {
        let translation = try WeservURLFormat().translate(.init(path: "/", query: "url=h/a.jpg&maxage=\(text)"))
        #expect(translation.maxAge == expected && translation.ignored.isEmpty)
    }

    @Test(arguments: [
        "", "1", "1h", "23h", "2y", "366d", "d", "1x", "1d1d", "1h1d", "-1d", "1.5d", "1D", "9999999999999999999y",
        "1d%20",
        "999999999y999999999M",
    ])
    func `a maxage that weserv ignores is reported`(text: String) throws {
        let translation = try WeservURLFormat().translate(.init(path: "/", query: "url=h/a.jpg&maxage=\(text)"))
        #expect(translation.maxAge == nil && translation.ignored == ["maxage"])
    }

    @Test(arguments: [
        ("https%3A%2F%2Fh%2Fa.jpg%3Fb%3Dc", "https://h/a.jpg?b=c"), ("ssl:h/a.jpg", "https://h/a.jpg"),
        ("//h/a.jpg", "https://h/a.jpg"), ("http:/h/a.jpg", "http://h/a.jpg"),
    ])
    func `a source URL needs no scheme`(text: String, expected: String) throws {
        let address = TranslationRow.parts("/?url=\(text)&w=3")
        #expect(try WeservURLFormat().translate(address).source == expected)
    }

    static let refusals = [
        RefusalRow("/", 400, "url is missing: "), RefusalRow("/?w=3", 400, "url is missing: "),
        RefusalRow("/a.jpg", 404, "a.jpg"),
        RefusalRow("/?url=h/a.jpg&w=0", 400, "w=0"), RefusalRow("/?url=h/a.jpg&w=99999999999999999999", 400, "w="),
        RefusalRow("/?url=h/a.jpg&fit=squeeze", 400, "fit=squeeze"),
        RefusalRow("/?url=h/a.jpg&mask=circle", 501, "mask"),
        RefusalRow("/?url=h/a.jpg&ro=45", 501, "ro=45"), RefusalRow("/?url=h/a.jpg&cw=0", 400, "cw"),
        RefusalRow("/?url=h/a.jpg&output=tiff", 501, "tiff"), RefusalRow("/?url=h/a.jpg&mod=1,-1", 400, "mod"),
        RefusalRow("/?url=h/a.jpg&w=9&cx=1&cy=2&cw=30&ch=40", 501, "precrop"),
        RefusalRow("/?url=h/a.jpg&page=2", 501, "page=2"),
        RefusalRow("/?url=h/a.jpg&n=3", 501, "n=3 (number of pages)"),
        RefusalRow("/?url=h/a.jpg&encoding=base64", 501, "encoding=base64"),
        RefusalRow("/?url=h/a.jpg&tint=red", 501, "tint"),
        RefusalRow("/?url=h/a.jpg&filt=duotone", 501, "filt=duotone"),
        RefusalRow("/?url=h/a.jpg&w=9000&dpr=8", 400, "w"), RefusalRow("/?url=h/a.jpg&con=999", 400, "con"),
    ]

    @Test(arguments: refusals) func `unsupported parameters are rejected`(row: RefusalRow) {
        row.check(WeservURLFormat())
    }
}
