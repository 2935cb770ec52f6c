import Framing
import Geometry
import Imaging
import Pipeline

/// Shape and size.
extension Parameter {
    package static let aspect = Parameter(
        "aspect",
        .text(
            expected:
                "width:height or one number, from 1:100 to 100:1, such as 16:9 or 1.5, at most \(FrameParameters.maxAspects), "
                + "separated by commas; or faces",
            listed: "`16:9`, `1.91:1`, `1.5`, `faces`; a list `16:9,1:1` for JSON and HTML",
            placeholder: "ratio",
            pattern: "(faces|[0-9.]+(:[0-9.]+)?(,[0-9.]+(:[0-9.]+)?)*)",
            memberSchema:
                "anyOf: [{ type: string, pattern: '^(faces|[0-9.]+(:[0-9.]+)?(,[0-9.]+(:[0-9.]+)?)*)$' }, { type: number, minimum: 0.01, maximum: 100 }]",
            types: .init(
                python: "Union[str, float, list[str]]",
                typeScript: "string | number | readonly (string | number)[]"
            ),
            ShapeChoice.init
        ),
        default: .described("the shape of `width` and `height`, else of the picture"),
        sets: \.parts.aspects,
        routes: [.frame, .portraits, .stream],
        help:
            "Shape of the crop, width to height: 16:9, 1.91:1 or 1.5, from 1:100 to 100:1; several, separated "
            + "by commas, for plans, HTML and batches. faces is the shape of the group of heads itself, with `padding`.",
        variants: [.init(routes: .portraits, component: "faceAspect")],
        control: .control("Aspect", in: .size, placeholder: "16:9")
    )

    package static let width = Parameter(
        "width",
        SideChoice.form(takesHints: true),
        sets: \.parts.width,
        routes: [.frame, .portraits, .stream],
        help:
            "Width of the result in pixels, or such as 50% of that of the framed picture; auto is that of the client's "
            + "hints.",
        link: "caching.md#client-hints",
        variants: [
            .init(
                routes: .stream,
                component: "streamWidth",
                values: .init(kind: .whole(1...FrameParameters.maxSide), placeholder: "px")
            )
        ],
        control: .control("Width", in: .size, placeholder: "pixels")
    )

    package static let height = Parameter(
        "height",
        SideChoice.form(),
        sets: \.parts.height,
        routes: [.frame, .portraits, .stream],
        help: "Height of the result in pixels, or such as 50% of that of the framed picture.",
        control: .control("Height", in: .size, placeholder: "pixels")
    )

    package static let dpr = Parameter(
        "dpr",
        .decimal(0.1...5, digits: #"0\.[1-9][0-9]*|[1-4](\.[0-9]+)?|5(\.0+)?"#, takesHints: true),
        default: "1",
        sets: \.options.resultSize.devicePixelRatio,
        routes: .pictures,
        excludes: [
            .isRefused(with: [.width], when: { $0.hinted.contains(.width) }) { _, _ in
                "no dpr with width=auto, which counts the pixels of the screen"
            }
        ],
        help: "Pixels of the result for each pixel of `width` and `height`; auto is that of the client's hints.",
        link: "caching.md#client-hints",
        control: .control("Pixel ratio", in: .bars, placeholder: "1")
    )

    package static let enlarge = Parameter(
        "enlarge",
        .boolean,
        default: "false",
        sets: \.options.resultSize.allowsEnlargement,
        routes: .pictures,
        help: "Whether the result may have more pixels than the crop.",
        control: .control("Enlarge", in: .bars)
    )

    package static let fit = Parameter(
        "fit",
        .word,
        default: "cover",
        sets: \.options.framing.fit,
        routes: .frame,
        excludes: [
            .refuses([.aspect], when: \.options.framing.fit.keepsShape) { _, parameters in
                "no aspect with fit=\(parameters.options.framing.fit.rawValue), which keeps the picture's own"
            },
            .refuses([.focus], when: \.options.framing.fit.showsWhole) { _, parameters in
                "no focus with fit=\(parameters.options.framing.fit.rawValue), which shows the whole picture"
            },
        ],
        help:
            "Treatment of another shape: cover crops; limit crops to at most the picture's sides; crop cuts "
            + "a rectangle of `width` and `height` out without scaling; inside "
            + "keeps the whole picture in its own shape, outside covers the size with it; fill stretches it; "
            + "pad adds bars to it; auto adds bars only if a crop would cut a head.",
        link: "framing.md#the-whole-picture",
        control: .control("Fit", in: .size)
    )

    package static let box = Parameter(
        "box",
        ParameterForm<BoxChoice>.word,
        default: "fixed",
        sets: \.parts.box,
        routes: .frame,
        excludes: [
            .isRefused(with: [.aspect], when: { $0.parts.box != .fixed }) { _, parameters in
                "no box=\(parameters.parts.box.rawValue) with aspect"
            }
        ],
        help:
            "For a picture of the other orientation, turn exchanges `width` and `height`, and inside shows it whole, "
            + "inside of them.",
        control: .control("Box", in: .bars)
    )

    package static let background = Parameter(
        "background",
        .text(
            expected: "a colour such as ffffff or fff in hexadecimal digits, transparent, blur or average",
            listed: "`ffffff`, `fff`, `transparent`, `blur`, `average`",
            placeholder: "word",
            pattern: "(#?[0-9A-Fa-f]{3}|#?[0-9A-Fa-f]{6}|transparent|blur|average)",
            Background.init
        ),
        default: "ffffff",
        sets: \.options.background,
        routes: .pictures,
        help:
            "Content of the bars, and of transparent pixels: a colour such as ffffff, transparent, blur, or "
            + "average for the mean colour of the picture.",
        control: .control("Background", in: .bars, placeholder: "ffffff")
    )
}
