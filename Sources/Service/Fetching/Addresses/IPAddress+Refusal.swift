extension IPAddress {
    /// The rule that refuses this address.
    ///
    /// It depends on whether a setting allows the address.
    var cause: FetchRefusal.Cause {
        AddressPolicy.privateAllowed.refusal(of: self) == nil ? .privateAddress : .forbiddenAddress
    }
}
