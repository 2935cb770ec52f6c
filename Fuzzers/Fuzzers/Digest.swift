extension UnsafeBufferPointer<UInt8> {
    /// Returns FNV-1a of all bytes; it derives a choice from the input without consuming a part of the input.
    var digest: UInt64 {
        reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
