/// All constants of attention, with their units, meanings, sources and costs.
///
/// "Fitted" constants were chosen on 288 photographs with 650 faces and 110 photographs without faces, in five aspect
/// ratios each. A cost is the decrease of a metric (see `docs/contributing/framing-research.md`) when the rule with
/// this constant is removed.
enum AttentionConstants {
    // MARK: Map

    /// The maximum number of pixels of the analysed image, a square of 128 by 128.
    ///
    /// Chosen for speed.
    static let workingPixels = 1 << 14
    /// The maximum luma difference, of 510, of a gradient that is noise or clouds.
    ///
    /// Fitted; costs 0.003 of kept.
    static let faintGradient = 20
    /// The weight of full skin likelihood where people are expected, in multiples of the strongest gradient.
    ///
    /// Fitted; costs 0.027 of kept.
    static let skinWeight: Float = 3
    /// The weight of a pixel without saliency, in multiples of the mean saliency.
    ///
    /// Fitted; costs 0.043 of heads.
    static let uniformWeight: Float = 0.5

    // MARK: Skin

    /// The centre and half width of the blue chroma of skin, 77…127.
    ///
    /// From Chai and Ngan, IEEE Trans. Circuits and Systems for Video Technology 9:4, 1999.
    static let skinBlue: (middle: Float, reach: Float) = (102, 25)
    /// The centre and half width of the red chroma of skin, 133…173, from the same paper.
    static let skinRed: (middle: Float, reach: Float) = (153, 20)
    /// The minimum luma of full skin likelihood, of 255; it falls to 0 at black, because dark pixels have no reliable
    /// chroma.
    ///
    /// Fitted; costs 0.001 of kept and of perfect.
    static let fullSkinLuma: Float = 70

    // MARK: Barrier distance

    /// The number of raster scans: forwards, backwards, forwards.
    ///
    /// The value is from Zhang and others, ICCV 2015. With only two scans, 4 of 415 crops of things are much worse than
    /// centre crops, instead of 3.
    static let barrierScans = 3

    // MARK: Search

    /// The distance on each side of a crop's edge within which attention counts as cut, as a fraction of the axis.
    ///
    /// Fitted; costs 0.024 of heads.
    static let edgeReach = 0.02
    /// The maximum reduction of each side by zoom, as a fraction of the side.
    ///
    /// The value was chosen and not fitted, because the extent of the subject is unknown.
    static let maxZoom = 1.0 / 3

    /// The centre interval is used if it has more than this many times the detail of the best interval.
    ///
    /// Fitted. Without it, 61 of 415 crops of things are much worse than centre crops, instead of 56, with
    /// `gravity=attention`, which expects people. No crop of people changes. With 1.5, perfect decreases by 0.001.
    static let maxDetailLost = 2

    // MARK: Doubtful faces

    /// The minimum width of an uncertain face that is plausible in any colour, as a fraction of the image's shorter
    /// side.
    ///
    /// Fitted; costs 0.003 of heads with detection.
    static let largeFace = 0.3
    /// The minimum mean skin likelihood of a plausible face, times its width as a fraction of the image's shorter side.
    ///
    /// Fitted. Without it, 7 of 415 crops of things are much worse than centre crops, instead of 3.
    static let minSkin = 0.012
    /// The minimum mean difference of chroma from grey in an image with colour, in levels.
    ///
    /// Chosen; values from 0.5 to 2 give the same crops. Costs 0.0004 of heads with detection, because it affects two
    /// of the 17 images with people in which no face is found.
    static let minChroma = 2
}
