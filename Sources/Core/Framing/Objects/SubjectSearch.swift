/// Exact search for the best position of a crop along one axis, around weighed objects.
///
/// The value of a position is piecewise linear. It bends or jumps only where an edge of the crop meets an edge of an
/// object or its head, at the start that attention prefers, and one crop length from this start. The search tries all
/// these positions.
struct SubjectSearch {
    /// An object as intervals of the axis.
    struct Projection {
        var span: Range<Int>
        /// The weight of the object, and of its head in it; at most 2²⁴.
        var weight: Int
        /// The head; nil if it does not count on this axis, or does not fit.
        var head: Range<Int>?
        var headWeight: Int
    }

    let subjects: [Projection]
    /// The length of the crop.
    let length: Int
    /// The possible starts of the crop.
    let allowed: ClosedRange<Int>
    /// The start that attention prefers.
    let attention: Int
    let attentionWeight: Int
    /// The maximum decrease of a position's value that is accepted.
    let tolerance: Int

    /// The minimum visible part of a whole head, in percent.
    private static let wholeHead = 97
    /// The minimum visible part of an object in the crop, in percent of its length or of the crop's length.
    private static let mostly = 60
    /// The units of value for each unit of weight.
    private static let scale = 1 << 10

    init(
        subjects: [Projection],
        length: Int,
        allowed: ClosedRange<Int>,
        attention: Int,
        constants: SubjectConstants
    ) {
        self.subjects = subjects
        self.length = length
        self.allowed = allowed
        self.attention = attention
        let sum = subjects.reduce(0) { $0 + $1.weight }
        let minimum = constants.minAttention * Double(WeighedSubject.unit)
        attentionWeight = Int(max(constants.attention * Double(sum), minimum).rounded())
        tolerance = Int((constants.tolerance * Double(sum)).rounded()) * Self.scale
    }

    /// Returns the best start.
    ///
    /// The objects are in the centre of the crop, if that loses only a little. An object longer than the crop has no
    /// centre, so attention decides.
    func best() -> Int {
        let starts = candidates
        let values = starts.map(value)
        // Of equal values, the start nearest to attention is chosen, then the first start.
        let best = starts.indices.min { left, right in
            (-values[left], abs(starts[left] - attention), left) < (
                -values[right], abs(starts[right] - attention), right
            )
        }
        guard let best else { return attention }
        guard let heaviest = subjects.first, 20 * heaviest.span.count <= 21 * length else { return starts[best] }
        let kept = subjects.filter {
            100 * shown($0.span, at: starts[best]) >= Self.mostly * min($0.span.count, length)
        }
        let weight = kept.reduce(0) { $0 + $1.weight }
        guard weight > 0 else { return starts[best] }
        let ends = kept.reduce(0) { $0 + $1.weight * ($1.span.lowerBound + $1.span.upperBound) }
        let middle = (ends / weight - length) >> 1
        let minimum = values[best] - tolerance
        let first = limit(from: best, by: -1, starts, values, minimum)
        let last = limit(from: best, by: 1, starts, values, minimum)
        return min(max(middle, first), last)
    }

    /// Returns the farthest start in one direction such that every start up to it has at least the minimum value.
    private func limit(from best: Int, by step: Int, _ starts: [Int], _ values: [Int], _ minimum: Int) -> Int {
        var index = best
        while starts.indices.contains(index + step), values[index + step] >= minimum { index += step }
        guard starts.indices.contains(index + step) else { return starts[index] }
        // Between two candidates the value is linear.
        var (near, far) = (starts[index], starts[index + step])
        while abs(far - near) > 1 {
            let middle = (near + far) >> 1
            if value(at: middle) >= minimum { near = middle } else { far = middle }
        }
        return near
    }

    /// Returns the value of a start, from the visible parts of objects and the distance to attention.
    func value(at start: Int) -> Int {
        var value = 0
        for subject in subjects {
            let maximum = min(subject.span.count, length)
            value += (subject.weight - subject.headWeight) * Self.scale * shown(subject.span, at: start) / maximum
            if let head = subject.head, 100 * shown(head, at: start) >= Self.wholeHead * head.count {
                value += subject.headWeight * Self.scale
            }
        }
        let away = min(abs(start - attention), length)
        return value + attentionWeight * Self.scale * (length - away) / length
    }

    private func shown(_ span: Range<Int>, at start: Int) -> Int {
        max(0, min(span.upperBound, start + length) - max(span.lowerBound, start))
    }

    /// The starts where the value bends or jumps, sorted.
    private var candidates: [Int] {
        var starts: Set<Int> = []
        func add(_ start: Int) { starts.insert(min(max(start, allowed.lowerBound), allowed.upperBound)) }
        for start in [allowed.lowerBound, allowed.upperBound, attention, attention - length, attention + length] {
            add(start)
        }
        for subject in subjects {
            for edge in [subject.span.lowerBound, subject.span.upperBound] {
                add(edge)
                add(edge - length)
            }
            guard let head = subject.head else { continue }
            // The pixels of a head that may be outside; with one more pixel, the head is cut.
            let spare = head.count * (100 - Self.wholeHead) / 100
            for more in [spare, spare + 1] {
                add(head.lowerBound + more)
                add(head.upperBound - length - more)
            }
        }
        return starts.sorted()
    }
}
