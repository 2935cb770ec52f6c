extension StringProtocol {
    /// The elements of a field's value that is a list (RFC 9110 §5.6.1), without surrounding whitespace and empty ones.
    ///
    /// A comma inside of a quoted string separates, too.
    package var listElements: [SubSequence] {
        split(separator: ",").map { element in
            let rest = element.drop(while: isBlank)
            return rest[..<(rest.lastIndex { !isBlank($0) }.map(rest.index(after:)) ?? rest.startIndex)]
        }
        .filter { !$0.isEmpty }
    }
}

private func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
