import Framing
import Pipeline

/// Parameters for the crop.
extension Parameter {
    package static let region = Parameter(
        "region",
        .text(
            expected: "\(Region.form), or \(Region.placedForm); width and height are not 0",
            listed: "`x,y,width,height`; `center,width,height`",
            placeholder: "rect",
            pattern: Region.pattern,
            Region.init
        ),
        default: .described("the whole source"),
        sets: \.options.region,
        routes: [.frame, .portraits, .list],
        help: "Part of the source to use, as x,y,width,height: fractions such as 0.25, or pixels such as 24px.",
        link: "framing.md#region-and-trim",
        control: .control("Region", in: .areas, placeholder: "0,0,0.5,1", isWide: true)
    )

    package static let trim = Parameter(
        "trim",
        .whole(0...255, digits: "[0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5]"),
        sets: \.options.trim,
        routes: .frame,
        help:
            "Trims uniform borders first. The value is the colour tolerance, compared with the top left pixel. Use 10 for "
            + "JPEG.",
        link: "framing.md#region-and-trim",
        control: .control("Trim", in: .areas)
    )

    package static let gravity = Parameter(
        "gravity",
        .text(
            expected:
                "one of \(Gravity.plainWords.joined(separator: ", ")), face:N (from 1), point:X,Y (each 0 to 1), or object: "
                + "and class names, for example object:dog or object:person:2,cat",
            listed: "\(ParameterValues.code(Gravity.plainWords)), `face:N`, `point:X,Y`, `object:NAME,…`",
            placeholder: "word",
            schema:
                "type: string, anyOf: [{ enum: [\(Gravity.plainWords.joined(separator: ", "))] }, { pattern: '^face:[0-9]+$' }, "
                + "{ pattern: '^point:[0-9.]+,[0-9.]+$' }, { pattern: '^\(WantedClass.pattern)$' }]",
            types: .init(
                python: "Union[Literal[\(ParameterValues.quoted(Gravity.plainWords))], str]",
                typeScript: "Gravity | (string & {})"
            ),
            Gravity.init
        ),
        default: "faces",
        sets: \.options.framing.gravity,
        routes: [.frame, .stream],
        help:
            "Alignment of the crop: \(Gravity.plainWords.joined(separator: ", ")), face:N (the Nth largest face), "
            + "point:X,Y (fractions from the top left) or object:NAME,… (objects of these classes). centermost: the face "
            + "nearest the centre. subject: people, animals and things. attention: the area with the most detail and skin "
            + "colour.",
        link: "framing.md#subjects",
        control: .control("Gravity", in: .framing, words: Gravity.plainWords + ["face", "point", "object"])
    )

    package static let offset = Parameter(
        "offset",
        .text(
            expected: "two distances such as 10px,0.1: output pixels, or fractions of the source from -1 to 1",
            listed: "`X,Y`: `10px,-20px`, `0.1,0`",
            placeholder: "x,y",
            pattern: GravityOffset.pairPattern,
            { GravityOffset($0) }
        ),
        sets: \.options.framing.offset,
        routes: .frame,
        help:
            "Moves the crop by X,Y: inwards from the edges that `gravity` names, otherwise right and down from the centre. "
            + "Output pixels such as 10px,20px, or fractions of the source such as 0.1,0.",
        control: .control("Offset", in: .framing, placeholder: "10px,0")
    )

    package static let focus = Parameter(
        "focus",
        .text(
            expected: FocalArea.form,
            listed: "`x,y,width,height,weight`; …",
            placeholder: "rects",
            pattern: "\(FocalArea.pattern)(;\(FocalArea.pattern))*",
            FocalArea.list
        ),
        sets: \.options.framing.focal,
        routes: .frame,
        help:
            "Areas to keep like heads: x,y,width,height[,weight], separated by semicolons, in the units of `region`. Without "
            + "`gravity` they replace faces. A negative weight excludes an area, such as a logo, unless that would cut a head.",
        link: "framing.md#focal-areas",
        control: .control("Focal areas", in: .areas, placeholder: "0.2,0.1,0.3,0.4", isWide: true)
    )

    package static let fallback = Parameter(
        "fallback",
        .text(
            expected: "one of \(Fallback.plainWords.joined(separator: ", ")), or point:X,Y (each 0 to 1)",
            listed: "\(ParameterValues.code(Fallback.plainWords)), `point:X,Y`",
            placeholder: "word",
            schema:
                "type: string, anyOf: [{ enum: [\(Fallback.plainWords.joined(separator: ", "))] }, { pattern: '^point:\(Fraction.pattern)$' }]",
            types: .init(
                python: "Union[Literal[\(ParameterValues.quoted(Fallback.plainWords))], str]",
                typeScript: "\(Fallback.plainWords.map { "\"\($0)\"" }.joined(separator: " | ")) | (string & {})"
            ),
            Fallback.init
        ),
        default: "attention",
        sets: \.options.framing.fallback,
        routes: [.frame, .stream],
        help:
            "Crop to use if no face is found: \(Fallback.plainWords.joined(separator: ", ")), or point:X,Y. attention: "
            + "the main people, animals and things, otherwise detail and skin colour. original: the whole image, without `aspect`. "
            + "error: status 422.",
        commandHelp:
            "Crop to use if no face is found: \(Fallback.plainWords.joined(separator: ", ")), or point:X,Y. attention: "
            + "the main people, animals and things, otherwise detail and skin colour. original: the whole image, without `aspect`. "
            + "error: no crop, and an error.",
        control: .control("Fallback", in: .areas, placeholder: "attention")
    )

    package static let zoom = Parameter(
        "zoom",
        .decimal(0...1, digits: #"0(\.[0-9]+)?|1(\.0+)?"#),
        default: "0",
        sets: \.options.framing.zoom,
        routes: [.frame, .stream],
        help:
            "Tightness of the crop: 0 is the largest possible crop, 1 the smallest that contains the heads with padding.",
        control: .control("Zoom", in: .framing)
    )

    package static let padding = Parameter(
        "padding",
        .text(
            expected: "a fraction of the head's height from 0 to 10, such as 0.2, or pixels, such as 24px",
            listed: "`0.2` (0 to 10), `24px`",
            placeholder: "n",
            pattern: "([0-9.]+|[0-9]+px)",
            memberSchema: "type: [number, string], minimum: 0, maximum: 10, pattern: '^([0-9.]+|[0-9]+px)$'",
            types: .init(python: "Union[float, str]", typeScript: "number | string"),
            Padding.init
        ),
        default: "0.06",
        sets: \.options.framing.padding,
        routes: [.frame, .portraits, .stream],
        help:
            "Space around each head, up to the image edge: a fraction of the head's height such as 0.2, or pixels such as "
            + "24px.",
        control: .control("Padding", in: .framing, placeholder: "0.06")
    )

    package static let place = Parameter(
        "place",
        .text(
            expected:
                "one of \(Placement.plainWords.joined(separator: ", ")), or two fractions from 0 to 1, such as 0.3,0.5",
            listed: "\(ParameterValues.code(Placement.plainWords)), `X,Y`",
            placeholder: "word",
            schema:
                "type: string, anyOf: [{ enum: [\(Placement.plainWords.joined(separator: ", "))] }, { pattern: '^\(Fraction.pattern)$' }]",
            types: .init(
                python: "Union[Literal[\(ParameterValues.quoted(Placement.plainWords))], str]",
                typeScript: "\(Placement.plainWords.map { "\"\($0)\"" }.joined(separator: " | ")) | (string & {})"
            ),
            Placement.init
        ),
        default: "center",
        sets: \.options.framing.place,
        routes: [.frame, .stream],
        help:
            "Position of the people in the crop: \(Placement.plainWords.joined(separator: ", ")), or X,Y as fractions from "
            + "the top left. thirds: eyes on the upper third. keep: same relative position as in the source.",
        link: "framing.md#place",
        control: .control("Place", in: .framing, placeholder: "center")
    )
}
