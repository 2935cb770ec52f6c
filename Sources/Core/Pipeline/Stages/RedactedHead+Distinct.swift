extension [RedactedHead] {
    /// The detection with the highest score for each head, in descending order of the score.
    var distinct: [RedactedHead] {
        var heads: [RedactedHead] = []
        for head in sorted(by: { $0.confidence > $1.confidence })
        where !heads.contains(where: { Duplicates.isSame($0.box, head.box) }) {
            heads.append(head)
        }
        return heads
    }
}
