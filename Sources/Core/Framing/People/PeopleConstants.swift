/// The constants of the choice of a crop around people.
///
/// `docs/contributing/framing-research.md` has the measurements of each one. The program uses ``chosen``; other values
/// are for measurements.
package struct PeopleConstants: Hashable, Codable, Sendable {
    // MARK: Value of a crop

    /// The value of a whole face; a whole head is worth ``head`` more.
    ///
    /// The two are nearly equal: with equal weights, the search maximises the number of faces and heads together,
    /// and keeps a face without its hair rather than none.
    package var face = 10.0
    /// The additional value of a whole head.
    package var head = 9.0
    /// The cost of halving a face of the largest size.
    package var halved = 3.0
    /// The fraction of a face's length that a crop may show or hide without halving the face.
    package var sliver = 0.08
    /// The further fraction from which the cost of halving is complete.
    package var sliverSlope = 0.05

    /// The uncertainty of the edges of a face and a head, as a fraction of the face's height; greater than the mean
    /// error of a face's centre, which is 0.03.
    package var tolerance = 0.06

    // MARK: Certainty

    /// The score above which all faces are equally certain, in thousandths.
    package var fullScore = 600.0
    /// The fraction of the best score, at most ``fullScore``, below which a face is uncertain.
    package var certainShare = 0.6
    /// The least weight of an uncertain face, as a fraction of its weight if it were certain.
    package var minCertainty = 0.5

    // MARK: Faces and heads that do not fit

    /// The room below the chin if no whole head fits, as a fraction of the face's height.
    package var chinRoom = 0.16
    /// The part of a face above its chin that may be cut if the face does not fit, as a fraction of the face's height.
    package var chinCut = 0.02

    // MARK: Weights

    /// The fraction of the sharpness of the sharpest certain face below which a face is out of focus.
    package var sharpShare = 0.75
    /// The fraction of the side of the largest certain face below which a face is in the background.
    package var smallShare = 0.5
    /// The fraction of that side below which a face can be a part of a crowd.
    package var crowdShare = 0.75
    /// The number of faces in the background from which they are a crowd.
    package var minCrowd = 20.0
    /// The maximum weight of a crowd, in certain people.
    package var crowdWeight = 3.0
    /// The fraction of its weight, and of its side, that a face counts with if the image's edge cuts it.
    package var cutShare = 0.5

    /// The constants of the program.
    package static let chosen = PeopleConstants()
}
