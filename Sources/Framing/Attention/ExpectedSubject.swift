import Geometry

/// The expected kind of subject of a picture without detected faces; it selects the position prior.
package enum ExpectedSubject: Hashable, Sendable, CaseIterable {
    /// People, if detection was not run or may have missed them: heads are high up, and skin counts.
    case people
    /// No people: a subject somewhat above the middle that is visible by its detail.
    case things
}
