/// The use of width and height for a picture of the other orientation.
package enum BoxChoice: String, CaseIterable, Sendable {
    /// As requested.
    case fixed
    /// They are exchanged.
    case turn
}
