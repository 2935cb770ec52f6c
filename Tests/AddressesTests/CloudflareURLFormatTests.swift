import Addresses
import HTTPTypes
import HeadroomAPI
import TestPacing
import Testing

/// Cloudflare's URLs.
@Suite(.limitedConcurrency) struct CloudflareURLFormatTests {
    private static let source = "http://example.com/a.jpg"
    private static let defaults = "metadata=copyright&format=source"

    private static func row(
        _ options: String,
        _ parameters: String,
        ignored: [String] = []
    ) -> TranslationRow {
        TranslationRow("/\(options)/\(source)", parameters, ignored: ignored)
    }

    static let rows = [
        row("width=80", "fit=inside&enlarge=false&width=80"),
        row("w=80,h=60", "fit=inside&enlarge=false&width=80&height=60"),
        row("width=80,dpr=2", "fit=inside&enlarge=false&width=160"),
        row("width=80,dpr=3", "fit=inside&enlarge=false&width=160"),
        row("width=80,dpr=0.5", "fit=inside&enlarge=false&width=40"),
        row("width=80,width=90", "fit=inside&enlarge=false&width=90"),
        row("fit=scale-down,w=80", "fit=inside&enlarge=false&width=80"),
        row("fit=contain,w=80,h=60", "fit=inside&enlarge=true&width=80&height=60"),
        row("fit=cover,w=80,h=60", "fit=cover&enlarge=true&width=80&height=60&gravity=center"),
        row("fit=crop,w=80,h=60", "fit=limit&enlarge=false&width=80&height=60&gravity=center"),
        row("fit=aspect-crop,w=80,h=60", "fit=cover&enlarge=false&width=80&height=60&gravity=center"),
        row("fit=pad,w=80,h=60", "fit=pad&enlarge=true&width=80&height=60"),
        row("fit=squeeze,w=80,h=60", "fit=fill&enlarge=true&width=80&height=60"),
        row("fit=cover,g=auto", "fit=cover&enlarge=true&gravity=faces&fallback=attention"),
        row("fit=cover,gravity=face", "fit=cover&enlarge=true&gravity=faces&fallback=center"),
        row("fit=cover,g=face,zoom=0.5", "fit=cover&enlarge=true&gravity=faces&fallback=center&zoom=0.5"),
        row("fit=cover,g=face,face-zoom=1", "fit=cover&enlarge=true&gravity=faces&fallback=center&zoom=1"),
        row("fit=cover,g=left,zoom=0.5", "fit=cover&enlarge=true&gravity=left"),
        row("fit=cover,g=right", "fit=cover&enlarge=true&gravity=right"),
        row("fit=cover,g=top", "fit=cover&enlarge=true&gravity=top"),
        row("fit=cover,g=bottom", "fit=cover&enlarge=true&gravity=bottom"),
        row("fit=cover,g=0.5x0.33", "fit=cover&enlarge=true&gravity=point:0.5,0.33"),
        row("fit=cover,g=0x1", "fit=cover&enlarge=true&gravity=point:0,1"),
        row("g=face,w=80", "fit=inside&enlarge=false&width=80"),
        row("q=50", "fit=inside&enlarge=false&quality=50"),
        row("quality=high", "fit=inside&enlarge=false&quality=90"),
        row("quality=medium-high", "fit=inside&enlarge=false&quality=80"),
        row("quality=medium-low", "fit=inside&enlarge=false&quality=65"),
        row("quality=low", "fit=inside&enlarge=false&quality=50"),
        row("f=auto", "fit=inside&enlarge=false&format=auto"),
        row("format=webp", "fit=inside&enlarge=false&format=webp"),
        row("format=avif", "fit=inside&enlarge=false&format=avif"),
        row("format=jpeg", "fit=inside&enlarge=false&format=jpeg"),
        row("format=baseline-jpeg", "fit=inside&enlarge=false&format=jpeg"),
        row("format=json", "fit=inside&enlarge=false&format=json"),
        row("fit=pad,w=8,h=6,background=red", "fit=pad&enlarge=true&width=8&height=6&background=ff0000"),
        row("fit=pad,background=%23a1b2c3", "fit=pad&enlarge=true&background=a1b2c3"),
        row("fit=pad,background=%23abc", "fit=pad&enlarge=true&background=aabbcc"),
        row("fit=pad,background=%23a1b2c300", "fit=pad&enlarge=true&background=transparent"),
        row("fit=pad,background=%23a1b2c380", "fit=pad&enlarge=true&background=a1b2c3", ignored: ["background: alpha"]),
        row("fit=pad,background=rgb(255%2C128%2C0)", "fit=pad&enlarge=true&background=ff8000"),
        row("fit=pad,background=rgb(100%25%20050%25%200%25)", "fit=pad&enlarge=true&background=ff8000"),
        row("fit=pad,background=RebeccaPurple", "fit=pad&enlarge=true&background=663399"),
        row("fit%3Dpad%2Cbackground%3Drgb(255%2C128%2C0)", "fit=pad&enlarge=true&background=ff8000"),
        row("width%3d30%2cheight%3d20", "fit=inside&enlarge=false&width=30&height=20"),
        row("fit=contain%2Cwidth=30", "fit=inside&enlarge=true&width=30"),
        row("width=auto", "fit=inside&enlarge=false", ignored: ["width=auto"]),
        row("trim=10;0;0;20", "fit=inside&enlarge=false&region=20px,10px,1,1"),
        row("trim=10%3B0%3B0%3B20,dpr=2", "fit=inside&enlarge=false&region=40px,20px,1,1"),
        row(
            "trim.left=1,trim.top=2,trim.width=30,trim.height=40",
            "fit=inside&enlarge=false&region=1px,2px,30px,40px"
        ),
        row("trim.width=30", "fit=inside&enlarge=false&region=0,0,30px,1"),
        row("rotate=90,w=80", "fit=inside&enlarge=false&width=80&rotate=90"),
        row("rotate=0,flip=h", "fit=inside&enlarge=false&flip=horizontal"),
        row("flip=v", "fit=inside&enlarge=false&flip=vertical"),
        row("flip=hv", "fit=inside&enlarge=false&flip=both"),
        row("anim=false", "fit=inside&enlarge=false&animation=still"),
        row("anim=true", "fit=inside&enlarge=false"),
        row("metadata=keep", "fit=inside&enlarge=false", ignored: ["metadata=keep"]),
        row("metadata=none", "fit=inside&enlarge=false"),
        row(
            "onerror=redirect,compression=fast,sharpen=1,scq=50",
            "fit=inside&enlarge=false&filter=sharpen:1",
            ignored: ["onerror=redirect", "compression=fast", "scq=50"]
        ),
        row("gamma=0.5,sharpen=2.5", "fit=inside&enlarge=false&filter=gamma:0.5,sharpen:2.5"),
        row("gamma=0,sharpen=0,border=0,upscale=interpolate", "fit=inside&enlarge=false"),
        row("trim=20;30;20;0", "fit=inside&enlarge=false&region=inset,20px,30px,20px,0px"),
        row("trim=1;2;0;3,dpr=2", "fit=inside&enlarge=false&region=inset,2px,4px,0px,6px"),
        row("trim=0;5;0;0,trim.top=7", "fit=inside&enlarge=false&region=inset,7px,5px,0px,0px"),
        row("trim=border,w=8", "fit=inside&enlarge=false&trim=10&width=8"),
        row("dpr=auto,w=8, h=6", "fit=inside&enlarge=false&width=8&height=6"),
        row("fit=cover,g=entropy", "fit=cover&enlarge=true&gravity=attention"),
        row("blur=0,brightness=1", "fit=inside&enlarge=false"),
        row("blur=50,saturation=0", "fit=inside&enlarge=false&filter=saturation:0,blur:20"),
        row(
            "saturation=0.5,brightness=1.2,contrast=1.0",
            "fit=inside&enlarge=false&filter=brightness:1.2,saturation:0.5"
        ),
    ]

    @Test(arguments: rows) func `options are translated`(row: TranslationRow) throws {
        try row.check(CloudflareURLFormat(), source: Self.source, defaults: Self.defaults)
    }

    static let sources = [
        ("/w=8/https://example.com/a%20b.jpg?x=1&y=2", "https://example.com/a%20b.jpg?x=1&y=2"),
        ("/w=8/https:/example.com/a.jpg", "https://example.com/a.jpg"),
        ("/w=8/HTTPS://example.com/a.jpg", "https://example.com/a.jpg"),
        ("/w=8/https%3A%2F%2Fexample.com%2Fa%2520b.jpg", "https://example.com/a%20b.jpg"),
        ("/w=8/https:%2F%2Fexample.com%2Fa.jpg", "https://example.com/a.jpg"),
        ("/w=8/uploads/a.jpg", "https://origin.example/base/uploads/a.jpg"),
        ("/w=8//uploads/a.jpg?v=1", "https://origin.example/base/uploads/a.jpg?v=1"),
    ]

    @Test(arguments: sources) func `a source is a URL or a path`(address: String, source: String) throws {
        let urlFormat = CloudflareURLFormat(origin: OriginBase("https://origin.example/base/"))
        #expect(try urlFormat.translate(TranslationRow.parts(address)).source == source)
    }

    static let refusals = [
        RefusalRow("/a.jpg", 400, "OPTIONS/SOURCE"),
        RefusalRow("/width/http://example.com/a.jpg", 400, "width is not valid"),
        RefusalRow("//http://example.com/a.jpg", 400, "option"),
        RefusalRow("/color=red/http://example.com/a.jpg", 400, "color=red"),
        RefusalRow("/width=0/http://example.com/a.jpg", 400, "width=0"),
        RefusalRow("/width=-1/http://example.com/a.jpg", 400, "width=-1"),
        RefusalRow("/width=1e3/http://example.com/a.jpg", 400, "width=1e3"),
        RefusalRow("/width=9999999999999999999/http://example.com/a.jpg", 400, "width=999"),
        RefusalRow("/width=9000,dpr=2/http://example.com/a.jpg", 400, "width=9000"),
        RefusalRow("/fit=fill/http://example.com/a.jpg", 400, "fit=fill"),
        RefusalRow("/fit=cover,gravity=1.1x0/http://example.com/a.jpg", 400, "gravity=1.1x0"),
        RefusalRow("/fit=cover,gravity=north/http://example.com/a.jpg", 400, "gravity=north"),
        RefusalRow("/fit=cover,gravity=face,zoom=2/http://example.com/a.jpg", 400, "zoom=2"),
        RefusalRow("/quality=0/http://example.com/a.jpg", 400, "quality=0"),
        RefusalRow("/quality=best/http://example.com/a.jpg", 400, "quality=best"),
        RefusalRow("/format=tiff/http://example.com/a.jpg", 400, "format=tiff"),
        RefusalRow("/blur=251/http://example.com/a.jpg", 400, "blur"),
        RefusalRow("/gamma=-2/http://example.com/a.jpg", 400, "gamma"),
        RefusalRow("/sharpen=11/http://example.com/a.jpg", 400, "sharpen"),
        RefusalRow("/border=5/http://example.com/a.jpg", 501, "border=5"),
        RefusalRow("/upscale=generate/http://example.com/a.jpg", 501, "upscale=generate"),
        RefusalRow("/fit=scale-up,w=9/http://example.com/a.jpg", 501, "fit=scale-up"),
        RefusalRow("/brightness=11/http://example.com/a.jpg", 400, "brightness=11"),
        RefusalRow("/segment=foreground/http://example.com/a.jpg", 501, "segment"),
        RefusalRow("/fit=pad,background=reddish/http://example.com/a.jpg", 400, "background=reddish"),
        RefusalRow("/rotate=45/http://example.com/a.jpg", 400, "rotate=45"),
        RefusalRow("/trim=1;2;3/http://example.com/a.jpg", 400, "trim=1;2;3"),
        RefusalRow("/trim=0;5;0;0,trim.width=9/http://example.com/a.jpg", 501, "trim"),
        RefusalRow("/w=8/uploads/a.jpg", 400, "requires the setting --cloudflare-origin"),
        RefusalRow("/w=8/%FF", 400, "requires the setting --cloudflare-origin"),
        RefusalRow("/w=%FF/http://example.com/a.jpg", 400, "width=%FF"),
    ]

    @Test(arguments: refusals) func `other URLs are rejected`(row: RefusalRow) {
        row.check(CloudflareURLFormat())
    }

    @Test(arguments: ["../a.jpg", "x/%2e%2e/a.jpg", "x/%252e%252e/a.jpg", "x%2F..%2Fa.jpg", "./a.jpg", "x%5Ca.jpg"])
    func `a path does not leave the base`(path: String) {
        RefusalRow("/w=8/\(path)", 400, "segments")
            .check(CloudflareURLFormat(origin: OriginBase("https://origin.example/base")))
    }
}
