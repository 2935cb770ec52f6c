import HeadroomAPI

/// The requested sides of the result; nil for one that is not given.
struct RequestedSize: Hashable {
    var width: RequestedSide?
    var height: RequestedSide?
}
