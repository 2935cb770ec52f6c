/// What Cloudflare's addresses cut off before anything else, and how they turn the result.
extension CloudflareOptions {
    /// Adds the part of the source that is used.
    func addArea(to translation: inout Translation) throws(Problem) {
        let ratio = try pixelRatio()
        let sides = "top;right;bottom;left, each a whole number of pixels"
        let cut = try value(.trim, expected: sides) { text -> [Int]? in
            let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int(plainDigits: $0) }
            return numbers.count == 4 ? numbers.allDefined : nil
        }
        if let cut, cut[1] != 0 || cut[2] != 0 {
            throw .unsupported(option: "trim with right or bottom")
        }
        let x = try trim(.trimLeft, ratio) ?? cut.map { pixels($0[3], ratio) }
        let y = try trim(.trimTop, ratio) ?? cut.map { pixels($0[0], ratio) }
        let width = try trim(.trimWidth, ratio)
        let height = try trim(.trimHeight, ratio)
        guard [x, y, width, height].contains(where: { $0 != nil }) else { return }
        translation[.region] = "\(x ?? "0"),\(y ?? "0"),\(width ?? "1"),\(height ?? "1")"
    }

    private func trim(_ option: CloudflareOption, _ ratio: Double) throws(Problem) -> String? {
        try value(option, expected: "a whole number of pixels") { text in
            Int(plainDigits: text).map { pixels($0, ratio) }
        }
    }

    private func pixels(_ number: Int, _ ratio: Double) -> String {
        "\(Int((Double(min(number, 100_000)) * ratio).rounded()))px"
    }

    /// Adds turn and mirroring.
    func addTurn(to translation: inout Translation) throws(Problem) {
        translation[.rotate] = try word(.rotate, ["0": nil, "90": "90", "180": "180", "270": "270", "360": nil]) ?? nil
        translation[.flip] = try word(.flip, ["h": "horizontal", "v": "vertical", "hv": "both", "vh": "both"])
    }
}

extension [Int?] {
    /// The elements; nil if one of them is nil.
    var allDefined: [Int]? { contains(nil) ? nil : compactMap { $0 } }
}
