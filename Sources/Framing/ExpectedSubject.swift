/// What a picture in which no face was found is taken to show, which decides where to look for it.
package enum ExpectedSubject: Hashable, Sendable, CaseIterable {
    /// People whom nobody looked for, or whom a detector may have missed: heads are high up, and skin tells.
    case people
    /// No people: a subject that is somewhat above the middle and shows by its detail.
    case things
}
