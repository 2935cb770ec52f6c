/// The response of a service of buckets: 200, 204 or 206.
struct ObjectAnswer {
    var status: Int
    var body: [UInt8]
    /// The entity tag as it was sent; nil if there is none.
    var etag: String?
    /// The value of `Content-Range`.
    var contentRange: String?

    /// The length of the whole object, of which a part was read; nil if the service does not say it.
    var wholeLength: Int? {
        guard let contentRange, let slash = contentRange.lastIndex(of: "/") else { return nil }
        let digits = contentRange[contentRange.index(after: slash)...]
        guard digits.utf8.count <= 15, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(digits)
    }
}
