import Glibc

extension Double {
    /// The number with a fixed number of decimals, rounded and formatted as printf(3) does.
    package func text(decimals: Int) -> String {
        let maximum = 400 + decimals
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: maximum) { text in
            guard let start = text.baseAddress else { return "" }
            let length = withVaList([Int32(clamping: decimals), self]) { vsnprintf(start, maximum, "%.*f", $0) }
            return String(decoding: text.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
