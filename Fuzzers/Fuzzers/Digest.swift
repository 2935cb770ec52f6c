extension UnsafeBufferPointer<UInt8> {
    /// A number that depends on all bytes (FNV-1a): a choice that takes no part of the input away.
    var digest: UInt64 {
        reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
