import Framing
import Imaging
import Pipeline

/// Parameters for detection and for changes to faces.
extension Parameter {
    package static let accuracy = Parameter(
        "accuracy",
        .word,
        default: "high",
        sets: \.options.accuracy,
        routes: [.frame, .portraits, .list, .stream],
        help: "low: one fast detection pass, which finds larger faces only.",
        control: .control("Accuracy", in: .areas)
    )

    package static let minFace = Parameter(
        "minFace",
        .decimal(0.02...1, digits: #"0\.(0[2-9]|[1-9])[0-9]*|1(\.0+)?"#),
        default: .described("all that `accuracy` finds"),
        sets: \.options.smallestFace,
        routes: [.frame, .portraits, .list, .stream],
        help: "Minimum face size, as a fraction of the image's shorter side. Smaller values take longer.",
        control: .control("Smallest face", in: .areas, placeholder: "0.1")
    )

    package static let upright = Parameter(
        "upright",
        .boolean,
        default: "false",
        sets: \.parts.isUpright,
        routes: .portraits,
        excludes: [
            .isRefused(with: [.losslessCrop], when: { $0.parts.turnsUpright && $0.options.isLossless }) { _, _ in
                "with losslessCrop=true, which cannot rotate"
            },
            .refuses([.chromaKey], when: { $0.parts.turnsUpright }) { _, _ in "with upright" },
        ],
        help: "Rotate images of faces until the eyes are level.",
        link: "faces.md"
    )

    package static let align = Parameter(
        "align",
        ParameterForm<Alignment>.word,
        sets: \.parts.alignment,
        routes: .portraits,
        excludes: [
            .refuses([.padding], when: { $0.parts.alignment != nil }) { _, _ in
                "with align=eyes, which fixes the size of the face"
            },
            .isRefused(with: [.losslessCrop], when: { $0.parts.alignment != nil && $0.options.isLossless }) { _, _ in
                "with losslessCrop=true, which cannot rotate"
            },
            .refuses([.chromaKey], when: { $0.parts.alignment != nil }) { _, _ in "with align" },
        ],
        help: "Moves the eyes to the same position in every image of a face.",
        link: "faces.md"
    )

    package static let eyes = Parameter(
        "eyes",
        .decimal(0.1...0.9, digits: #"0\.([1-8][0-9]*|90*)"#),
        default: "0.4",
        sets: \.parts.eyes,
        routes: .portraits,
        needs: .align,
        help: "Height of the eyes, as a fraction of the output height from the top."
    )

    package static let eyeDistance = Parameter(
        "eyeDistance",
        .decimal(0.05...0.6, digits: #"0\.(0[5-9][0-9]*|[1-5][0-9]*|60*)"#),
        default: "0.25",
        sets: \.parts.eyeDistance,
        routes: .portraits,
        needs: .align,
        help:
            "Distance between the eyes, as a fraction of the output's shorter side. A head is about 3.2 times as high."
    )

    package static let overlay = Parameter(
        "overlay",
        .text(
            expected:
                "at most \(Sticker.maxStickers) different sticker names, separated by commas, such as halo,glasses",
            listed: "names, separated by commas",
            placeholder: "names",
            pattern: "\(OverlayNames.pattern)(,\(OverlayNames.pattern)){0,\(Sticker.maxStickers - 1)}",
            OverlayNames.list
        ),
        sets: \.overlays,
        routes: .images,
        help:
            "Stickers to draw on every face, separated by commas: halo, glasses, hat, moustache, or names from --overlays.",
        link: "overlays.md#stickers",
        control: .control("Stickers", in: .effects, placeholder: "halo,glasses")
    )

    package static let redact = Parameter(
        "redact",
        ParameterForm<RedactionStyle>.word,
        sets: \.parts.redaction,
        routes: [.frame, .portraits, .annotated, .stream],
        help: "Makes heads unrecognisable in every image of the response. fill: plain grey.",
        link: "privacy.md",
        control: .control("Redact", in: .effects)
    )

    package static let redactFaces = Parameter(
        "redactFaces",
        .text(
            expected:
                "all, others, none with redactAreas, or at most \(Redaction.maxNumbers) face numbers, separated by commas, "
                + "such as 1,3",
            listed: "`all`, `others`, `1,3`, `none`",
            placeholder: "faces",
            pattern: Redaction.facesPattern,
            memberSchema:
                "type: [string, integer], minimum: 1, maximum: 999999999999, pattern: '^\(Redaction.facesPattern)$'",
            types: .init(python: "Union[str, int]", typeScript: "string | number"),
            Redaction.Faces.init
        ),
        default: "all",
        sets: \.parts.redactedFaces,
        routes: [.frame, .portraits, .annotated, .stream],
        needs: .redact,
        help:
            "Heads to redact: all, others (all except the largest face), face numbers such as 1,3, or none (with "
            + "`redactAreas` only). Streams accept all and none.",
        commandHelp:
            "Heads to redact: all, others (all except the largest face), face numbers such as 1,3, or none (with "
            + "`redactAreas` only).",
        control: .control("Redacted faces", in: .areas, placeholder: "all")
    )

    package static let redactShape = Parameter(
        "redactShape",
        ParameterForm<RedactionShape>.word,
        default: "rounded",
        sets: \.parts.redactionShape,
        routes: [.frame, .portraits, .annotated, .stream],
        needs: .redact,
        help: "Outline of redacted areas. rounded: a rounded rectangle. oval: an ellipse, which covers more.",
        control: .control("Redacted shape", in: .areas)
    )

    package static let redactAreas = Parameter(
        "redactAreas",
        .text(
            expected: "at most \(Redaction.maxAreas) rectangles \(Region.form), separated by ;",
            listed: "`x,y,width,height`; …",
            placeholder: "rects",
            pattern: "\(Region.pattern)(;\(Region.pattern)){0,\(Redaction.maxAreas - 1)}",
            Redaction.areas
        ),
        sets: \.parts.redactedAreas,
        routes: [.frame, .portraits, .annotated, .stream],
        needs: .redact,
        help: "Areas to redact in addition to heads, as x,y,width,height like `region`, separated by semicolons.",
        control: .control("Redacted areas", in: .areas, placeholder: "0.1,0.1,0.2,0.2")
    )
}
