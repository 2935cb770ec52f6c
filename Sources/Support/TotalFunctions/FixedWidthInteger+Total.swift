extension FixedWidthInteger {
    /// Converts to the nearest representable integer, without the fraction; 0 for `nan`.
    ///
    /// `Int(_:)` of a `Double` would end the process for `nan`, infinities, and numbers that do not fit.
    @inlinable package init(clamping number: some BinaryFloatingPoint) {
        if let exact = Self(exactly: number.rounded(.towardZero)) {
            self = exact
        } else {
            self = number.isNaN ? 0 : number < 0 ? .min : .max
        }
    }

    /// Returns the sum, or the nearest representable number if it overflows.
    @inlinable package func saturatingAdding(_ other: Self) -> Self {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    /// Returns the product, or the nearest representable number if it overflows.
    @inlinable package func saturatingMultiplied(by factor: Self) -> Self {
        let (product, overflows) = multipliedReportingOverflow(by: factor)
        return overflows ? ((self < 0) == (factor < 0) ? .max : .min) : product
    }
}
