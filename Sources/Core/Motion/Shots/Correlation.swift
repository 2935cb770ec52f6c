/// Returns Pearson's correlation of pairs, −1…1; 0 if one of the two values does not vary.
package func correlation(_ pairs: [(Double, Double)]) -> Double {
    let count = Double(pairs.count)
    let (mean, otherMean) = (pairs.reduce(0) { $0 + $1.0 } / count, pairs.reduce(0) { $0 + $1.1 } / count)
    var (product, square, otherSquare) = (0.0, 0.0, 0.0)
    for (one, other) in pairs {
        product += (one - mean) * (other - otherMean)
        square += (one - mean) * (one - mean)
        otherSquare += (other - otherMean) * (other - otherMean)
    }
    let scale = (square * otherSquare).squareRoot()
    return scale > 1e-9 ? product / scale : 0
}
