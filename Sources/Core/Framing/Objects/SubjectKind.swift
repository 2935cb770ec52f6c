/// The usual role of a class of objects in an image.
package enum SubjectKind: Hashable, Sendable {
    /// A person: the head is at the top of the box.
    case person
    /// An animal or a toy animal: the head is somewhere in the upper part of the box.
    case animal
    /// Furniture, rooms and things that people carry: usually around the subject, and seldom the subject itself.
    case surroundings
    /// Any other thing.
    case thing
}
