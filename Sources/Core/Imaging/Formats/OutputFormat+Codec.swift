package import Geometry

extension OutputFormat {
    var writing: FormatCodec.Writing {
        guard let writing = InputFormat(self).codec.writing else { preconditionFailure("\(name) files are written") }
        return writing
    }

    /// The capacity of a file; ``keepsAlpha``, ``keepsAnimation`` and ``ImageEncoder/encoderBytes(_:as:_:)`` are the other
    /// properties that decide whether an output fits.
    package var capacity: FormatCapacity { writing.capacity }

    /// Whether a file can contain an image of this size; animations are limited in the same way.
    package func holds(_ size: PixelSize) -> Bool { size.longSide <= capacity.maxSide }

    /// Whether the service may choose the format for an image of this size: files can contain it and browsers can show
    /// it.
    package func suits(_ size: PixelSize) -> Bool { size.longSide <= capacity.maxShownSide }

    /// Whether the format supports transparency.
    package var keepsAlpha: Bool { writing.keepsAlpha }

    /// Whether files can have a colour profile.
    package var keepsProfile: Bool { writing.keepsProfile }

    /// Whether files have a quality.
    package var isLossy: Bool { writing.isLossy }

    /// Whether encoding takes many times as long as in other formats.
    ///
    /// The size of such results is limited, and the format is chosen only where it saves enough bytes.
    package var isExpensive: Bool { writing.isExpensive }

    /// Whether the format is preferred to JPEG and PNG only if the client names it; programs that cannot show the
    /// format also send `*/*`.
    package var mustBeNamed: Bool { writing.mustBeNamed }

    /// Whether the format can hold an animation that this program writes.
    package var keepsAnimation: Bool { writing.animation != nil }

    /// Whether the format is chosen for an animation in a different format.
    ///
    /// PNG is not, because a lossless animation is many times as large.
    package var suitsEveryAnimation: Bool { writing.animation?.suitsEveryAnimation ?? false }

    /// Whether the number of times that an animation plays is written.
    package var keepsPlays: Bool { writing.animation?.keepsPlays ?? false }

    /// The format whose signature starts the bytes; nil if no signature matches.
    package static func sniff(_ bytes: [UInt8]) -> OutputFormat? {
        InputFormat.sniff(bytes).flatMap { OutputFormat(rawValue: $0.rawValue) }
    }
}
