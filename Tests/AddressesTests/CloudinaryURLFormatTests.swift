import Addresses
import HTTPTypes
import HeadroomAPI
import TestPacing
import Testing

/// Cloudinary's URLs.
@Suite(.limitedConcurrency) struct CloudinaryURLFormatTests {
    private static let source = "http://example.com/a.jpg"

    private static func row(_ text: String, _ parameters: String, ignored: [String] = []) -> TranslationRow {
        TranslationRow("/image/fetch/\(text)/\(source)", parameters, ignored: ignored)
    }

    private static let fill = "fit=cover&enlarge=true"

    static let sizes = [
        row("w_300", "fit=inside&enlarge=true&width=300"),
        row("w_300,h_200", "fit=fill&enlarge=true&width=300&height=200"),
        row("c_scale,h_200", "fit=inside&enlarge=true&height=200"),
        row("c_scale,ar_16:9,w_320", "fit=fill&enlarge=true&width=320&height=180"),
        row("c_fill,w_300,h_200", "\(fill)&width=300&height=200&gravity=center"),
        row("c_fill,w_300", "\(fill)&width=300&gravity=center"),
        row("c_fill,ar_16:9", "\(fill)&aspect=16:9&gravity=center"),
        row("c_fill,ar_16%3A9,w_320", "\(fill)&aspect=16:9&width=320&gravity=center"),
        row("c_fill,ar_1.5,h_200", "\(fill)&aspect=1.5&height=200&gravity=center"),
        row("c_lfill,w_300,h_200", "fit=limit&enlarge=false&width=300&height=200&gravity=center"),
        row("c_fit,w_300,h_200", "fit=inside&enlarge=true&width=300&height=200"),
        row("c_limit,w_300", "fit=inside&enlarge=false&width=300"),
        row("c_pad,w_300,h_200", "fit=pad&enlarge=true&width=300&height=200&gravity=center"),
        row("c_pad,w_300,h_200,g_south", "fit=pad&enlarge=true&width=300&height=200&gravity=bottom"),
        row("c_lpad,w_300,h_200", "fit=pad&enlarge=false&width=300&height=200&gravity=center"),
        row("c_fill_pad,g_auto,w_3,h_2", "fit=auto&enlarge=true&width=3&height=2&gravity=faces&fallback=attention"),
        row("c_auto,w_300,h_200", "\(fill)&width=300&height=200&gravity=faces&fallback=attention"),
        row("c_fill,w_300,h_200,dpr_2.0", "\(fill)&width=600&height=400&gravity=center"),
        row("c_fill,w_300,h_200/dpr_2", "\(fill)&width=600&height=400&gravity=center"),
        row("c_fill,w_300,h_200,dpr_auto", "\(fill)&width=300&height=200&gravity=center", ignored: ["dpr_auto"]),
        row("c_crop,x_10,y_20,w_300,h_200", "region=10px,20px,300px,200px&gravity=center"),
        row("c_crop,g_north_west,w_300,h_200", "region=top-left,300px,200px&gravity=center"),
        row("c_crop,w_0.5,h_0.5", "region=center,0.5,0.5&gravity=center"),
        row("c_crop,g_south_east,w_0.5,h_0.25", "region=bottom-right,0.5,0.25&gravity=center"),
        row("c_crop,g_center,x_1,y_0.1,w_300,h_200", "region=center:1px:0.1,300px,200px&gravity=center"),
        row("c_crop,g_south_east,y_9,w_300,h_200", "region=bottom-right:0:9px,300px,200px&gravity=center"),
        row("c_crop,g_face,w_300,h_200", "fit=crop&enlarge=false&width=300&height=200&gravity=largest&fallback=top"),
        row("c_crop,g_auto,h_200", "fit=crop&enlarge=false&height=200&gravity=faces&fallback=attention"),
        row("w_0.5", "fit=inside&enlarge=true&width=50%"),
        row("c_fill,w_0.25,h_0.125,dpr_2", "\(fill)&width=50%&height=25%&gravity=center"),
        row("c_fill,w_30,h_20,r_max", "\(fill)&width=30&height=20&gravity=center&mask=circle"),
        row(
            "c_fill,w_30,h_20,r_5,dpr_2/f_jpg",
            "\(fill)&width=60&height=40&gravity=center&mask=rounded:10px&format=jpeg&background=ffffff"
        ),
        row("fl_attachment:my_file", "fit=inside&download=my_file"), row("fl_attachment", "fit=inside&download=a.jpg"),
        row("c_crop,w_300,h_200", "region=center,300px,200px&gravity=center"),
        row("c_crop,ar_16:9", "fit=cover&enlarge=false&aspect=16:9&gravity=center"),
        row("c_crop,ar_1.5,w_300", "fit=crop&enlarge=false&width=300&height=200&gravity=center"),
        row(
            "c_crop,ar_1.5,h_200,g_auto",
            "fit=crop&enlarge=false&width=300&height=200&gravity=faces&fallback=attention"
        ),
        row("w_iw", "fit=inside&enlarge=true&width=100%"),
        row("w_iw_div_4", "fit=inside&enlarge=true&width=25%"),
        row("c_fill,w_iw_mul_0.5,h_ih_div_2", "\(fill)&width=50%&height=50%&gravity=center"),
        row("w_auto:100:400", "fit=inside&enlarge=true&width=400", ignored: ["w_auto:100:400"]),
        row("w_auto:breakpoints", "fit=inside&enlarge=true", ignored: ["w_auto:breakpoints"]),
        row("r_5:5:5:5", "fit=inside&mask=rounded:5px"),
        row("e_trim", "fit=inside&trim=10"), row("e_trim:20/w_30", "fit=inside&enlarge=true&width=30&trim=20"),
        row("c_crop,x_0.1,y_0.2,w_0.5,h_200", "region=0.1,0.2,0.5,200px&gravity=center"),
    ]

    static let crops = [
        row("c_fill,g_face", "\(fill)&gravity=largest&fallback=top"),
        row("c_fill,g_faces", "\(fill)&gravity=faces&fallback=top"),
        row("c_fill,g_face:center", "\(fill)&gravity=largest&fallback=center"),
        row("c_fill,g_face:south_east", "\(fill)&gravity=largest&fallback=bottom-right"),
        row("c_fill,g_faces:auto", "\(fill)&gravity=faces&fallback=attention"),
        row("c_fill,g_auto", "\(fill)&gravity=faces&fallback=attention"),
        row("c_fill,g_auto:faces", "\(fill)&gravity=faces&fallback=attention"),
        row("c_fill,g_auto:subject", "\(fill)&gravity=subject&fallback=attention"),
        row("c_fill,g_auto:classic", "\(fill)&gravity=attention"),
        row("c_fill,g_auto:dog", "\(fill)&gravity=object:dog&fallback=attention"),
        row("c_fill,g_auto:cat_30:traffic_light", "\(fill)&gravity=object:cat:0.3,traffic-light&fallback=attention"),
        row("c_fill,g_dog", "\(fill)&gravity=object:dog&fallback=center"),
        row("c_fill,g_north", "\(fill)&gravity=top"),
        row("c_fill,g_south_west", "\(fill)&gravity=bottom-left"),
        row("c_fill,g_xy_center,x_0.2,y_0.7", "\(fill)&gravity=point:0.2,0.7"),
        row("c_fill,g_xy_center,x_20,y_70", "\(fill)&focus=20px,70px,1px,1px"),
        row("c_thumb,g_face,w_3,h_3", "\(fill)&width=3&height=3&gravity=largest&fallback=top&zoom=1&padding=0"),
        row("c_thumb,g_faces,z_0.5", "\(fill)&gravity=faces&fallback=top&zoom=1&padding=0.5"),
        row("c_thumb,g_face,z_2", "\(fill)&gravity=largest&fallback=top&zoom=1&padding=0", ignored: ["z_2"]),
        row("c_thumb,w_3,h_3", "\(fill)&width=3&height=3&gravity=center"),
        row("c_fit,g_face,w_3", "fit=inside&enlarge=true&width=3"),
        row(
            "c_crop,x_1,y_2,w_30,h_20/c_fill,g_face,w_3,h_3",
            "region=1px,2px,30px,20px&\(fill)&width=3&height=3&gravity=largest&fallback=top"
        ),
        row("c_fill,w_400,h_200/c_scale,w_200", "\(fill)&width=200&height=100&gravity=center"),
        row("c_fill,w_400,h_200/c_limit,w_800", "\(fill)&width=400&height=200&gravity=center"),
        row("c_fill,w_400,h_200/h_50", "\(fill)&width=100&height=50&gravity=center"),
        row("c_limit,w_30/c_fill,w_20,h_20", "\(fill)&width=20&height=20&gravity=center"),
        row("c_limit,w_30/c_fill,ar_2,w_20", "\(fill)&aspect=2&width=20&gravity=center"),
        row("c_limit,w_30/c_limit,w_20", "fit=inside&enlarge=false&width=20"),
        row("c_limit,h_20/c_limit,h_30", "fit=inside&enlarge=false&height=20"),
        row("w_30/w_20", "fit=inside&enlarge=true&width=20"),
        row("c_fill,g_person", "\(fill)&gravity=faces&fallback=center"),
        row("c_fill,g_custom:face", "\(fill)&gravity=largest&fallback=center"),
        row("c_fill,g_custom:faces", "\(fill)&gravity=faces&fallback=center"),
    ]

    static let outputs = [
        row("f_auto/q_auto", "fit=inside&format=auto"),
        row("f_auto,q_auto:eco", "fit=inside&format=auto&quality=70"),
        row("q_auto:best", "fit=inside&quality=90"),
        row("q_auto:low", "fit=inside&quality=55"),
        row("q_auto:good", "fit=inside"),
        row("q_80", "fit=inside&quality=80"),
        row("q_80:444", "fit=inside&quality=80&chroma=444"),
        row("f_webp", "fit=inside&format=webp"),
        row("f_mp4", "fit=inside&format=mp4"), row("f_webm", "fit=inside&format=webm"),
        row("f_jpg,fl_progressive", "fit=inside&format=jpeg&progressive=true"),
        row("fl_lossy.force_strip", "fit=inside", ignored: ["fl_lossy", "fl_force_strip"]),
        row("b_white", "fit=inside&background=ffffff"),
        row("c_pad,w_3,h_2,b_red", "fit=pad&enlarge=true&width=3&height=2&gravity=center&background=ff0000"),
        row("c_pad,b_rgb:abc", "fit=pad&enlarge=true&gravity=center&background=aabbcc"),
        row("c_pad,b_rgb:a1b2c300", "fit=pad&enlarge=true&gravity=center&background=transparent"),
        row("c_pad,b_auto", "fit=pad&enlarge=true&gravity=center&background=blur", ignored: ["b_auto"]),
        row("c_pad,b_blurred:400:15", "fit=pad&enlarge=true&gravity=center&background=blur"),
        row("c_fill,w_300,h_200,b_red", "\(fill)&width=300&height=200&gravity=center&background=ff0000"),
        row("c_fill,w_300,h_200/a_90", "\(fill)&width=200&height=300&gravity=center&rotate=90"),
        row("c_fill,w_300/a_-90", "\(fill)&height=300&gravity=center&rotate=270"),
        row("c_fill,ar_2,w_300/a_90", "\(fill)&aspect=0.5&height=300&gravity=center&rotate=90"),
        row("c_fill,w_300,h_200/a_hflip", "\(fill)&width=300&height=200&gravity=center&flip=horizontal"),
        row("w_30/a_180.vflip", "fit=inside&enlarge=true&width=30&rotate=180&flip=vertical"),
        row("a_0", "fit=inside"), row("a_360", "fit=inside"),
        row("c_fill,w_3,h_2,a_0", "\(fill)&width=3&height=2&gravity=center"),
        row("c_fill,w_3,h_2,a_hflip", "\(fill)&width=3&height=2&gravity=center&flip=horizontal"),
        row("w_30,a_vflip", "fit=inside&enlarge=true&width=30&flip=vertical"),
        row("e_hue:50/e_hue:-50", "fit=inside&filter=hue:90,hue:270"),
        row("e_gamma:100", "fit=inside&filter=gamma:2"), row("e_gamma:0", "fit=inside"),
        row("e_vibrance:50", "fit=inside&filter=saturation:1.25"),
        row("f_auto:image", "fit=inside&format=auto"), row("b_%23f00", "fit=inside&background=ff0000"),
        row("b_none", "fit=inside"), row("fl_animated", "fit=inside", ignored: ["fl_animated"]),
        row("cs_srgb", "fit=inside", ignored: ["cs_srgb"]),
        row("e_grayscale/e_brightness:-50", "fit=inside&filter=mono,brightness:0.5"),
        row("e_blur:300,q_80", "fit=inside&filter=blur:12&quality=80"),
        row("e_saturation:-100/e_contrast:20/e_sepia", "fit=inside&filter=saturation:0,contrast:1.2,sepia"),
        row("w_30/e_blur_faces:300", "fit=inside&enlarge=true&width=30&redact=blur"),
        row("e_unsharp_mask:200", "fit=inside&filter=sharpen:2"),
        row("e_pixelate_faces", "fit=inside&redact=pixelate"),
        row(
            "c_fill,g_face,h_200,w_300/f_auto/q_auto",
            "\(fill)&width=300&height=200&gravity=largest&fallback=top&format=auto"
        ),
    ]

    @Test(arguments: sizes + crops + outputs) func `transformations are translated`(row: TranslationRow) throws {
        try row.check(CloudinaryURLFormat(), source: Self.source, defaults: "format=source")
    }

    private static func refused(_ text: String, _ status: Int, _ detail: String) -> RefusalRow {
        RefusalRow("/image/fetch/\(text)/\(source)", status, detail)
    }

    static let refusals = [
        refused("h_auto", 501, "h_auto"),
        refused("c_fill,w_ih", 501, "w_ih (width)"), refused("w_iw_mul_2", 501, "w_iw_mul_2"),
        refused("bo_5px_solid_red", 501, "bo_5px_solid_red (border)"), refused("o_50", 501, "o_50 (opacity)"),
        refused("b_gen_fill,c_pad,w_3,h_2", 501, "b_gen_fill (background)"), refused("e_trim:999", 400, "e_trim:999"),
        refused("e_trim/c_crop,w_3,h_2", 501, "e_trim (trim)"), refused("w_100/w_0.5", 501, "w_0.5"),
        refused("c_limit,w_30/c_fill,g_xy_center,x_2,y_2,w_3,h_2", 501, "g_xy_center"),
        refused("c_fill,w_3,h_2,g_west,a_hflip", 501, "a_hflip"),
        refused("c_fill,w_3,h_2,g_north,a_vflip", 501, "a_vflip"),
        refused("c_crop,ar_2,w_3,h_2", 501, "c_crop,ar_2"),
        refused("w_0", 400, "w_0"),
        refused("e_cartoonify", 501, "e_cartoonify"),
        refused("e_blur:3000", 400, "e_blur:3000"),
        refused("w_-1", 400, "w_-1"),
        refused("w_99999999999999999999", 400, "w_999"),
        refused("c_fill,w_9000,dpr_2.0", 400, "dpr_2"),
        refused("dpr_0", 400, "dpr_0"),
        refused("c_mfit,w_300", 501, "c_mfit"),
        refused("c_imagga_crop,w_300", 501, "c_imagga_crop"),
        refused("c_cover,w_300", 400, "c_cover is not valid: expected one of scale, fit, limit, fill, "),
        refused("c_mpad,w_300", 501, "The supported values are scale, fit, limit, fill, "),
        refused("f_bmp", 501, "The supported values are auto, "),
        refused("c_fill,g_unicorn", 501, "The supported values are center, "),
        refused("c_scale,g_auto,w_300", 400, "g_auto"),
        refused("c_fill,g_face:sky", 501, "g_face:sky"),
        refused("c_fill,g_custom", 501, "g_custom"),
        refused("c_fill,g_north,y_20", 501, "y_20"),
        refused("c_fill,g_xy_center,x_20", 400, "g_xy_center"),
        refused("c_fill,ar_0:9", 400, "ar_0:9"),
        refused("c_crop,w_0,h_200", 400, "w_0"),
        refused("c_fill,w_30,h_20/c_crop,x_1,y_2,w_5,h_5", 501, "c_crop,x_1,y_2,w_5,h_5"),
        refused("a_90/c_fill,w_20,h_20", 501, "c_fill,w_20,h_20"),
        refused("c_fill,w_20,h_20,a_90", 501, "a_90"),
        refused("a_45", 501, "a_45"),
        refused("e_oil_paint", 501, "e_oil_paint"),
        refused("c_fill,w_20,r_3:4", 501, "r_3:4"),
        refused("l_logo/c_fill,w_20", 501, "l_logo"),
        refused("t_avatar", 501, "t_avatar"),
        refused("if_w_gt_300/c_fill,w_20/if_end", 501, "if_w_gt_300"),
        refused("$w_300", 501, "$w_300"),
        refused("fl_clip", 501, "fl_clip"), refused("c_fill,w_1.5,h_2", 501, "w_1.5"),
        refused("c_fill,w_0.8,h_20,dpr_2", 501, "dpr_2"), refused("c_crop,g_face,w_9,h_9/w_3", 501, "w_3"),
        refused("f_jp2", 501, "f_jp2"),
        refused("q_101", 400, "q_101"),
        refused("c_pad,b_reddish", 400, "b_reddish"),
        refused("hello", 400, "hello"),
        refused("c_fill,,w_3", 400, "option"),
        refused("w_%FF", 400, "percent-encoded"),
        RefusalRow("/image/fetch/w_300", 400, "source"),
        RefusalRow("/image/fetch/", 400, "source"),
        RefusalRow("/image/youtube/w_3/x", 501, "image/youtube"),
        RefusalRow("/demo/video/fetch/w_3/http://h/a", 400, "image/fetch"),
        RefusalRow("/", 400, "image/fetch"),
        RefusalRow("/image/upload/w_3/a.jpg", 400, "requires the setting --cloudinary-origin"),
    ]

    @Test(arguments: refusals) func `unsupported transformations are rejected`(row: RefusalRow) {
        row.check(CloudinaryURLFormat())
    }

    static let sources = [
        ("/image/fetch/http://example.com/a.jpg", "http://example.com/a.jpg"),
        ("/demo/image/fetch/w_3/v1/https://example.com/a.jpg", "https://example.com/a.jpg"),
        ("/image/fetch/w_3/https:/example.com/a.jpg", "https://example.com/a.jpg"),
        ("/image/fetch/s--XScBX0I5--/w_3/http://example.com/a.jpg", "http://example.com/a.jpg"),
        ("/image/fetch/w_3/https%3A%2F%2Fexample.com%2Fa.jpg", "https://example.com/a.jpg"),
        ("/image/fetch/w_3/http://example.com/a%2520b.jpg%3Fx%3D1", "http://example.com/a%20b.jpg?x=1"),
        ("/image/fetch/w_3/http://example.com/a%20b.jpg", "http://example.com/a%20b.jpg"),
        ("/image/fetch/w_3/http://example.com/a.jpg?x=1&_a=ABC", "http://example.com/a.jpg?x=1"),
        ("/image/upload/a.jpg", "https://origin.example/media/a.jpg"),
        ("/image/upload/c_fill,w_3/v12/dir/a.jpg?_a=ABC", "https://origin.example/media/dir/a.jpg"),
        ("/image/upload/v12/a.jpg", "https://origin.example/media/a.jpg"),
        ("/image/upload/w_3/v1/w_9/a.jpg", "https://origin.example/media/w_9/a.jpg"),
        ("/demo/image/upload/w_3/my_photos/a_b.jpg", "https://origin.example/media/my_photos/a_b.jpg"),
    ]

    @Test(arguments: sources) func `a source is fetched or read from the origin for uploads`(
        address: String,
        source: String
    ) throws {
        let urlFormat = CloudinaryURLFormat(origin: OriginBase("https://origin.example/media"))
        #expect(try urlFormat.translate(TranslationRow.parts(address)).source == source)
    }

    @Test func `a problem is also reported in a header`() {
        let urlFormat = CloudinaryURLFormat()
        do {
            _ = try urlFormat.translate(ForeignURL(path: "/image/fetch/e_%C3%A9%0D%0Asepia/\(Self.source)"))
            Issue.record("translated")
        } catch {
            #expect(urlFormat.headers(of: error).map(\.value) == ["The option e_sepia is not supported."])
        }
    }
}
