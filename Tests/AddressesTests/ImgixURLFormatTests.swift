import Addresses
import HTTPTypes
import HeadroomAPI
import TestPacing
import Testing

/// imgix' URLs.
@Suite(.limitedConcurrency) struct ImgixURLFormatTests {
    private static let source = "http://example.com/a.jpg"
    private static let path = "/http%3A%2F%2Fexample.com%2Fa.jpg"

    private static func row(_ query: String, _ parameters: String, ignored: [String] = []) -> TranslationRow {
        TranslationRow("\(path)?\(query)", parameters, ignored: ignored)
    }

    private static let clip = "fit=inside&enlarge=true"
    private static let crop = "fit=cover&enlarge=true"

    static let sizes = [
        row("", clip),
        row("w=300", "\(clip)&width=300"),
        row("w=300&h=200", "\(clip)&width=300&height=200"),
        row("width=300&height=200&f=crop", "\(crop)&width=300&height=200&gravity=center"),
        row("w=300&w=400", "\(clip)&width=300"),
        row("w=300&dpr=2", "\(clip)&width=600"),
        row("w=300&dpr=9", "\(clip)&width=1500"),
        row("w=301&dpr=0.5", "\(clip)&width=151"),
        row("w=300&max-w=200", "\(clip)&width=200"),
        row("h=300&min-h=400", "\(clip)&height=400"),
        row("fit=clip&w=300", "\(clip)&width=300"),
        row("fit=max&w=300", "fit=inside&enlarge=false&width=300"),
        row("fit=crop&w=300&h=200", "\(crop)&width=300&height=200&gravity=center"),
        row("fit=min&w=300&h=200", "fit=cover&enlarge=false&width=300&height=200&gravity=center"),
        row("fit=fill&w=300&h=200", "fit=pad&enlarge=true&width=300&height=200"),
        row("fit=fillmax&w=300&h=200", "fit=pad&enlarge=false&width=300&height=200"),
        row("fit=scale&w=300&h=200", "fit=fill&enlarge=true&width=300&height=200"),
        row("fit=clamp&w=3&h=2", "fit=pad&enlarge=true&width=3&height=2&background=blur", ignored: ["fit=clamp"]),
        row("fit=crop&ar=16:9", "\(crop)&aspect=16:9&gravity=center"),
        row("fit=crop&ar=16:9&w=320", "\(crop)&aspect=16:9&width=320&gravity=center"),
        row("fit=fill&ar=1:1&h=320", "fit=pad&enlarge=true&aspect=1:1&height=320"),
        row("fit=crop&ar=1:1&w=30&h=20", "\(crop)&width=30&height=20&gravity=center", ignored: ["ar"]),
        row("ar=1:1&w=30", "\(clip)&width=30", ignored: ["ar"]),
        row("rect=10,20,300,200&w=30", "\(clip)&region=10px,20px,300px,200px&width=30"),
        row("rect=0.1,0.2,0.5,0.25", "\(clip)&region=0.1,0.2,0.5,0.25"),
        row("rect=left,top,300,200", "\(clip)&region=top-left,300px,200px"),
        row("rect=center,bottom,0.5,0.2", "\(clip)&region=bottom,0.5,0.2"),
        row("rect=center,10,300,200", "\(clip)&region=top:0px:10px,300px,200px"),
        row("rect=0.1,bottom,300,200", "\(clip)&region=bottom-left:0.1:0px,300px,200px"),
        row("w=0.5", "\(clip)&width=50%"), row("w=1", "\(clip)&width=100%"),
        row("w=0.25&h=40&dpr=2", "\(clip)&width=50%&height=80"),
        row("mask=ellipse", "\(clip)&mask=circle"),
        row("mask=corners&corner-radius=9&dpr=2", "\(clip)&mask=rounded:18px"),
        row("mask=corners&corner-radius=9,9,9,9&fm=jpg", "\(clip)&mask=rounded:9px&format=jpeg&background=ffffff"),
        row("mask=corners", "\(clip)"), row("dl=my%20file.jpg", "\(clip)&download=my file.jpg"),
        row("dl=a%2Fb%0A.", "\(clip)&download=a_b_"),
        row("rect=center,middle,300,200", "\(clip)&region=center,300px,200px"),
        row("rect=right,0,300,200", "\(clip)&region=top-right,300px,200px"),
        row("rect=0,10,full,50", "\(clip)&region=0px,10px,1,50px"),
        row("trim=auto", "\(clip)&trim=11"),
        row("trim=color&trim-color=fff", "\(clip)&trim=11", ignored: ["trim-color"]),
        row("trim=auto&trim-md=20&trim-tol=5", "\(clip)&trim=20", ignored: ["trim-tol"]),
    ]

    static let crops = [
        row("fit=crop&crop=faces", "\(crop)&gravity=faces&fallback=center"),
        row("fit=crop&crop=faces,entropy", "\(crop)&gravity=faces&fallback=attention"),
        row("fit=crop&crop=faces,edges", "\(crop)&gravity=faces&fallback=attention"),
        row("fit=crop&crop=faces,top", "\(crop)&gravity=faces&fallback=top"),
        row("fit=crop&crop=faces,bottom,left", "\(crop)&gravity=faces&fallback=bottom-left"),
        row("fit=crop&crop=entropy", "\(crop)&gravity=attention"),
        row("fit=crop&crop=edges", "\(crop)&gravity=attention"),
        row("fit=crop&crop=entropy,faces", "\(crop)&gravity=attention"),
        row("fit=crop&crop=top", "\(crop)&gravity=top"),
        row("fit=crop&crop=left,bottom", "\(crop)&gravity=bottom-left"),
        row("fit=crop&crop=top%2Cright", "\(crop)&gravity=top-right"),
        row("fit=crop&crop=focalpoint", "\(crop)&gravity=point:0.5,0.5"),
        row("fit=crop&crop=faces,focalpoint&fp-x=0.2", "\(crop)&gravity=faces&fallback=point:0.2,0.5"),
        row("fit=crop&crop=focalpoint&fp-x=0.2&fp-y=.7", "\(crop)&gravity=point:0.2,0.7"),
        row("fit=crop&crop=focalpoint&fp-x=0.2&fp-z=1", "\(crop)&gravity=point:0.2,0.5"),
        row("fit=crop&fp-x=0.2", "\(crop)&gravity=center"),
        row("fit=crop&crop=focalpoint&fp-z=2", "\(crop)&region=0.25,0.25,0.5,0.5&gravity=point:0.5,0.5"),
        row(
            "fit=crop&crop=focalpoint&fp-x=0.1&fp-y=0.9&fp-z=4",
            "\(crop)&region=0,0.75,0.25,0.25&gravity=point:0.4,0.6"
        ),
        row("fit=crop&max-w=800", "fit=inside&enlarge=false&width=800"),
        row("fit=crop&max-w=800&max-h=600", "fit=inside&enlarge=false&width=800&height=600"),
        row("fit=crop&ar=16:9&max-w=800", "fit=cover&enlarge=false&aspect=16:9&width=800&gravity=center"),
        row("crop=faces&w=30", "\(clip)&width=30"),
        row("fit=facearea&w=3&h=3", "\(crop)&width=3&height=3&gravity=faces&fallback=center&zoom=1&padding=0"),
        row("fit=facearea&facepad=1.5", "\(crop)&gravity=faces&fallback=center&zoom=1&padding=0"),
        row("fit=facearea&facepad=3.64", "\(crop)&gravity=faces&fallback=center&zoom=1&padding=0.5"),
        row("fit=facearea&facepad=900", "\(crop)&gravity=faces&fallback=center&zoom=1&padding=10"),
        row("fit=facearea&faceindex=2", "\(crop)&gravity=face:2&fallback=center&zoom=1&padding=0"),
        row("fit=facearea,max", "\(crop)&gravity=faces&fallback=original&zoom=1&padding=0"),
    ]

    static let outputs = [
        row("q=75", "\(clip)&quality=75"),
        row("q=0", "\(clip)&quality=1"),
        row("auto=format", "\(clip)&format=auto"),
        row("auto=format,compress", "\(clip)&format=auto"),
        row("auto=compress%2Cformat", "\(clip)&format=auto"),
        row("auto=enhance,redeye", clip, ignored: ["auto=enhance", "auto=redeye"]),
        row("auto=format&fm=png", "\(clip)&format=png"),
        row("fm=jpg", "\(clip)&format=jpeg"),
        row("fm=mp4", "\(clip)&format=mp4"), row("fm=webm", "\(clip)&format=webm"),
        row("fm=pjpg", "\(clip)&format=jpeg&progressive=true"),
        row("fm=png8", "\(clip)&format=png"),
        row("fm=webp", "\(clip)&format=webp"),
        row("fm=avif", "\(clip)&format=avif"),
        row("fm=gif", "\(clip)&format=gif"),
        row("fm=json", "\(clip)&format=json"),
        row("chromasub=444", "\(clip)&chroma=444"),
        row("chromasub=422", clip, ignored: ["chromasub"]),
        row("flip=h", "\(clip)&flip=horizontal"),
        row("flip=hv", "\(clip)&flip=both"),
        row("rot=90", "\(clip)&rotate=270"),
        row("rot=0", clip),
        row("fit=fill&bg=f00", "fit=pad&enlarge=true&background=ff0000"),
        row("fit=fill&bg=0f00", "fit=pad&enlarge=true&background=transparent"),
        row("fit=fill&fill-color=00a1b2c3", "fit=pad&enlarge=true&background=transparent"),
        row("fit=fill&fill-color=80a1b2c3", "fit=pad&enlarge=true&background=a1b2c3", ignored: ["fill-color: alpha"]),
        row("fit=fill&fill-color=a1b2c3&bg=f00", "fit=pad&enlarge=true&background=a1b2c3"),
        row("fit=fill&fill-color=orange", "fit=pad&enlarge=true&background=ffa500"),
        row("fit=fill&fill=blur", "fit=pad&enlarge=true&background=blur"),
        row("fit=fill&fill=gradient", "fit=pad&enlarge=true", ignored: ["fill=gradient"]),
        row("ixlib=python-4.0.0&s=0123&w=30", "\(clip)&width=30"),
        row("w64=MzAw", "\(clip)&width=300"),
        row("fm64=d2VicA==&crop64=ZmFjZXM&fit64=Y3JvcA", "\(crop)&format=webp&gravity=faces&fallback=center"),
        row(
            "sharp=10&usm=5&nr=20&w=30&utm=x",
            "\(clip)&width=30&filter=sharpen:0.5,sharpen:0.25",
            ignored: ["nr", "utm"]
        ),
        row("usm=20&usmrad=2", clip + "&filter=sharpen:1:2"), row("usm=-20", clip + "&filter=blur:1"),
        row("exp=100", clip + "&filter=brightness:2"),
        row("exp=-100&vib=40", clip + "&filter=brightness:0.5,saturation:1.2"),
        row("hue=-90&gam=100", clip + "&filter=hue:270,gamma:2"), row("gamma=-100", clip + "&filter=gamma:0.5"),
        row("fm=auto", "\(clip)&format=auto"), row("iptc=allow", "\(clip)&metadata=copyright"),
        row("page=1&frame=1&or=0", "\(clip)&animation=still"), row("rot=-90", "\(clip)&rotate=90"),
        row("blur=0&bri=0&txt-size=20", clip),
        row("sat=-100&bri=20&con=-10", clip + "&filter=brightness:1.2,contrast:0.9,saturation:0"),
        row("blur=100&invert=true&sepia=50", clip + "&filter=sepia,invert,blur:5"),
    ]

    @Test(arguments: sizes + crops + outputs) func `parameters are translated`(row: TranslationRow) throws {
        try row.check(ImgixURLFormat(), source: Self.source, defaults: "format=source")
    }

    @Test func `the expiry is preserved`() throws {
        let address = ForeignURL(path: Self.path, query: "expires=1700000000")
        #expect(try ImgixURLFormat().translate(address).expires == 1_700_000_000)
    }

    static let refusals = [
        RefusalRow("\(path)?w=0.5&max-w=90", 501, "w=0.5"),
        RefusalRow("\(path)?w=0.6&dpr=2", 501, "w=0.6"),
        RefusalRow("\(path)?mask=corners&corner-radius=1,2", 501, "corner-radius"),
        RefusalRow("\(path)?mask=http://h/m.png", 501, "mask"),
        RefusalRow("\(path)?w=-5", 400, "w=-5"),
        RefusalRow("\(path)?w=99999", 400, "w=99999"),
        RefusalRow("\(path)?w=300&dpr=0", 400, "dpr=0"),
        RefusalRow("\(path)?max-w=300&max-h=200&ar=1:1&fit=crop", 501, "max-w"),
        RefusalRow("\(path)?max-w=300&h=9&fit=crop", 501, "max-w"), RefusalRow("\(path)?page=2", 501, "page=2"),
        RefusalRow("\(path)?px=5", 501, "px (pixellate)"), RefusalRow("\(path)?pad-left=5", 501, "pad-left (padding)"),
        RefusalRow("\(path)?orient=6", 501, "or=6 (orientation)"),
        RefusalRow("\(path)?min-w=300", 501, "min-w"),
        RefusalRow("\(path)?fit=contain", 400, "fit=contain"),
        RefusalRow("\(path)?fit=crop&crop=face", 400, "crop=face"),
        RefusalRow("\(path)?fit=crop&crop=faces,focalpoint&fp-z=2", 501, "fp-z"),
        RefusalRow("\(path)?fit=crop&crop=focalpoint&fp-z=2&rect=0,0,9,9", 501, "fp-z"),
        RefusalRow("\(path)?fit=crop&crop=focalpoint&fp-x=2", 400, "fp-x=2"),
        RefusalRow("\(path)?fit=facearea,fill", 501, "fit=facearea,fill"),
        RefusalRow("\(path)?fit=facearea&faceindex=0", 400, "faceindex=0"),
        RefusalRow("\(path)?rect=1,2,3", 400, "rect=1,2,3"),
        RefusalRow("\(path)?rect=middle,10,300,200", 400, "rect=middle"),
        RefusalRow("\(path)?rect=0,0,0,200", 400, "rect=0,0,0,200"),
        RefusalRow("\(path)?ar=1.5&fit=crop", 400, "ar=1.5"),
        RefusalRow("\(path)?q=101", 400, "q=101"),
        RefusalRow("\(path)?fm=jp2", 501, "fm=jp2"),
        RefusalRow("\(path)?rot=45", 501, "rot=45"),
        RefusalRow("\(path)?trim=alpha", 501, "trim=alpha"),
        RefusalRow("\(path)?fit=fill&fill=gen", 501, "fill=gen"),
        RefusalRow("\(path)?fit=fill&bg=zz", 400, "bg=zz"),
        RefusalRow("\(path)?bri=101", 400, "bri"), RefusalRow("\(path)?hue=red", 400, "hue"),
        RefusalRow("\(path)?txt=hello", 501, "txt"),
        RefusalRow("\(path)?txt64=aGVsbG8", 501, "txt"),
        RefusalRow("\(path)?t=hello", 501, "txt"),
        RefusalRow("\(path)?mark=a.png", 501, "mark"),
        RefusalRow("\(path)?w64=!", 400, "w64"),
        RefusalRow("\(path)?w=%FF", 400, "percent-encoded"),
        RefusalRow("\(path)?expires=soon", 400, "expires=soon"),
        RefusalRow("/shop/a.jpg", 404, "No imgix source has this name. The option --imgix-sources sets the names."),
    ]

    @Test(arguments: refusals) func `other URLs are rejected`(row: RefusalRow) { row.check(ImgixURLFormat()) }

    // MARK: Sources

    static let sources = [
        ("/http%3A%2F%2Fexample.com%2Fa.jpg", "http://example.com/a.jpg"),
        ("/https%3A%2F%2Fexample.com%2Fa%2520b.jpg%3Fx%3D1", "https://example.com/a%20b.jpg?x=1"),
        ("/https://example.com/a.jpg", "https://example.com/a.jpg"),
        ("/shop/dir/a.jpg", "https://shop.example/media/dir/a.jpg"),
        ("/shop/dir/a%20b.jpg", "https://shop.example/media/dir/a%20b.jpg"),
        ("/blog/a.jpg", "http://blog.example:81/a.jpg"),
    ]

    @Test(arguments: sources) func `a source is a name or a whole URL`(path: String, source: String) throws {
        let sources = try #require(ImgixSources("shop=https://shop.example/media/, blog=http://blog.example:81,*"))
        #expect(try ImgixURLFormat(sources: sources).translate(ForeignURL(path: path)).source == source)
    }

    @Test(arguments: ["/other/a.jpg", "/http%3A%2F%2Fexample.com%2Fa.jpg", "/", "/shop.example/a.jpg"])
    func `only configured sources are served`(path: String) throws {
        let sources = try #require(ImgixSources("shop=https://shop.example/media"))
        RefusalRow(path, 404, "No imgix source").check(ImgixURLFormat(sources: sources))
    }

    @Test(arguments: ["/shop/../a.jpg", "/shop/%2E%2E/a.jpg", "/shop"])
    func `a path does not leave its source`(path: String) throws {
        let sources = try #require(ImgixSources("shop=https://shop.example/media"))
        RefusalRow(path, 400, "segments").check(ImgixURLFormat(sources: sources))
    }

    @Test(arguments: ["shop", "shop=", "=https://a.example", "Shop=https://a.example", "a=ftp://x", "a=https://x?y=1"])
    func `any other text is rejected as sources`(text: String) { #expect(ImgixSources(text) == nil) }

    @Test func `each source name may occur only once`() {
        #expect(ImgixSources("a=https://x.example,a=https://y.example") == nil)
    }
}
