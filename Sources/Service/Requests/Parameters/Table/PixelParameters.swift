import Imaging
import Pipeline

/// Changes to the picture.
extension Parameter {
    package static let rotate = Parameter(
        "rotate",
        .text(
            expected: "0, 90, 180 or 270",
            listed: nil,
            placeholder: "degrees",
            schema: "type: integer, enum: [0, 90, 180, 270]",
            memberSchema:
                "anyOf: [{ type: integer, enum: [0, 90, 180, 270] }, { type: string, enum: ['0', '90', '180', '270'] }]",
            words: ["0", "90", "180", "270"],
            types: .init(python: "Literal[0, 90, 180, 270]", typeScript: "0 | 90 | 180 | 270")
        ) { text in [0, 90, 180, 270].first { "\($0)" == text } },
        default: "0",
        sets: \.parts.degrees,
        routes: .pictures,
        help: "Turns the result clockwise; `aspect`, `width` and `height` are those of the turned result.",
        control: .control("Rotate", in: .effects)
    )

    package static let flip = Parameter(
        "flip",
        ParameterForm<Flip>.word,
        sets: \.parts.flip,
        routes: .pictures,
        help: "Mirrors the result, after `rotate`.",
        control: .control("Flip", in: .effects)
    )

    package static let mask = Parameter(
        "mask",
        .text(
            expected:
                "circle, or rounded:N with a share of the shorter side from 0 to 0.5, or pixels, such as rounded:24px",
            listed: "`circle`, `rounded:0.1`, `rounded:24px`",
            placeholder: "shape",
            pattern: "(circle|rounded:([0-9.]+|[0-9]+px))",
            ResultMask.init
        ),
        sets: \.options.mask,
        routes: .pictures,
        help:
            "Outline of the result, transparent beside it, or in the colour of `background`: circle is the ellipse that "
            + "touches all sides, rounded:N a rectangle with corners of that radius.",
        link: "responses.md#masks",
        control: .control("Mask", in: .effects, placeholder: "circle")
    )

    package static let key = Parameter(
        "key",
        .text(
            expected: "a colour that is not grey, such as 00ff00, or auto",
            listed: "`00ff00`, `auto`",
            placeholder: "color",
            pattern: "(auto|#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6}))",
            ChromaKey.init
        ),
        sets: \.options.key,
        routes: .pictures,
        help: "A colour that becomes transparent, such as 00ff00 for a green screen; auto is that of the borders.",
        link: "green-screen.md",
        control: .control("Key", in: .key, placeholder: "auto")
    )

    package static let tolerance = Parameter(
        "tolerance",
        .decimal(ChromaKey.tolerances, digits: #"0(\.([0-8][0-9]*|90*))?"#),
        default: "0.25",
        sets: \.parts.tolerance,
        routes: .pictures,
        needs: .key,
        help: "How much of the key may be missing in a pixel that becomes transparent.",
        control: .control("Tolerance of the key", in: .key, placeholder: "0.25")
    )

    package static let spill = Parameter(
        "spill",
        .decimal(0...1, digits: #"0(\.[0-9]+)?|1(\.0+)?"#),
        default: "1",
        sets: \.parts.spill,
        routes: .pictures,
        needs: .key,
        help: "How much of the key is taken out of the pixels that stay visible.",
        control: .control("Spill", in: .key, placeholder: "1")
    )

    package static let backdrop = Parameter(
        "backdrop",
        .text(
            expected: "a colour such as 0044cc, or blur",
            listed: "`0044cc`, `blur`",
            placeholder: "word",
            pattern: "(blur|#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6}))",
            Backdrop.init
        ),
        sets: \.options.backdrop,
        routes: .pictures,
        needs: .key,
        help: "What shows where the key was: a colour, or blur.",
        control: .control("Backdrop", in: .key, placeholder: "0044cc")
    )

    package static let backdropURL = Parameter(
        "backdropUrl",
        .address { _ in Backdrop.picture },
        sets: \.options.backdrop,
        routes: .pictures,
        needs: .key,
        excludes: [.isRefused(with: [.backdrop]) { _, _ in "either backdrop or backdropUrl, not both" }],
        help: "Address of a picture that shows where the key was.",
        control: .control("URL of the backdrop", in: .key, placeholder: "https://example.com/studio.jpg", isWide: true)
    )

    package static let filter = Parameter(
        "filter",
        .text(
            expected: PictureFilter.form,
            listed: ParameterValues.code(PictureFilter.forms),
            placeholder: "list",
            pattern: "\(PictureFilter.pattern)(,\(PictureFilter.pattern)){0,\(PictureFilter.maxCount - 1)}",
            PictureFilter.list
        ),
        sets: \.options.filters,
        routes: .pictures,
        help: "Filters of the result, separated by commas: \(PictureFilter.forms.joined(separator: ", ")).",
        link: "filters.md",
        control: .control("Filters", in: .effects, placeholder: "sepia,vignette", isWide: true)
    )
}
