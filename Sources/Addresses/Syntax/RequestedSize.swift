import HeadroomAPI

/// The requested sides of the output; nil for a side that is not given.
struct RequestedSize: Hashable {
    var width: RequestedSide?
    var height: RequestedSide?
}
