/// An IPv4 address embedded in an IPv6 address.
struct EmbeddedIPv4 {
    /// The name of the transition mechanism, for logs.
    let form: String
    let address: IPAddress
    /// Whether the IPv6 prefix is reserved for this mechanism, so that the IPv4 address alone decides.
    let ownsPrefix: Bool
}
