import UntrustedText

/// Recognises parameters that were meant to be part of a URL in another parameter.
///
/// This happens if an `&` of that URL is not percent-encoded, such as in `url=http://example.com/p?a=1&b=2`.
struct UnencodedAmpersand {
    private let pairs: [(name: String, value: String)]

    /// Takes the pairs of a query or an encoded form, in order.
    ///
    /// In other bodies, `&` does not separate pairs.
    init(_ pairs: some Sequence<(name: String, value: String)>) { self.pairs = Array(pairs) }

    /// Returns the errors, with advice to encode the `&` for each parameter that may be part of a URL.
    func explained(_ errors: ParameterErrors) -> ParameterErrors {
        guard pairs.count > 1, let start = pairs.firstIndex(where: Self.endsInQuery) else { return errors }
        var errors = errors
        let wrong = errors.all
        for index in errors.all.indices {
            // bounded: an index of the errors
            let error = errors.all[index]
            guard
                let place = pairs.lastIndex(where: { pair in
                    pair.name.bytes == error.name.bytes && pair.value.bytes == (error.received ?? "").bytes
                }), place > start, let holder = pairs[..<place].lastIndex(where: Self.endsInQuery)
            else { continue }
            // A known parameter with an invalid value directly follows the URL or another parameter of this kind.
            // bounded: the holder is before the place
            let between = pairs[(holder + 1)..<place]
            let isNext = between.allSatisfy { pair in wrong.contains { $0.name.bytes == pair.name.bytes } }
            if error.isUnknown || error.mayBelongToURL || error.rule == nil && isNext {
                // bounded: as above
                errors.all[index].holder = pairs[holder].name
            }
        }
        return errors
    }

    /// Whether the value is a URL with a query but without an `&`, so that the rest of the query may follow.
    private static func endsInQuery(_ pair: (name: String, value: String)) -> Bool {
        let isURL =
            [Parameter.url.name, Parameter.backdropURL.name].contains(pair.name)
            || pair.value.bytes.begins(with: "http://")
            || pair.value.bytes.begins(with: "https://")
        return isURL && pair.value.bytes.contains("?") && !pair.value.bytes.contains("&")
    }
}
