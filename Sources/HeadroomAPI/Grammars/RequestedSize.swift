/// The sides that an address asks for, in pixels of the result.
struct RequestedSize: Hashable {
    var width: Int?
    var height: Int?
}
