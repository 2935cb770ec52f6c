/// The constants of the choice of a crop around people.
///
/// `docs/contributing/framing-research.md` contains the measurements of each constant. The program uses ``chosen``;
/// other values are for measurements.
package struct PeopleConstants: Hashable, Codable, Sendable {
    // MARK: Value of a crop

    /// The value of a whole face; ``head`` is the additional value of a whole head.
    ///
    /// The two values are nearly equal. With equal weights, the search maximises the total number of faces and heads,
    /// and prefers a face without hair to no face.
    package var face = 10.0
    /// The additional value of a whole head.
    package var head = 9.0
    /// The cost of halving a face of the maximum size.
    package var halved = 3.0
    /// The fraction of a face's length that a crop may show or hide without halving the face.
    package var sliver = 0.08
    /// The further fraction over which the cost of halving rises to its full value.
    package var sliverSlope = 0.05

    /// The uncertainty of the edges of a face and a head, as a fraction of the face's height.
    ///
    /// It is greater than the mean error of a face's centre, which is 0.03.
    package var tolerance = 0.06

    // MARK: Certainty

    /// The minimum score of a face with full certainty, in thousandths; all higher scores are equally certain.
    package var fullScore = 600.0
    /// The minimum score of a certain face, as a fraction of the best score, which counts up to ``fullScore``.
    package var certainShare = 0.6
    /// The minimum weight of an uncertain face, as a fraction of its weight if it were certain.
    package var minCertainty = 0.5

    // MARK: Faces and heads that do not fit

    /// The space below the chin if no whole head fits, as a fraction of the face's height.
    package var chinRoom = 0.16
    /// The part of a face above its chin that may be cut if the face does not fit, as a fraction of the face's height.
    package var chinCut = 0.02

    // MARK: Weights

    /// The minimum sharpness of a face in focus, as a fraction of the sharpness of the sharpest certain face.
    package var sharpShare = 0.75
    /// The minimum side of a face in the foreground, as a fraction of the side of the largest certain face.
    package var smallShare = 0.5
    /// The maximum side of a face in a crowd, as a fraction of the side of the largest certain face.
    package var crowdShare = 0.75
    /// The minimum number of background faces that count as a crowd.
    package var minCrowd = 20.0
    /// The maximum weight of a crowd, in certain people.
    package var crowdWeight = 3.0
    /// For a face that the image's edge cuts, the fraction of its weight and of its side that counts.
    package var cutShare = 0.5

    /// The constants of the program.
    package static let chosen = PeopleConstants()
}
