/// The four letters that name a box, an item, a reference or a property (ISO/IEC 14496-12, 4.2).
struct BoxType: Hashable, ExpressibleByStringLiteral {
    let code: Int

    init(code: Int) { self.code = code }

    init(stringLiteral letters: StaticString) {
        code = letters.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int($1) } }
    }
}
