import Glibc

/// The system's words for a value of `errno`.
func systemMessage(_ number: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
        guard let base = buffer.baseAddress, strerror_r(number, base, buffer.count) == 0 else {
            return "error \(number)"
        }
        return String(cString: base)
    }
}
