extension FrameJob {
    /// The crops of a job, and their form in the result.
    package struct Answer: Codable, Hashable, Sendable {
        /// Which crops are planned.
        package let crops: Crops
        /// What is made of them.
        package let product: Product

        /// The crop of the first shape, as an image.
        package static func image(_ output: ImageOutput) -> Answer { Answer(crops: .shapes, product: .image(output)) }

        /// The crop of every shape, as images.
        package static func crops(_ output: ImageOutput) -> Answer { Answer(crops: .shapes, product: .images(output)) }

        /// The rectangles only.
        package static let plan = Answer(crops: .shapes, product: .plan)

        /// One face with some space around it, as an image; 1 is the largest face.
        package static func face(index: Int, _ output: ImageOutput) -> Answer {
            Answer(crops: .face(index), product: .image(output))
        }

        /// The rectangle of ``face(index:_:)``.
        package static func facePlan(index: Int) -> Answer { Answer(crops: .face(index), product: .plan) }

        /// Every face with some space around it, as images, the largest first.
        package static func portraits(_ output: ImageOutput) -> Answer {
            Answer(crops: .everyFace, product: .images(output))
        }

        /// The whole image with the findings drawn over it, and the crop of the first shape if that is shown.
        package static func debug(_ output: ImageOutput, showsCrop: Bool) -> Answer {
            Answer(crops: .shapes, product: .drawing(output, showsCrop: showsCrop))
        }
    }

    /// Which crops are planned.
    package enum Crops: Codable, Hashable, Sendable {
        /// One for each shape.
        case shapes
        /// One for each shape, of one face; 1 is the largest face.
        case face(Int)
        /// One for each face, in the first shape.
        case everyFace
    }

    /// What is made of the crops.
    package enum Product: Codable, Hashable, Sendable {
        /// No image: the rectangles are the result.
        case plan
        /// An image of the first crop.
        case image(ImageOutput)
        /// An image of each crop.
        case images(ImageOutput)
        /// The whole image with the findings drawn over it, and the first crop if that is shown.
        case drawing(ImageOutput, showsCrop: Bool)

        /// Whether the result is one image and nothing else.
        package var isSingleImage: Bool {
            switch self {
            case .image, .drawing: true
            case .plan, .images: false
            }
        }

        /// The encoding of the images; nil for none.
        package var output: ImageOutput? {
            switch self {
            case .plan: nil
            case .image(let output), .images(let output), .drawing(let output, _): output
            }
        }
    }
}
