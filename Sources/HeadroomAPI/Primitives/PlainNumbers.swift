extension Double {
    /// Reads a plain decimal such as `16`, `1.91` or `.5`; nil for anything else.
    ///
    /// `Double(_:)` also accepts signs, exponents, hexadecimal digits, `inf` and `nan`, which no parameter permits.
    package init?(plainDecimal text: some StringProtocol) {
        guard text.utf8.count <= 24, text.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }) else { return nil }
        self.init(String(text))
    }
}

extension Int {
    /// Reads an unsigned whole number of decimal digits; nil for anything else, a sign included.
    package init?(plainDigits text: some StringProtocol) {
        guard text.utf8.count <= 12, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        self.init(text)
    }
}
