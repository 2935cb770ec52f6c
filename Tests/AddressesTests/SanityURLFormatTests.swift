import Addresses
import HeadroomAPI
import TestPacing
import Testing

/// The URLs of Sanity's image pipeline.
@Suite(.limitedConcurrency) struct SanityURLFormatTests {
    private static let origin = "https://origin.example/base"
    private static let path = "/images/zp7mbokg/production/G3i4emG6B8JnTmGoN0UjgAp8-300x450.jpg"
    private static let clip = "fit=inside&enlarge=true"
    private static let crop = "fit=cover&enlarge=true&width=200&height=200"
    private static let urlFormat = SanityURLFormat(origin: OriginBase(origin))

    private static func row(_ query: String, _ parameters: String, ignored: [String] = []) -> TranslationRow {
        TranslationRow("\(path)\(query)", parameters, ignored: ignored)
    }

    /// The parameters of the documentation, with the values of its examples and of its client.
    static let rows = [
        row("", clip), row("?w=200", "\(clip)&width=200"), row("?h=200", "\(clip)&height=200"),
        row("?w=200&h=100", "\(clip)&width=200&height=100"), row("?fit=clip&w=200", "\(clip)&width=200"),
        row("?w=200&h=200&fit=crop", "\(crop)&gravity=center"),
        row("?w=200&h=200&fit=crop&crop=entropy", "\(crop)&gravity=attention"),
        row("?w=200&h=200&fit=crop&crop=top", "\(crop)&gravity=top"),
        row("?w=200&h=200&fit=crop&crop=bottom,left", "\(crop)&gravity=bottom-left"),
        row("?w=200&h=200&fit=crop&crop=center", "\(crop)&gravity=center"),
        row("?w=200&h=200&fit=crop&crop=focalpoint&fp-x=0.3&fp-y=0.2", "\(crop)&gravity=point:0.3,0.2"),
        row("?w=200&h=200&fit=max", "fit=inside&enlarge=false&width=200&height=200"),
        row("?w=200&h=200&fit=min", "fit=cover&gravity=center&enlarge=false&width=200&height=200"),
        row("?w=200&h=200&fit=scale", "fit=fill&enlarge=true&width=200&height=200"),
        row("?w=200&h=200&fit=fill&bg=f00", "fit=pad&enlarge=true&background=ff0000&width=200&height=200"),
        row("?w=200&h=200&fit=fillmax&bg=f00", "fit=pad&enlarge=false&background=ff0000&width=200&height=200"),
        row("?max-w=200", "fit=inside&enlarge=false&width=200"),
        row("?rect=70,20,120,150", "\(clip)&region=70px,20px,120px,150px"),
        row("?w=200&dpr=2", "\(clip)&width=400"), row("?w=200&q=50", "\(clip)&width=200&quality=50"),
        row("?or=90", "\(clip)&rotate=90"), row("?or=0", clip), row("?or=180&w=200", "\(clip)&rotate=180&width=200"),
        row("?or=90&w=200", "\(clip)&rotate=90&width=200"),
        row("?or=270&w=200&h=100", "\(clip)&rotate=270&width=200&height=100"),
        row("?flip=h", "\(clip)&flip=horizontal"), row("?flip=hv", "\(clip)&flip=both"),
        row("?bg=ff00", "\(clip)&background=ff0000"), row("?bg=f00", "\(clip)&background=ff0000"),
        row("?invert=true", "\(clip)&filter=invert"), row("?sat=-100", "\(clip)&filter=saturation:0"),
        row("?blur=50", "\(clip)&filter=blur:2.5"), row("?sharp=20", "\(clip)&filter=sharpen:1"),
        row("?dl=a.jpg", "\(clip)&download=a.jpg"), row("?frame=1", "\(clip)&animation=still"),
        row("?w=200&v=1&w=100", "\(clip)&width=200", ignored: ["v"]), row("?w=&pad=0", clip),
    ]

    @Test(arguments: rows) func `parameters are translated`(row: TranslationRow) throws {
        try row.check(Self.urlFormat, source: "\(Self.origin)\(Self.path)", defaults: "format=source")
    }

    @Test(arguments: [
        row("?auto=format&fit=max&w=720", "fit=inside&enlarge=false&format=auto&width=720"),
        row("?fm=webp", "\(clip)&format=webp"), row("?fm=jpg", "\(clip)&format=jpeg"),
        row("?fm=png", "\(clip)&format=png"),
        row("?fm=pjpg", "\(clip)&format=jpeg&progressive=true"),
    ])
    func `formats are translated`(row: TranslationRow) throws {
        try row.check(Self.urlFormat, source: "\(Self.origin)\(Self.path)", defaults: "")
    }

    @Test func `a source may be an absolute URL, and only this source is a part of the URL`() throws {
        let text = "https://cdn.sanity.io/images/zp7mbokg/production/a-300x450.jpg"
        let whole = try SanityURLFormat().translate(ForeignURL(path: "/\(text)", query: "w=200"))
        #expect(whole.source == text && whole.namesOrigin)
        #expect(try !Self.urlFormat.translate(ForeignURL(path: Self.path)).namesOrigin)
    }

    static let refusals = [
        RefusalRow("/", 400, "a source"), RefusalRow("/a.jpg?fit=facearea&w=9&h=9", 400, "fit=facearea"),
        RefusalRow("/a.jpg?fit=clamp&w=9&h=9", 400, "fit=clamp"),
        RefusalRow("/a.jpg?fit=crop,max", 400, "fit=crop,max"),
        RefusalRow("/a.jpg?w=9&h=9&fit=crop&crop=faces", 400, "crop=faces"),
        RefusalRow("/a.jpg?fm=json", 400, "fm=json"),
        RefusalRow("/a.jpg?or=45", 400, "or=45"), RefusalRow("/a.jpg?w=x", 400, "w=x"),
        RefusalRow("/a.jpg?pad=10", 501, "padding"), RefusalRow("/a.jpg?dlRaw=a.svg", 501, "stored file"),
        RefusalRow("/a.jpg?fp-debug=true", 501, "fp-debug"),
        RefusalRow("/a.jpg?or=90&w=9&h=9&fit=crop&crop=top", 501, "orientation"),
        RefusalRow("/a.jpg?or=90&rect=1,2,3,4", 501, "orientation"), RefusalRow("/a.jpg?frame=2", 501, "frame=2"),
        RefusalRow("/../a.jpg", 400, "a path without"),
    ]

    @Test(arguments: refusals) func `other values are rejected`(row: RefusalRow) { row.check(Self.urlFormat) }

    @Test func `a path needs a base URL`() {
        RefusalRow("/a.jpg", 400, "requires the setting --sanity-origin").check(SanityURLFormat())
    }
}
