extension FrameJob {
    /// The crops of a job, and their form in the result.
    package struct Answer: Codable, Hashable, Sendable {
        /// The crops to plan.
        package let crops: Crops
        /// The images to make.
        package let product: Product

        /// The crop of the first shape, as one image.
        package static func image(_ output: ImageOutput) -> Answer { Answer(crops: .shapes, product: .image(output)) }

        /// The crop of every shape, one image each.
        package static func crops(_ output: ImageOutput) -> Answer { Answer(crops: .shapes, product: .images(output)) }

        /// The crops of every shape, without images.
        package static let plan = Answer(crops: .shapes, product: .plan)

        /// One face with padding, as one image; 1 is the largest face.
        package static func face(index: Int, _ output: ImageOutput) -> Answer {
            Answer(crops: .face(index), product: .image(output))
        }

        /// The crop of ``face(index:_:)``, without an image.
        package static func facePlan(index: Int) -> Answer { Answer(crops: .face(index), product: .plan) }

        /// Every face with padding, one image each, the largest first.
        package static func portraits(_ output: ImageOutput) -> Answer {
            Answer(crops: .everyFace, product: .images(output))
        }

        /// The whole image with the faces drawn on it, and with the crop of the first shape if `showsCrop` is true.
        package static func debug(_ output: ImageOutput, showsCrop: Bool) -> Answer {
            Answer(crops: .shapes, product: .drawing(output, showsCrop: showsCrop))
        }
    }

    /// The crops to plan.
    package enum Crops: Codable, Hashable, Sendable {
        /// One crop for each shape.
        case shapes
        /// One crop of one face for each shape; 1 is the largest face.
        case face(Int)
        /// One crop for each face, in the first shape.
        case everyFace
    }

    /// The images to make.
    package enum Product: Codable, Hashable, Sendable {
        /// No image: the result is the plan.
        case plan
        /// An image of the first crop.
        case image(ImageOutput)
        /// An image of each crop.
        case images(ImageOutput)
        /// The whole image with the faces drawn on it, and with the first crop if `showsCrop` is true.
        case drawing(ImageOutput, showsCrop: Bool)

        /// Whether the result is one image without other data.
        package var isSingleImage: Bool {
            switch self {
            case .image, .drawing: true
            case .plan, .images: false
            }
        }

        /// The encoding of the images; nil without images.
        package var output: ImageOutput? {
            switch self {
            case .plan: nil
            case .image(let output), .images(let output), .drawing(let output, _): output
            }
        }
    }
}
