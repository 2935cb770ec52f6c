extension UInt8 {
    /// The byte of the same ASCII letter in lower case; other bytes are unchanged.
    package var lowercasedASCII: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}
