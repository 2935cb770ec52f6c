package import Framing
package import Geometry
package import Imaging

/// The result of detection and framing; all rectangles are in pixels of the upright source image.
package struct FramePlan: Codable, Sendable {
    /// The properties of the source, as read from its header.
    package struct Source: Codable, Sendable {
        /// The size after orientation, in pixels.
        package var size: PixelSize
        /// The format of the file.
        package var format: InputFormat
        /// The EXIF orientation, 1…8.
        package var orientation: Int
        /// The animation to crop; nil for a still image, and if the job uses only the first frame.
        package var animation: AnimationInfo?
        /// Whether a part of the pixels that affect the result is lost.
        package var isDamaged = false
    }

    /// The crop for one requested aspect ratio.
    package struct Crop: Codable, Sendable {
        /// The requested aspect ratio; nil for the image's own.
        package var aspect: AspectRatio?
        /// The crop, in pixels of the source.
        package var rect: PixelRect
        /// The crop before it is clamped to the image.
        package var unclamped: PixelRect
        /// The size of the result, in pixels.
        package var output: PixelSize
        /// The bars next to the crop; nil if the crop fills the result.
        package var letterbox: Letterbox?
        /// The rectangle of the crop in the result, in pixels of the result; without bars, the whole result.
        package var image: PixelRect
        /// The rule that determined the crop.
        package var decision: Decision
        /// The outcome of the crop for each of the plan's faces.
        package var outcomes: [Outcome]
        /// The smallest rectangle around the kept heads and focal areas that determined the crop; nil if none
        /// determined it.
        package var subjectArea: PixelRect?
        /// The largest rectangle of the crop that intersects no head; nil if heads cover the whole crop.
        package var faceFree: PixelRect?
        /// The rotated crop; `rect` is its bounding box in the source.
        ///
        /// Nil without a rotation.
        package var turned: RotatedCrop?
        /// The crop of each frame of an animation, all with the size of `rect`; nil if all frames have the crop `rect`.
        package var path: [PixelRect]?
        /// The placeholder; nil if none was requested.
        package var placeholder: Placeholder?
        /// The position of the watermark; nil without a watermark.
        package var mark: PlacedWatermark?

        /// Returns the crop of an animation frame; frames are counted from 0.
        func shown(in frame: Int) -> Crop {
            guard let path, path.indices.contains(frame) else { return self }
            var crop = self
            crop.rect = path[frame]
            return crop
        }

        /// Whether there are bars next to the crop.
        package var hasBars: Bool { image.size != output }

        /// The size of crop and bars together, or of the crop stretched to its aspect ratio, in pixels of the source.
        package var size: PixelSize {
            if let turned { return turned.size }
            if decision == .fill { return aspect?.widestCrop(in: rect.size) ?? rect.size }
            return letterbox?.size ?? rect.size
        }
    }

    /// The detector, its passes and their total duration.
    package struct Detector: Codable, Sendable {
        /// The detector's name.
        package var name: String
        /// The requested effort.
        package var accuracy: Accuracy
        /// The detection passes, in order.
        package var passes: [DetectionPass]
        /// The total time of the passes.
        package var duration: Duration
        /// Whether this job reused the passes of an earlier job instead of running a search.
        package var isKnown: Bool
        /// The searched frames of an animation, counted from 0; nil if one image was searched.
        package var frames: [Int]?
    }

    /// A sticker that is not drawn on some faces because their landmarks are uncertain.
    package struct OmittedSticker: Hashable, Codable, Sendable {
        /// The sticker's name.
        package var name: String
        /// The numbers of the faces in the list of faces, counted from 1.
        package var faces: [Int]

        /// Creates the record of a sticker that is not drawn on some faces.
        ///
        /// - Parameters:
        ///   - name: The sticker's name.
        ///   - faces: The numbers of the faces in the list of faces, counted from 1.
        package init(name: String, faces: [Int]) { (self.name, self.faces) = (name, faces) }
    }

    /// The source image.
    package var source: Source
    /// The part of the source that framing used as if it were the whole source.
    package var area: PixelRect
    /// The rotation and mirroring of the finished images; all other values in the plan apply before it.
    package var turn = Orientation.up
    /// Whether a crop with heads has the aspect ratio of the rectangle around them.
    package var fitsHeads = false
    /// One crop for each requested aspect ratio or face.
    package var crops: [Crop]
    /// The faces, largest first.
    package var faces: [Face]
    /// People, animals and things, the highest scores first; empty unless the job required them or no face was found.
    package var subjects: [PlannedSubject] = []
    /// Detections that do not count as faces.
    package var ignored: [IgnoredFace] = []
    /// The detection; nil if the job needed no faces.
    package var detector: Detector?
    /// The stickers that are not drawn on all faces.
    package var omittedStickers: [OmittedSticker] = []
    /// The heads that are made unrecognisable in images; nil for none.
    package var redaction: Redaction?

    /// The audit of the redaction; nil without redaction, in responses with images, and for animations.
    package var audit: RedactionAudit?
    /// The number of heads that redaction covers in the whole image, or in all frames of an animation.
    ///
    /// The value is nil if no heads are to be covered, and for plans of animations.
    package var coveredHeads: Int?
    /// The colour of the image's borders for `key=auto`.
    ///
    /// The value is nil with another key or without a key, and in responses without images of crops.
    package var borderKey: BorderKey?

    /// Whether the first crop contains the whole head of a face.
    package func keeps(_ face: Face) -> Bool { crops.first?.rect.contains(face.head) ?? false }
}

/// The key colour that `key=auto` found in the image's borders.
package enum BorderKey: Hashable, Codable, Sendable {
    /// The borders have no colour that can be a key, so nothing became transparent.
    case none
    /// The colour of the borders.
    case color(KeyColor)

    /// Creates the outcome of a search for the colour of the borders.
    init(_ color: KeyColor?) { self = color.map { .color($0) } ?? .none }

    /// The colour in six hexadecimal digits, or `none`.
    package var word: String {
        switch self {
        case .none: "none"
        case .color(let color): color.digits
        }
    }
}
