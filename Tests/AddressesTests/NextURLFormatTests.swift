import Addresses
import HeadroomAPI
import TestPacing
import Testing

/// The URLs of Next.js' image component.
@Suite(.limitedConcurrency) struct NextURLFormatTests {
    private static let origin = "https://origin.example/base"
    private static let defaults = "fit=inside&format=auto"

    private static let urlFormat = NextURLFormat(origin: OriginBase(origin))

    /// The output of the documentation's examples, of its static imports, and of a deployment.
    static let rows = [
        TranslationRow("/image?url=%2Fprofile.jpg&w=640&q=75", "width=640&quality=75", source: "\(origin)/profile.jpg"),
        TranslationRow("/image?url=%2Fprofile.jpg&w=16&q=1", "width=16&quality=1", source: "\(origin)/profile.jpg"),
        TranslationRow(
            "/image?url=%2F_next%2Fstatic%2Fmedia%2Fme.0a1b2c3d.png&w=3840&q=100",
            "width=3840&quality=100",
            source: "\(origin)/_next/static/media/me.0a1b2c3d.png"
        ),
        TranslationRow(
            "/image?url=%2Fa%20b%2F%C3%BC.jpg%3Fv%3D1&w=828&q=75",
            "width=828&quality=75",
            source: "\(origin)/a%20b/ü.jpg?v=1"
        ),
        TranslationRow(
            "/image?url=https%3A%2F%2Fs3.amazonaws.com%2Fmy-bucket%2Fprofile.png&w=1080&q=75",
            "width=1080&quality=75",
            source: "https://s3.amazonaws.com/my-bucket/profile.png"
        ),
        TranslationRow(
            "/image?url=https%3A%2F%2Fexample.com%2Fa.jpg%3Fb%3Dc%26d%3De&w=256&q=75&dpl=dpl_1",
            "width=256&quality=75",
            ignored: ["dpl"],
            source: "https://example.com/a.jpg?b=c&d=e"
        ),
        TranslationRow("/image/?url=%2Fa.jpg&w=96&q=75", "width=96&quality=75", source: "\(origin)/a.jpg"),
        TranslationRow("/image?q=75&w=96&url=/a.jpg", "width=96&quality=75", source: "\(origin)/a.jpg"),
    ]

    @Test(arguments: rows) func `the source, the width and the quality are translated`(row: TranslationRow) throws {
        try row.check(Self.urlFormat, source: "", defaults: Self.defaults)
    }

    @Test func `only an absolute source is a part of the URL`() throws {
        let below = try Self.urlFormat.translate(ForeignURL(path: "/image", query: "url=%2Fa.jpg&w=96&q=75"))
        let whole = try Self.urlFormat.translate(ForeignURL(path: "/image", query: "url=https://h/a.jpg&w=96&q=75"))
        #expect(!below.namesOrigin && whole.namesOrigin)
    }

    static let refusals = [
        RefusalRow("/image", 400, "url is missing: "), RefusalRow("/image?w=96&q=75", 400, "url is missing: "),
        RefusalRow("/image?url=&w=96&q=75", 400, "url"), RefusalRow("/image?url=a.jpg&w=96&q=75", 400, "url=a.jpg"),
        RefusalRow("/image?url=%2F%2Fh%2Fa.jpg&w=96&q=75", 400, "url=//h/a.jpg"),
        RefusalRow("/image?url=ftp%3A%2F%2Fh%2Fa.jpg&w=96&q=75", 400, "url=ftp"),
        RefusalRow("/image?url=%2F..%2Fa.jpg&w=96&q=75", 400, "a path without"),
        RefusalRow("/image?url=%2Fa.jpg&q=75", 400, "w is missing: expected the width in pixels."),
        RefusalRow("/image?url=%2Fa.jpg&w=96", 400, "q is missing: expected the quality"),
        RefusalRow("/image?url=%2Fa.jpg&w=0&q=75", 400, "w=0"), RefusalRow("/image?url=%2Fa.jpg&w=x&q=75", 400, "w=x"),
        RefusalRow("/image?url=%2Fa.jpg&w=1.5&q=75", 400, "w=1.5"),
        RefusalRow("/image?url=%2Fa.jpg&w=99999999999999999999&q=75", 400, "w=9"),
        RefusalRow("/image?url=%2Fa.jpg&w=96&q=0", 400, "q=0"),
        RefusalRow("/image?url=%2Fa.jpg&w=96&q=101", 400, "q=101"),
        RefusalRow("/image?url=%2Fa.jpg&w=96&w=64&q=75", 400, "w once"),
        RefusalRow("/image?url=%2F_next%2Fimage%3Furl%3D%2Fa.jpg&w=96&q=75", 400, "url=/_next/image"),
        RefusalRow("/static/media/a.jpg", 404, "/static"),
        RefusalRow("/image/a?url=%2Fa.jpg&w=96&q=75", 404, "/image/a"),
    ]

    @Test(arguments: refusals) func `URLs that Next.js rejects are rejected`(row: RefusalRow) {
        row.check(Self.urlFormat)
    }

    @Test func `a path needs a base URL, and a source has a maximum length`() {
        RefusalRow("/image?url=%2Fa.jpg&w=96&q=75", 400, "requires the setting --next-origin").check(NextURLFormat())
        let long = String(repeating: "a", count: 3072)
        RefusalRow("/image?url=%2F\(long)&w=96&q=75", 400, "3072").check(Self.urlFormat)
    }
}
