import HeadroomAPI

extension HostileAddress {
    /// Cloudflare's URLs.
    static let cloudflare = Form(
        modes: ["", "fit=cover", "fit=pad", "dpr=2"],
        seeds: [
            "/cdn-cgi/image/width=80,height=60,fit=cover,gravity=0.5x0.33,dpr=2,quality=high,format=auto/http://h/a?b=c",
            "/cdn-cgi/image/fit=pad,background=rgb(1%2C2%2C3),trim=1;0;0;2,rotate=90,flip=h,onerror=redirect/a/b.jpg",
        ]
    ) { options in
        let text = joined(options, "=", ",")
        return [ForeignURL(path: "/\(text)/\(source)"), ForeignURL(path: "/\(encoded(text))/\(source)")]
    }

    /// Cloudinary's URLs.
    static let cloudinary = Form(
        modes: ["", "c=fill", "c=crop", "c=thumb&g=face"],
        seeds: [
            "/cloudinary/image/fetch/s--XScBX0I5--/c_fill,g_face,h_200,w_300/f_auto/q_auto/http://h/a.jpg",
            "/cloudinary/demo/image/upload/c_crop,x_0.1,y_20,w_0.5/c_thumb,g_faces:auto,z_0.5/a_90/v12/dir/a.jpg?_a=B",
            "/cloudinary/image/fetch/c_pad,b_rgb:a1b2c3,ar_16:9,w_300,dpr_2.0/c_limit,w_200/fl_progressive/https:/h/a",
        ]
    ) { options in
        [",", "/"].map { ForeignURL(path: "/image/fetch/\(encoded(joined(options, "_", $0)))/\(source)") }
    }

    /// ImageKit's URLs.
    static let imagekit = Form(
        modes: ["", "w=30&h=20", "cm=extract", "c=at_max&w=9", "fo=face&w=30&h=20"],
        seeds: [
            "/imagekit/dir/tr:w-300,h-200,fo-face,z-0.5:rt-90/a.jpg?ik-sdk-version=x",
            "/imagekit/https://h/a.jpg?tr=w-0.5,ar-4-3,cm-pad_resize,bg-F3F3F3,di-a@@b.jpg&b=c",
        ]
    ) { options in
        [
            ForeignURL(path: "/tr:\(joined(options, "-", ","))/a.jpg"),
            ForeignURL(path: "/tr:\(encoded(joined(options, "-", ":")))/a.jpg"),
            ForeignURL(path: "/\(source)", query: "tr=\(encoded(joined(options, "-", ",")))"),
        ]
    }

    /// imgix' URLs.
    static let imgix = Form(
        modes: [
            "", "fit=crop&w=30&h=20", "fit=fill", "fit=facearea", "crop=focalpoint&fit=crop&w=3&h=2", "mask=corners",
            "trim=auto",
        ],
        seeds: [
            "/imgix/http%3A%2F%2Fh%2Fa.jpg?w=300&h=200&fit=crop&crop=faces,entropy&dpr=1.5&ixlib=x&expires=9&s=00112233",
            "/imgix/shop/a/b.jpg?rect=center,0.1,0.5,200&ar=16:9&fit=facearea&facepad=2.5&faceindex=2&fm64=d2VicA",
            "/imgix/shop/a?fit=fill&bg=80ff0000&fill=blur&fill-color=orange&q=75&auto=format&trim=auto&flip=hv&fp-x=.5",
        ]
    ) { options in
        [ForeignURL(path: "/http%3A%2F%2Fh%2Fa.jpg", query: query(options))]
    }

    /// imgproxy's URLs.
    static let imgproxy = Form(
        modes: ["", "rs=fill:300:200", "c=10:10", "rt=force"],
        seeds: [
            "/imgproxy/ShLJbTwSdO9LXN1NBtfWtXLnlc6i9BzOAmjMmlPSbAI/g%3Asm/rs:fill:300:200:1:1:noea:3:4/c:0.5:9:fp:0.1:1/dpr:2/plain/http:/h/a@webp",
            "/imgproxy/_/pr:a/bg:1:2:3/t:10/rot:90/fl:1:1/mb:5/exp:9/kcr:1/aHR0cDovL2gvYQ==.png",
        ]
    ) { options in
        [
            ForeignURL(path: "/_/\(joined(options, ":", "/"))/plain/\(source)"),
            ForeignURL(path: "/_/\(encoded(joined(options, ":", "/")))/aHR0cDovL2gvYS5qcGc"),
        ]
    }

    /// thumbor's URLs.
    static let thumbor = Form(
        modes: ["", "focal=1x1:9x9", "proportion=0.5"],
        seeds: [
            "/thumbor/unsafe/trim:top-left:10/10x20:30x40/adaptive-full-fit-in/-300x-200/left/top/smart/filters:quality(70):focal(1x2:3x4)/h/a",
            "/thumbor/vOFBg7Wjj0K4ffjHVTZ7ZmTKJvc=/meta/0.1x0.2:0.9x1/origx5/filters:rotate(-90):fill(0af):expire(1700000000000)/b64:aHR0cDovL2gvYQ",
        ]
    ) { options in
        let filters = "filters:" + options.map { "\($0.name)(\($0.value))" }.joined(separator: ":")
        let value = options.first?.value ?? ""
        return [
            ForeignURL(path: "/unsafe/300x200/smart/\(filters)/\(source)"),
            ForeignURL(path: "/unsafe/1x1:9x9/fit-in/\(encoded(filters))/\(source)"),
            ForeignURL(path: "/unsafe/trim:\(value)/\(value)x\(value)/\(source)"),
            ForeignURL(path: "/unsafe/meta/\(value):\(value)/\(value)/\(source)"),
        ]
    }

    /// weserv's URLs.
    static let weserv = Form(
        modes: ["", "w=30&h=20&fit=cover", "fit=contain"],
        seeds: [
            "/weserv/?url=h/a.jpg&w=300&h=200&fit=cover&a=focal-0.2-0.3&dpr=2&mask=circle&filt=sepia",
            "/weserv/?url=ssl:h/a.jpg%3Fb=c&cx=1&cy=2&cw=30&ch=40&precrop&bg=abc&maxage=1w12h&default=h/b.jpg",
        ]
    ) { options in
        [ForeignURL(path: "/", query: query([Option("url", "h/a.jpg")] + options))]
    }
}
