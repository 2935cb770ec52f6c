/// The expected kind of subject of a picture without detected faces; it selects the saliency and the position prior.
package enum ExpectedSubject: Hashable, Sendable, CaseIterable {
    /// People, if detection was not run or may have missed them: heads are high up, and skin counts.
    case people
    /// No people: a subject near the middle that differs from its background.
    case things
}
