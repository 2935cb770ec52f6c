/// The colour models in which a step can draw.
enum StepModels: Comparable {
    /// Every model.
    case all
    /// Grey, or red, green and blue.
    case grayOrRGB
    /// Red, green and blue.
    case rgb
}
