/// The mirroring of a result, after its turn.
package enum Flip: String, CaseIterable, Sendable {
    /// Left and right are exchanged.
    case horizontal
    /// Top and bottom are exchanged.
    case vertical
    /// Both, which is half a turn.
    case both
}
