/// The colour models that a step can draw in.
enum StepModels: Comparable {
    /// Every model.
    case all
    /// Grey, or red, green and blue.
    case grayOrRGB
    /// Red, green and blue.
    case rgb
}
