/// What becomes of the parameters of imgix' addresses.
enum ImgixParameter {
    /// Translated.
    static let translated: Set<String> = [
        "w", "h", "fit", "crop", "facepad", "faceindex", "fp-x", "fp-y", "fp-z", "ar", "rect", "dpr", "q", "fm", "auto",
        "bg", "fill", "fill-color", "trim", "trim-md", "trim-tol", "rot", "flip", "chromasub",
        "min-w", "min-h", "max-w", "max-h", "expires",
    ]

    /// Parameters about the address itself, which say nothing about the picture.
    static let silent: Set<String> = ["s", "ixlib", "ixid"]

    /// Not supported, with the values that have no effect.
    static let missing: Set<String> = [
        "bg-remove", "bg-replace", "blend", "blur", "border", "bri", "con", "corner-radius", "dl", "duotone", "exp",
        "fp-debug", "frame", "gam", "grid-colors", "high", "htn", "hue", "invert", "jpg-progressive-scan", "mark",
        "mask", "monochrome", "nd", "or", "pad", "pad-top", "pad-bottom", "pad-left", "pad-right", "page", "palette",
        "pdf-page-number", "px", "sat", "sepia", "shad", "time", "transparency", "txt", "upscale", "vib", "video",
    ]

    /// Parameters of unsupported ones, which would have an effect only with them, begin with these words.
    static let missingPrefixes = [
        "blend-", "border-", "mark-", "mask-", "txt-", "grid-", "duotone-", "video-", "object-",
    ]

    /// Other names of parameters.
    static let aliases = [
        "width": "w", "height": "h", "f": "fit", "fpx": "fp-x", "fpy": "fp-y", "fpz": "fp-z",
        "fillcolor": "fill-color", "fill-clr": "fill-color", "fillclr": "fill-color", "faceidx": "faceindex",
        "fi": "faceindex", "fp": "facepad", "mono": "monochrome", "m": "mark", "t": "txt", "b": "blend", "orient": "or",
        "minw": "min-w", "minh": "min-h", "maxw": "max-w", "maxh": "max-h", "max-width": "max-w", "max-height": "max-h",
        "min-width": "min-w", "min-height": "min-h", "trimtol": "trim-tol", "trimmd": "trim-md", "download": "dl",
        "format": "fm", "quality": "q", "background": "bg",
    ]
}
